internal import Glibc
internal import IntentLinux

/// An `intentd` process that serves one app and one client. It accepts a single connection and exits when that
/// connection closes.
///
/// ```swift
/// let daemon = try PrivateDaemon.start(executable: ".build/debug/Soup")
/// let intentd = try await daemon.connect(software: "kitchen 2.1")
/// let price = try await intentd.perform("Soup/OrderSoup", ["soup": "tomato"]).value(as: Decimal.self)
/// ```
///
/// The program `intentd` must be installed, or be in the folder of the calling program.
public struct PrivateDaemon: Sendable {
    /// The app's name: the file name of the executable, or of the intentd.command(5) file without its suffix.
    public let app: String
    /// The path of a socket for other clients of the same user; nil when the daemon has no such socket.
    public let path: String?
    private let socket: SharedFileDescriptor
    private let exit: ChildExit
    /// The daemon's process identifier.
    public let processNumber: Int32

    /// Starts a daemon for an app, which is an executable or an intentd.command(5) file. The daemon logs to standard
    /// error unless it is silent.
    ///
    /// - Parameters:
    ///   - socketPath: The path of a socket on which other clients can answer the run's questions; nil for no socket.
    ///   - state: The folder that contains the apps' state folders; nil for the user's default folder.
    ///   - waitsForDebugger: True to hold each run until a debugger traces its worker.
    /// - Throws: ``IntentClientError`` with code `noExecutable`, `noProgram` or `system`.
    public static func start(
        executable: String,
        socket socketPath: String? = nil,
        state: String? = nil,
        waitsForDebugger: Bool = false,
        isSilent: Bool = false
    ) throws(IntentClientError) -> PrivateDaemon {
        try start(
            executable: executable,
            for: .examination,
            socket: socketPath,
            state: state,
            waitsForDebugger: waitsForDebugger,
            isSilent: isSilent
        )
    }

    /// What a client does with its private daemon.
    package enum Purpose {
        /// The client performs a run. The daemon starts a worker while the app describes its intents, and uses the
        /// records of an earlier description and of an earlier test of the sandbox.
        case run
        /// The client requests a description of the app. The daemon uses the record of an earlier test of the sandbox.
        case description
        /// The client examines the host. The daemon tests the sandbox.
        case examination
    }

    /// Starts a daemon that is prepared for what the client does with it.
    package static func start(
        executable: String,
        for purpose: Purpose,
        socket socketPath: String? = nil,
        state: String? = nil,
        waitsForDebugger: Bool = false,
        isSilent: Bool = false
    ) throws(IntentClientError) -> PrivateDaemon {
        let path = try absolutePath(ofExecutable: executable)
        let program = try findProgram("intentd")
        do throws(SystemError) {
            let ends = try UnixSocket.Pair(.stream).shared()
            let process = try ChildProcess.start(
                program,
                arguments: ["--app", path, "--connection", "3"] + (socketPath.map { ["--socket", $0] } ?? [])
                    + (state.map { ["--state", $0] } ?? [])
                    + (waitsForDebugger ? ["--wait-for-debugger"] : []) + options(for: purpose),
                socket: ends.second,
                isSilent: isSilent
            )
            let file = path.split(scalar: "/").last ?? Substring(path)
            let suffix = describingSuffixes.first { file.hasSuffix(utf8: $0) }
            return PrivateDaemon(
                app: String(file.dropLast(scalars: suffix?.scalarCount ?? 0)),
                path: socketPath,
                socket: ends.first,
                exit: try ChildExit(of: process),
                processNumber: process.number
            )
        } catch {
            throw IntentClientError(.system, "cannot start a private intentd: \(error)")
        }
    }

    private static func options(for purpose: Purpose) -> [String] {
        let record = cacheFolder.map { ["--trial-record", "\($0)/sandbox-trial"] } ?? []
        let catalogs = cacheFolder.map { ["--catalogs", "\($0)/catalogs"] } ?? []
        return switch purpose {
        case .run: ["--expect-run"] + catalogs + record
        case .description: record
        case .examination: []
        }
    }

    /// The folder with the records of the user's private daemons, in the user's folder for caches (XDG Base Directory
    /// Specification). Nil if the user has no such folder.
    package static var cacheFolder: String? {
        func folder(_ name: String) -> String? {
            getenv(name).map { String(foreign: $0) }.flatMap { $0.hasPrefix(utf8: "/") ? $0 : nil }
        }
        return (folder("XDG_CACHE_HOME") ?? folder("HOME").map { "\($0)/.cache" }).map { "\($0)/intentd" }
    }

    /// The suffixes of files that describe intents (intentd.command(5), intentd.shortcut(5)). The file name without the
    /// suffix is the app's name.
    private static let describingSuffixes = [".intents", ".shortcut"]

    /// Opens the only connection that the daemon serves.
    public func connect(software: String) async throws -> IntentConnection {
        try await IntentConnection.adopt(socket, software: software)
    }

    /// Waits until the daemon has exited. The daemon exits when the connection closes.
    ///
    /// - Returns: The reason why the daemon failed; nil if the daemon did not fail.
    public func waitForExit() async -> String? {
        await withCheckedContinuation { continuation in
            do throws(SystemError) {
                // `wait()` blocks its thread, so it must not run on a thread of the concurrency pool.
                try DetachedThread.start { continuation.resume(returning: wait()) }
            } catch {
                continuation.resume(returning: "cannot start a thread to wait for the private intentd: \(error)")
            }
        }
    }

    /// Waits until the daemon has exited, and blocks the calling thread. The daemon exits when the connection closes.
    ///
    /// - Returns: The reason why the daemon failed; nil if the daemon did not fail.
    package func wait() -> String? {
        let problem = exit.wait().map { "the private intentd \($0)" }
        // Remove the socket here, because a daemon that is killed leaves it behind. A socket on which a process listens
        // belongs to another daemon, which has kept this one from starting.
        if let path, (try? UnixSocket.connect(.stream, to: path)) == nil { _ = unlink(path) }
        return problem
    }

    /// Returns the path of a program of intentd's package. Searches this program's folder, where a build creates it, then
    /// the folder `lib/intentd` beside that folder, where this program's package installs it, then /usr/lib/intentd and the
    /// PATH.
    package static func findProgram(_ name: String) throws(IntentClientError) -> String {
        let path = getenv("PATH").map { String(foreign: $0) } ?? ""
        return try findProgram(name, beside: OwnProgram.folder, orOn: path)
    }

    package static func findProgram(_ name: String, beside own: String?, orOn path: String)
        throws(IntentClientError) -> String
    {
        let prefix = own.map { Substring($0.utf8[..<($0.utf8.lastIndex(of: UInt8(ascii: "/")) ?? $0.startIndex)]) }
        var folders = [own, prefix.map { "\($0)/lib/intentd" }].compactMap(\.self)
        if !folders.contains("/usr/lib/intentd") { folders.append("/usr/lib/intentd") }
        let pathFolders = path.split(scalar: ":").filter { $0.hasPrefix(utf8: "/") }.map(String.init)
        let candidates = (folders + pathFolders).map { "\($0)/\(name)" }
        guard let program = candidates.first(where: { access($0, X_OK) == 0 }) else {
            throw IntentClientError(
                .noProgram,
                "no \(name) found for a private run: searched \(folders.joined(separator: " and ")) and the PATH",
                hint: "install the intentd package, or build intentd: swift build --product intentd"
            )
        }
        return program
    }

    private static func absolutePath(ofExecutable path: String) throws(IntentClientError) -> String {
        guard let absolute = File.realPath(path) else {
            throw notFound("no executable at '\(path)': \(Errno(rawValue: errno))")
        }
        var status = stat()
        guard stat(absolute, &status) == 0 else {
            throw notFound("cannot access '\(path)': \(Errno(rawValue: errno))")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            throw notFound("'\(path)' is \(isFolder ? "a folder" : "not a regular file"); expected an executable")
        }
        guard describingSuffixes.contains(where: { absolute.hasSuffix(utf8: $0) }) || access(absolute, X_OK) == 0 else {
            throw notFound("cannot execute '\(path)': \(Errno(rawValue: errno))")
        }
        return absolute
    }

    private static func notFound(_ message: String) -> IntentClientError {
        IntentClientError(.noExecutable, message, hint: "name an app's executable, such as .build/debug/Soup")
    }
}
