import Glibc
import IntentLinux

/// A program with its output discarded.
enum QuietProgram {
    /// Runs a program, and throws if it fails.
    static func run(_ program: String, _ arguments: [String]) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in Int32(0)...2 {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
        defer { for word in words { free(word) } }
        words.append(nil)
        var process: Int32 = 0
        let code = posix_spawn(&process, program, &actions, nil, words, environ)
        guard code == 0 else { throw SystemError("posix_spawn", on: program, code: Errno(rawValue: code)) }
        var status: Int32 = 0
        try syscall("waitpid") { waitpid(process, &status, 0) }
        guard status == 0 else { throw BenchmarkError("\(program) ended with status \(status)") }
    }
}
