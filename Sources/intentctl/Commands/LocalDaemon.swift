import Glibc

/// A private `intentd` for one client: it serves one connection, and ends with it.
struct LocalDaemon {
    /// The app's name there: the executable's file name.
    let app: String
    /// The client's end of the connection; belongs to who connects over it.
    let socket: Int32
    private let process: pid_t

    /// - Throws: ``CommandFailure`` when there is no such executable, or no intentd.
    static func start(executable: String) throws(CommandFailure) -> LocalDaemon {
        let path = try absolutePath(ofExecutable: executable)
        let program = try findProgram()
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw failure("cannot make a socket for the private intentd", errno)
        }
        defer { close(ends[1]) }
        closeAllOnExec()
        let arguments = [program, "--app", path, "--connection", "3"]
        do throws(CommandFailure) {
            let process = try spawn(program, arguments, connection: ends[1])
            let name = path.split(separator: "/").last.map(String.init) ?? path
            return LocalDaemon(app: name, socket: ends[0], process: process)
        } catch {
            close(ends[0])
            throw error
        }
    }

    /// Waits for its end, which follows the end of the connection.
    ///
    /// - Returns: What went wrong with it, or nil.
    func wait() -> String? {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            if errno != EINTR { return nil }
        }
        // The macros of wait(2) do not reach Swift: the low seven bits are the signal, the next eight the exit code.
        let signal = status & 0x7F
        let code = (status >> 8) & 0xFF
        if signal != 0 { return "the private intentd was killed by signal \(signal)" }
        return code == 0 ? nil : "the private intentd exited with code \(code)"
    }

    private static func spawn(
        _ program: String,
        _ arguments: [String],
        connection: Int32
    ) throws(CommandFailure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        // Standard output is for the value alone: what the daemon says goes to standard error.
        posix_spawn_file_actions_adddup2(&actions, 2, 1)
        posix_spawn_file_actions_adddup2(&actions, connection, 3)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var defaults = sigset_t()
        sigemptyset(&defaults)
        sigaddset(&defaults, SIGINT)
        sigaddset(&defaults, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        var mask = sigset_t()
        sigemptyset(&mask)
        posix_spawnattr_setsigmask(&attributes, &mask)
        // A group of its own: the terminal's Ctrl-C is for us, and we cancel in order.
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))

        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        defer { for word in words { free(word) } }
        words.append(nil)
        var process: pid_t = 0
        let code = posix_spawn(&process, program, &actions, &attributes, words, environ)
        guard code == 0 else { throw failure("cannot start '\(program)'", code) }
        return process
    }

    /// Descriptors that a careless parent left open are none of the daemon's.
    private static func closeAllOnExec() {
        guard let folder = opendir("/proc/self/fd") else { return }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            // Fails only for one that was closed meanwhile.
            if let descriptor = Int32(name), descriptor > 2 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        }
    }

    /// `intentd` beside this very program, else where packages put it.
    private static func findProgram() throws(CommandFailure) -> String {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        var candidates = ["/usr/lib/intentd/intentd"]
        if count > 0 {
            let own = String(decoding: buffer.prefix(count), as: UTF8.self)
            candidates.insert(own.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/intentd", at: 0)
        }
        guard let program = candidates.first(where: { access($0, X_OK) == 0 }) else {
            throw CommandFailure(
                .configuration,
                code: "noProgram",
                "there is no intentd to run privately: looked for \(candidates.joined(separator: " and "))",
                hint: "install the package intentd, or build it: swift build --product intentd"
            )
        }
        return program
    }

    private static func absolutePath(ofExecutable path: String) throws(CommandFailure) -> String {
        guard let resolved = realpath(path, nil) else {
            throw notFound("there is no executable at '\(path)': \(String(cString: strerror(errno)))")
        }
        defer { free(resolved) }
        let absolute = String(cString: resolved)
        var status = stat()
        guard stat(absolute, &status) == 0 else {
            throw notFound("cannot look at '\(path)': \(String(cString: strerror(errno)))")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            throw notFound("'\(path)' is \(isFolder ? "a folder" : "no regular file"), not an executable")
        }
        guard access(absolute, X_OK) == 0 else {
            throw notFound("'\(path)' may not be executed: \(String(cString: strerror(errno)))")
        }
        return absolute
    }

    private static func notFound(_ message: String) -> CommandFailure {
        CommandFailure(
            .notFound,
            code: "noExecutable",
            message,
            hint: "name an app's executable, such as .build/debug/Soup."
        )
    }

    private static func failure(_ message: String, _ number: Int32) -> CommandFailure {
        CommandFailure(.resourceLimit, code: "system", "\(message): \(String(cString: strerror(number)))", hint: nil)
    }
}
