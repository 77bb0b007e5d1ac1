internal import FoundationEssentials
internal import Glibc
internal import IntentLinux

/// An `intentd` for one app and one client. It serves one connection and exits with it.
package struct PrivateDaemon: Sendable {
    /// The app's name: the file name of the executable, or of the file of commands without its suffix.
    package let app: String
    /// The socket for other clients of this user; nil when it has none.
    package let path: String?
    private let socket: SharedFileDescriptor
    private let process: ChildProcess

    /// Starts a daemon for the app with this executable, or this file of intentd.command(5). The daemon logs to standard error unless it is silent.
    ///
    /// Only for programs: it sets close-on-exec on every descriptor of this process above 2.
    ///
    /// - Parameter socket: The path of a socket at which other clients can answer questions of the run; nil for none.
    /// - Throws: ``IntentClientError`` with code `noExecutable`, `noProgram` or `system`.
    package static func start(
        executable: String,
        socket socketPath: String? = nil,
        isSilent: Bool = false
    ) throws(IntentClientError) -> PrivateDaemon {
        let path = try absolutePath(ofExecutable: executable)
        let program = try findProgram()
        closeAllOnExec()
        do throws(SystemError) {
            let ends = try UnixSocket.Pair(.stream).shared()
            let process = try ChildProcess.start(
                program,
                arguments: ["--app", path, "--connection", "3"] + (socketPath.map { ["--socket", $0] } ?? []),
                socket: ends.second,
                isSilent: isSilent
            )
            var name = path.split(separator: "/").last.map(String.init) ?? path
            if name.hasSuffix(commandSuffix) { name.removeLast(commandSuffix.count) }
            return PrivateDaemon(app: name, path: socketPath, socket: ends.first, process: process)
        } catch {
            throw IntentClientError(.system, "cannot start a private intentd: \(error)")
        }
    }

    /// The suffix of a file of intentd.command(5). The name before it is the app's.
    private static let commandSuffix = ".intents"

    /// Opens the one connection that the daemon serves.
    package func connect(software: String) async throws -> IntentConnection {
        try await IntentConnection.adopt(socket, software: software)
    }

    /// Waits until the daemon exits, which follows the end of the connection.
    ///
    /// - Returns: Why it failed; nil when it did not.
    package func wait() -> String? {
        let problem = process.waitForEnd().map { "the private intentd \($0)" }
        if let path {
            // The daemon removes its socket, unless it was killed.
            _ = unlink(path)
        }
        return problem
    }

    /// Marks all descriptors close-on-exec, so that the daemon does not inherit any that the parent process left open.
    private static func closeAllOnExec() {
        // Without /proc the descriptors stay open, which only costs the daemon their numbers.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        // Fails only for a descriptor that was closed meanwhile.
        for descriptor in names.compactMap({ Int32($0) }) where descriptor > 2 {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
    }

    /// The `intentd` beside this program, or else the one that packages install.
    private static func findProgram() throws(IntentClientError) -> String {
        let candidates = [OwnProgram.folder, "/usr/lib/intentd"].compactMap(\.self).map { $0 + "/intentd" }
        guard let program = candidates.first(where: { access($0, X_OK) == 0 }) else {
            throw IntentClientError(
                .noProgram,
                "no intentd found for a private run: looked for \(candidates.joined(separator: " and "))",
                hint: "install the package intentd, or build it: swift build --product intentd"
            )
        }
        return program
    }

    private static func absolutePath(ofExecutable path: String) throws(IntentClientError) -> String {
        guard let resolved = realpath(path, nil) else {
            throw notFound("no executable at '\(path)': \(Errno(rawValue: errno))")
        }
        defer { free(resolved) }
        let absolute = String(cString: resolved)
        var status = stat()
        guard stat(absolute, &status) == 0 else {
            throw notFound("cannot access '\(path)': \(Errno(rawValue: errno))")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            throw notFound("'\(path)' is \(isFolder ? "a folder" : "not a regular file"); expected an executable")
        }
        guard absolute.hasSuffix(commandSuffix) || access(absolute, X_OK) == 0 else {
            throw notFound("cannot execute '\(path)': \(Errno(rawValue: errno))")
        }
        return absolute
    }

    private static func notFound(_ message: String) -> IntentClientError {
        IntentClientError(.noExecutable, message, hint: "name an app's executable, such as .build/debug/Soup.")
    }
}
