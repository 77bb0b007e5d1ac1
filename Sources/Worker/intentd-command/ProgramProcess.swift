import CIntentWorker
import Glibc
import IntentCommands
import IntentLauncherMessages
import IntentLinux

/// A program that a run has started, in its own process group.
struct ProgramProcess {
    /// The parameters for starting a program.
    struct Plan {
        var arguments: [String]
        var environment: [String: String]
        /// The working directory; nil for the run folder.
        var directory: String?
        /// The standard input; nil for /dev/null.
        var input: SharedFileDescriptor?
        /// The standard output; nil for the worker's standard output.
        var output: SharedFileDescriptor?
        var error: SharedFileDescriptor?
        /// The path of the terminal that becomes the program's controlling terminal, output and error, and its input if
        /// there is no other; nil without a terminal.
        var terminal: String?
        /// Descriptors that the program inherits under the same numbers.
        var kept: [SharedFileDescriptor] = []
    }

    let number: Int32

    /// - Throws: ``ArgumentError`` with the reason and the next step.
    init(_ plan: Plan) throws(ArgumentError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let terminal = plan.terminal {
            // The first terminal that a session's leader opens becomes its controlling terminal (tty_ioctl(4)).
            posix_spawn_file_actions_addopen(&actions, 1, terminal, O_RDWR, 0)
            posix_spawn_file_actions_adddup2(&actions, 1, 2)
            posix_spawn_file_actions_adddup2(&actions, plan.input?.rawValue ?? 1, 0)
        } else if let input = plan.input {
            posix_spawn_file_actions_adddup2(&actions, input.rawValue, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        if let output = plan.output { posix_spawn_file_actions_adddup2(&actions, output.rawValue, 1) }
        if let error = plan.error { posix_spawn_file_actions_adddup2(&actions, error.rawValue, 2) }
        // Duplicate each descriptor to its own number. This clears close-on-exec (posix_spawn_file_actions_adddup2(3)),
        // so the program inherits the descriptor.
        for descriptor in plan.kept {
            posix_spawn_file_actions_adddup2(&actions, descriptor.rawValue, descriptor.rawValue)
        }
        if let directory = plan.directory { _ = intentd_add_change_directory(&actions, directory) }

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setpgroup(&attributes, 0)
        // A session also has a process group of its own. The number of POSIX_SPAWN_SETSID is for GNU only (spawn.h).
        let group = plan.terminal == nil ? Int32(POSIX_SPAWN_SETPGROUP) : 0x80
        let flags = Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK) | group
        posix_spawnattr_setflags(&attributes, Int16(flags))

        let words = Self.cStrings(plan.arguments)
        let variables = Self.cStrings(plan.environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })
        defer { for word in words + variables { free(word) } }
        var process: Int32 = 0
        let code = posix_spawn(&process, plan.arguments[0], &actions, &attributes, words, variables)
        guard code == 0 else { throw Self.error(code, plan) }
        number = process
    }

    private static func cStrings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) } + [nil]
    }

    private static func error(_ code: Int32, _ plan: Plan) -> ArgumentError {
        let program = plan.arguments[0]
        let reason = Errno(rawValue: code)
        if code == ENOENT || code == EACCES, access(program, X_OK) != 0 {
            return ArgumentError(
                "cannot start '\(program)' in the sandbox: \(reason). "
                    + "Grant access with Programs= in [Sandbox], or correct Exec="
            )
        }
        if code == ENOENT || code == EACCES || code == ENOTDIR, let directory = plan.directory {
            return ArgumentError(
                "cannot start '\(program)' in '\(directory)': \(reason). Grant access with ReadPaths= in [Sandbox]"
            )
        }
        if code == E2BIG {
            return ArgumentError(
                "cannot start '\(program)': its arguments and environment are too long. "
                    + "Pass values in files or with StandardInput="
            )
        }
        return ArgumentError("cannot start '\(program)': \(reason)")
    }

    /// Sends a signal to the process group. When the run ends, the launcher kills programs that have left the group.
    func signalGroup(_ signal: Int32) {
        // Ignore a failure, because the group may have exited.
        _ = kill(-number, signal)
    }

    /// Reaps the process. Returns nil while it is running.
    func reap() -> ProcessEnd? {
        var status: Int32 = 0
        guard waitpid(number, &status, WNOHANG) == number else { return nil }
        // Decode the status here, because Swift does not import the macros of wait(2). The low seven bits are the
        // signal, and the next eight bits are the exit code.
        let signal = status & 0x7F
        return signal == 0 ? .exited(code: (status >> 8) & 0xFF) : .signaled(signal: signal)
    }
}

extension ProgramProcess {
    /// Returns the environment that programs inherit from the worker.
    static func inheritedEnvironment() -> [String: String] {
        var environment: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let parts = String(foreign: text).split(scalar: "=", maxSplits: 1, omittingEmptySubsequences: false)
            entry += 1
            if parts.count == 2 { environment[String(parts[0])] = String(parts[1]) }
        }
        let tools = environment["INTENTD_TOOLS"]
        // Omit the variables that are only for the worker and for the libraries of its executable.
        for name in environment.keys where name.hasPrefix(utf8: "INTENTD_") && name != "INTENTD_RUN" {
            environment[name] = nil
        }
        for name in ["SWIFT_BACKTRACE", "LD_BIND_NOW", "LD_LIBRARY_PATH"] { environment[name] = nil }
        // Add the folder of intent-ask and intent-progress.
        environment["PATH"] = [tools, environment["PATH"]].compactMap(\.self).joined(separator: ":")
        return environment
    }
}
