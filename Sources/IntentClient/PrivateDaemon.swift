internal import FoundationEssentials
internal import Glibc
internal import IntentLinux

/// An `intentd` for one app and one client: it serves one connection, and ends with it.
package struct PrivateDaemon: Sendable {
    /// The app's name there: the executable's file name.
    package let app: String
    /// Where others of this user reach it too; nil where nobody does.
    package let path: String?
    private let socket: SharedFileDescriptor
    private let process: ChildProcess

    /// Starts it for the app with this executable; what it says goes to standard error.
    ///
    /// For programs alone: descriptors above 2 that this process has open become close-on-exec.
    ///
    /// - Parameter isReachable: Others of this user reach it too, by a socket in a temporary folder: somebody has to
    ///   answer what its run asks.
    /// - Throws: ``IntentClientError`` with code `noExecutable` or `noProgram`, or `system`.
    package static func start(executable: String, isReachable: Bool = false) throws(IntentClientError) -> PrivateDaemon
    {
        let path = try absolutePath(ofExecutable: executable)
        let program = try findProgram()
        closeAllOnExec()
        do throws(SystemError) {
            let place = isReachable ? try temporarySocketPath() : nil
            let ends = try UnixSocket.Pair(.stream).take()
            let process = try ChildProcess.start(
                program,
                arguments: ["--app", path, "--connection", "3"] + (place.map { ["--socket", $0] } ?? []),
                socket: ends.second
            )
            let name = path.split(separator: "/").last.map(String.init) ?? path
            return PrivateDaemon(app: name, path: place, socket: ends.first, process: process)
        } catch {
            throw IntentClientError(.system, "cannot start a private intentd: \(error)")
        }
    }

    /// The one connection that it serves.
    package func connect(software: String) async throws -> IntentConnection {
        try await IntentConnection.adopt(socket, software: software)
    }

    /// Waits for its end, which follows the end of the connection.
    ///
    /// - Returns: What went wrong with it, or nil.
    package func wait() -> String? {
        let problem = process.waitForEnd().map { "the private intentd \($0)" }
        if let path {
            // It has removed its socket; where it was killed, that goes here.
            _ = unlink(path)
            _ = rmdir(String(path.dropLast("/intentd.sock".count)))
        }
        return problem
    }

    private static func temporarySocketPath() throws(SystemError) -> String {
        let base = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) } ?? getenv("TMPDIR").map { String(cString: $0) }
        var template = Array("\(base ?? "/tmp")/intentctl.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw SystemError("mkdtemp", on: base ?? "/tmp", code: Errno(rawValue: errno))
        }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) + "/intentd.sock"
    }

    /// Descriptors that a careless parent left open are none of the daemon's.
    private static func closeAllOnExec() {
        // Without /proc they stay open, which costs the daemon nothing but their numbers.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        // Fails only for one that was closed meanwhile.
        for descriptor in names.compactMap({ Int32($0) }) where descriptor > 2 {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
    }

    /// `intentd` beside this very program, else where packages put it.
    private static func findProgram() throws(IntentClientError) -> String {
        let places = [OwnProgram.folder, "/usr/lib/intentd"].compactMap(\.self).map { $0 + "/intentd" }
        guard let program = places.first(where: { access($0, X_OK) == 0 }) else {
            throw IntentClientError(
                .noProgram,
                "there is no intentd to run privately: looked for \(places.joined(separator: " and "))",
                hint: "install the package intentd, or build it: swift build --product intentd"
            )
        }
        return program
    }

    private static func absolutePath(ofExecutable path: String) throws(IntentClientError) -> String {
        guard let resolved = realpath(path, nil) else {
            throw notFound("there is no executable at '\(path)': \(Errno(rawValue: errno))")
        }
        defer { free(resolved) }
        let absolute = String(cString: resolved)
        var status = stat()
        guard stat(absolute, &status) == 0 else {
            throw notFound("cannot look at '\(path)': \(Errno(rawValue: errno))")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            throw notFound("'\(path)' is \(isFolder ? "a folder" : "no regular file"), not an executable")
        }
        guard access(absolute, X_OK) == 0 else {
            throw notFound("'\(path)' may not be executed: \(Errno(rawValue: errno))")
        }
        return absolute
    }

    private static func notFound(_ message: String) -> IntentClientError {
        IntentClientError(.noExecutable, message, hint: "name an app's executable, such as .build/debug/Soup.")
    }
}
