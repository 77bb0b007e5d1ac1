internal import Glibc
internal import IntentLinux

/// An `intentd` process that serves one app and one client. It accepts a single connection and exits when that
/// connection closes.
package struct PrivateDaemon: Sendable {
    /// The app's name: the file name of the executable, or of the intentd.command(5) file without its suffix.
    package let app: String
    /// The path of a socket for other clients of the same user; nil when the daemon has no such socket.
    package let path: String?
    private let socket: SharedFileDescriptor
    private let process: ChildProcess

    /// Starts a daemon for an app, which is an executable or an intentd.command(5) file. The daemon logs to standard
    /// error unless it is silent.
    ///
    /// - Parameters:
    ///   - socketPath: The path for a socket on which other clients can answer questions of the run; nil for none.
    ///   - state: The folder for the apps' state folders; nil for the user's own.
    ///   - waitsForDebugger: True to hold each run until a debugger traces its worker.
    /// - Throws: ``IntentClientError`` with code `noExecutable`, `noProgram` or `system`.
    package static func start(
        executable: String,
        socket socketPath: String? = nil,
        state: String? = nil,
        waitsForDebugger: Bool = false,
        isSilent: Bool = false
    ) throws(IntentClientError) -> PrivateDaemon {
        let path = try absolutePath(ofExecutable: executable)
        let program = try findProgram()
        do throws(SystemError) {
            let ends = try UnixSocket.Pair(.stream).shared()
            let process = try ChildProcess.start(
                program,
                arguments: ["--app", path, "--connection", "3"] + (socketPath.map { ["--socket", $0] } ?? [])
                    + (state.map { ["--state", $0] } ?? [])
                    + (waitsForDebugger ? ["--wait-for-debugger"] : []),
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

    /// The suffix of an intentd.command(5) file. The file name without the suffix is the app's name.
    private static let commandSuffix = ".intents"

    /// The daemon's process id.
    package var processNumber: Int32 { process.number }

    /// Opens the only connection that the daemon serves.
    package func connect(software: String) async throws -> IntentConnection {
        try await IntentConnection.adopt(socket, software: software)
    }

    /// Waits until the daemon has exited. The daemon exits when the connection closes.
    ///
    /// - Returns: The reason why the daemon failed; nil if the daemon did not fail.
    package func wait() -> String? {
        let problem = process.waitForEnd().map { "the private intentd \($0)" }
        if let path {
            // The daemon removes its socket when it exits, but not when it is killed.
            _ = unlink(path)
        }
        return problem
    }

    /// Returns the `intentd` in this program's folder, or else the one that packages install.
    private static func findProgram() throws(IntentClientError) -> String {
        let candidates = [OwnProgram.folder, "/usr/lib/intentd"].compactMap(\.self).map { $0 + "/intentd" }
        guard let program = candidates.first(where: { access($0, X_OK) == 0 }) else {
            throw IntentClientError(
                .noProgram,
                "no intentd found for a private run: searched \(candidates.joined(separator: " and "))",
                hint: "install the intentd package, or build intentd: swift build --product intentd"
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
