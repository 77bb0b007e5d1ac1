import CIntentLinux
import Glibc

/// What this process asks of the kernel for itself.
package enum ProcessFacts {
    /// Keeps other processes of the same user from reading or tracing this one (PR_SET_DUMPABLE).
    package static func forbidInspection() throws(SystemError) {
        try syscall("prctl", on: "PR_SET_DUMPABLE") { intentd_set_undumpable() }
    }

    /// Orphans below this process become its children (PR_SET_CHILD_SUBREAPER).
    package static func adoptOrphans() throws(SystemError) {
        try syscall("prctl", on: "PR_SET_CHILD_SUBREAPER") { intentd_become_subreaper() }
    }

    /// Blocks signals in this thread and in those it starts; call before any other thread exists.
    package static func block(_ signals: [Int32]) throws(SystemError) {
        try syscall("pthread_sigmask") { intentd_block_signals(signals, signals.count) }
    }

    /// Lets this process have as many descriptors as it may, up to `count`.
    package static func raiseDescriptorLimit(to count: UInt) throws(SystemError) {
        try syscall("setrlimit", on: "RLIMIT_NOFILE") { intentd_raise_descriptor_limit(count) }
    }

    /// The path of this process's own executable.
    package static func executablePath() throws(SystemError) -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = try syscall("readlink", on: "/proc/self/exe") {
            buffer.withUnsafeMutableBytes { readlink("/proc/self/exe", $0.baseAddress!, $0.count) }
        }
        return String(decoding: buffer.prefix(count), as: UTF8.self)
    }
}
