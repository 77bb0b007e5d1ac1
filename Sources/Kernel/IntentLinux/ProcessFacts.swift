import CIntentLinux
import Glibc

/// Reads and changes the kernel's settings for this process.
package enum ProcessFacts {
    /// Prevents other processes of the same user from reading or tracing this process (PR_SET_DUMPABLE).
    package static func forbidInspection() throws(SystemError) {
        try syscall("prctl", on: "PR_SET_DUMPABLE") { intentd_set_undumpable() }
    }

    /// Makes this process the parent of its orphaned descendants (PR_SET_CHILD_SUBREAPER).
    package static func adoptOrphans() throws(SystemError) {
        try syscall("prctl", on: "PR_SET_CHILD_SUBREAPER") { intentd_become_subreaper() }
    }

    /// Blocks signals in this thread and in the threads that it starts later. Call this function before any other
    /// thread is started.
    package static func block(_ signals: [Int32]) throws(SystemError) {
        try syscall("pthread_sigmask") { intentd_block_signals(signals, signals.count) }
    }

    /// Raises the soft limit on open descriptors to `count`, or to the hard limit if that is lower.
    package static func raiseDescriptorLimit(to count: UInt) throws(SystemError) {
        try syscall("setrlimit", on: "RLIMIT_NOFILE") { intentd_raise_descriptor_limit(count) }
    }

    /// The maximum number of descriptors of this process.
    package static func descriptorLimit() throws(SystemError) -> Int {
        var limit = rlimit()
        try syscall("getrlimit", on: "RLIMIT_NOFILE") { getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) }
        return Int(clamping: limit.rlim_cur)
    }

    /// Replaces this process's program with another program, which inherits all descriptors that are not close-on-exec
    /// (execve(2)).
    ///
    /// - Returns: The error. On success, the call does not return.
    package static func become(_ program: String, _ arguments: [String]) -> SystemError {
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
        defer { for word in words { free(word) } }
        words.append(nil)
        _ = execv(program, words)
        return SystemError("execve", on: program, code: Errno(rawValue: errno))
    }

    /// Returns the path of a program in the folder that contains this program.
    package static func pathBesideOurs(_ name: String) throws(SystemError) -> String {
        try executablePath().split(scalar: "/").dropLast().map { "/\($0)" }.joined() + "/\(name)"
    }

    /// Returns the path of a program in the folder that contains this program, or nil if the program does not exist.
    package static func programBesideOurs(_ name: String) -> String? {
        // If the path of this program cannot be read, its folder is unknown.
        guard let path = try? pathBesideOurs(name), access(path, X_OK) == 0 else { return nil }
        return path
    }

    /// Returns the path of this process's executable. If the file was replaced, the path refers to its replacement.
    package static func executablePath() throws(SystemError) -> String {
        let path = try File.readLink("/proc/self/exe")
        // The kernel appends this mark to the path of a deleted executable (proc_pid_exe(5)).
        let mark = " (deleted)"
        guard path.hasSuffix(utf8: mark), access(path, F_OK) != 0 else { return path }
        return String(path.dropLast(scalars: mark.scalarCount))
    }
}
