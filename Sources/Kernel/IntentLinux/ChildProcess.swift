import CIntentLinux
import Glibc

/// A child process that this process starts and waits for.
package struct ChildProcess: Sendable {
    /// The child's process id.
    package let number: Int32

    /// Starts a program with an empty standard input, and with its standard output redirected to standard error.
    ///
    /// The child leads its own process group, so that it does not receive signals from the terminal. The child starts
    /// without blocked signals.
    ///
    /// - Parameters:
    ///   - socket: The socket to pass as descriptor 3. The child then has no other descriptor above 2. Nil to pass no
    ///     socket.
    ///   - isSilent: True to discard the child's standard error.
    ///   - output: The file to which the child's standard output and standard error are written; nil for this process's
    ///     standard error.
    /// - Throws: ``SystemError`` from posix_spawn(3).
    package static func start(
        _ program: String,
        arguments: [String],
        socket: SharedFileDescriptor? = nil,
        isSilent: Bool = false,
        output: SharedFileDescriptor? = nil
    ) throws(SystemError) -> ChildProcess {
        var signals = sigset_t()
        sigfillset(&signals)
        return try spawn(program, arguments, .byPath, defaults: signals, flags: POSIX_SPAWN_SETPGROUP) { actions in
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            if isSilent { posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) }
            if let output { posix_spawn_file_actions_adddup2(&actions, output.rawValue, 2) }
            posix_spawn_file_actions_adddup2(&actions, 2, 1)
            if let socket {
                posix_spawn_file_actions_adddup2(&actions, socket.rawValue, 3)
                // Close all other descriptors in the child. This process may have inherited some from its parent, and
                // they are not close-on-exec.
                _ = intentd_spawn_close_from(&actions, 4)
            }
        }
    }

    /// The standard streams of a child.
    package struct Streams {
        package var input: SharedFileDescriptor
        package var output: SharedFileDescriptor
        package var error: SharedFileDescriptor

        package init(input: SharedFileDescriptor, output: SharedFileDescriptor, error: SharedFileDescriptor) {
            self.input = input
            self.output = output
            self.error = error
        }
    }

    /// Starts a program from `PATH` in this process's process group, so that the program can read from the terminal and
    /// receives the terminal's signals.
    ///
    /// - Parameters:
    ///   - environment: Variables to add to the process's environment.
    ///   - defaults: Signals that this process ignores but the child must not ignore.
    package static func start(
        _ program: String,
        arguments: [String],
        streams: Streams,
        environment: [String: String] = [:],
        defaults: [Int32]
    ) throws(SystemError) -> ChildProcess {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in defaults { sigaddset(&signals, signal) }
        return try spawn(program, arguments, .inSearchPath, environment, defaults: signals) { actions in
            for (number, stream) in [streams.input, streams.output, streams.error].enumerated() {
                posix_spawn_file_actions_adddup2(&actions, stream.rawValue, Int32(number))
            }
        }
    }

    private enum Lookup {
        case byPath
        /// In the folders of `PATH`, unless the name contains a slash.
        case inSearchPath
    }

    /// Starts a program without blocked signals.
    ///
    /// - Parameters:
    ///   - environment: Variables to add to the process's environment.
    ///   - defaults: The signals to reset to their default actions.
    ///   - flags: Additional flags of posix_spawnattr_setflags(3).
    ///   - addActions: Adds the actions that set up the child's descriptors.
    private static func spawn(
        _ program: String,
        _ arguments: [String],
        _ lookup: Lookup,
        _ environment: [String: String] = [:],
        defaults: consuming sigset_t,
        flags: Int32 = 0,
        _ addActions: (inout posix_spawn_file_actions_t) -> Void
    ) throws(SystemError) -> ChildProcess {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        addActions(&actions)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        var mask = sigset_t()
        sigemptyset(&mask)
        posix_spawnattr_setsigmask(&attributes, &mask)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | flags))

        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
        let variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") }
        defer { for text in words + variables { free(text) } }
        words.append(nil)
        var inherited = environ
        var all = variables
        while let variable = inherited.pointee {
            let name = String(foreign: variable).utf8.prefix { $0 != UInt8(ascii: "=") }
            if environment[String(Substring(name))] == nil { all.append(variable) }
            inherited += 1
        }
        all.append(nil)
        var process: Int32 = 0
        let spawn = lookup == .byPath ? posix_spawn : posix_spawnp
        let code = spawn(&process, program, &actions, &attributes, words, all)
        guard code == 0 else { throw SystemError("posix_spawn", on: program, code: Errno(rawValue: code)) }
        return ChildProcess(number: process)
    }

    /// Runs a program until it exits, and returns its output without trailing white space.
    package static func output(
        of program: String,
        arguments: [String]
    ) throws(SystemError) -> (text: String, isSuccess: Bool) {
        let (child, reading) = try startPrinting(program, arguments)
        var bytes: [UInt8] = []
        while let more = try File.read(reading.rawValue, upTo: 64 << 10), !more.isEmpty { bytes += more }
        while let last = bytes.last, last <= UInt8(ascii: " ") { bytes.removeLast() }
        return (String(foreign: bytes), child.waitForEnd() == nil)
    }

    /// Starts a program that writes its output to a pipe. Only the child keeps the write end, so that the reader
    /// receives end of file when the child exits.
    private static func startPrinting(
        _ program: String,
        _ arguments: [String]
    ) throws(SystemError) -> (ChildProcess, SharedFileDescriptor) {
        let pipe = try Pipe()
        return (try start(program, arguments: arguments, output: pipe.writing), pipe.reading)
    }

    /// Returns the exit code of the child, or 128 plus the signal number if a signal killed it. Returns nil while the
    /// child is running.
    package func exitCodeIfEnded() -> Int32? { Self.wait(for: number, WNOHANG).map(Self.exitCode) }

    /// Waits for the child's exit code. Returns 128 plus the signal number if a signal killed the child.
    package func waitForExitCode() -> Int32 { Self.wait(for: number).map(Self.exitCode) ?? 128 }

    private static func exitCode(of end: (signal: Int32, code: Int32)) -> Int32 {
        end.signal != 0 ? 128 + end.signal : end.code
    }

    /// Sends a signal to the child. Do not call this method after the child has been reaped.
    package func signal(_ signal: Int32) { _ = kill(number, signal) }

    /// Waits until the child exits. Returns nil if its exit code is 0, otherwise a phrase such as "exited with code 1".
    package func waitForEnd() -> String? {
        guard let end = Self.wait(for: number) else { return nil }
        if end.signal != 0 { return "was killed by signal \(end.signal)" }
        return end.code == 0 ? nil : "exited with code \(end.code)"
    }

    /// Reaps a child (waitpid(2)), and returns its exit code and the signal that killed it, or 0. Returns nil if the
    /// child is still running (WNOHANG), or if the process is not a child.
    package static func wait(for process: Int32, _ options: Int32 = 0) -> (signal: Int32, code: Int32)? {
        var status: Int32 = 0
        var reaped: Int32
        repeat { reaped = waitpid(process, &status, options) } while reaped < 0 && errno == EINTR
        // Swift does not import the macros of wait(2): the low seven bits are the signal, and the next eight bits are
        // the exit code.
        return reaped == process ? (status & 0x7F, status >> 8 & 0xFF) : nil
    }
}
