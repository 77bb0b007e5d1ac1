import CIntentLaunch
import Glibc
import IntentLinux

/// Reaps child processes, one at a time.
package enum ChildReaper {
    /// The end of a child process, as the kernel reported it.
    package struct End: Equatable, Sendable {
        package var process: Int32
        /// True if a signal killed the process; false if the process exited with a code.
        package var isSignal: Bool
        /// The number of the signal, or the exit code.
        package var number: Int32
        /// The resources that the process and its reaped children have used; nil if they were not read.
        package var usage: Usage?
    }

    /// The resources that a process has used, as counted by the kernel (getrusage(2)).
    package struct Usage: Equatable, Sendable {
        package var userTime: Duration
        package var systemTime: Duration
        package var peakMemoryByteCount: Int64
    }

    /// Reaps any child that has exited. Returns nil if no child has exited.
    package static func next() -> End? { end(of: 0, keep: false) }

    /// Returns any child that has exited, without reaping it, or nil if no child has exited. The process id is not
    /// reused until the child is reaped.
    package static func peek() -> End? { end(of: 0, keep: true) }

    /// Reaps a child. Returns nil if the child is still running.
    package static func reap(_ process: Int32) -> End? { end(of: process, keep: false) }

    /// Waits until a child exits, and reaps it. Returns nil if the process is not a child.
    package static func waitForEnd(of process: Int32) -> End? {
        ChildProcess.wait(for: process).map { signal, code in
            End(process: process, isSignal: signal != 0, number: signal != 0 ? signal : code)
        }
    }

    private static func end(of child: Int32, keep: Bool) -> End? {
        var code: Int32 = 0
        var status: Int32 = 0
        var used = intentd_usage()
        while true {
            let process = intentd_next_end(child, keep ? 1 : 0, &code, &status, &used)
            if process > 0 {
                let usage = Usage(
                    userTime: .microseconds(used.user_us),
                    systemTime: .microseconds(used.system_us),
                    peakMemoryByteCount: used.peak_kib << 10
                )
                // CLD_EXITED is 1. The other values are CLD_KILLED and CLD_DUMPED, which both mean that a signal killed
                // the process.
                return End(process: process, isSignal: code != 1, number: status, usage: usage)
            }
            if process == 0 || errno != EINTR { return nil }
        }
    }

    /// A process that the kernel confirms to be a child of this process.
    package struct Child: Equatable, Sendable {
        package var process: Int32
        /// The id of the child's cgroup, as in ``CgroupLeaf/number``. Nil if the child has exited, or if the kernel
        /// does not report the id.
        package var cgroup: UInt64?
    }

    /// The process id of this process. getpid(2) is a system call.
    private static let ownProcess = getpid()

    /// Returns the child with this process id, or nil if the process is not a child. The process id is not reused until
    /// the child is reaped.
    ///
    /// - Parameter pidfd: A pidfd for the process, which saves two system calls; nil if the caller has none.
    package static func child(_ process: Int32, pidfd: Int32? = nil) -> Child? {
        guard process > 0 else { return nil }
        var cgroup: UInt64 = 0
        var parent: Int32 = 0
        // The query fails for a child that has exited, and on older kernels.
        if let pidfd, intentd_origin(pidfd, &parent, &cgroup) == 0 {
            return parent == ownProcess ? Child(process: process, cgroup: cgroup) : nil
        }
        guard intentd_is_child(process) != 0 else { return nil }
        return Child(process: process, cgroup: intentd_child_cgroup(process, &cgroup) == 0 ? cgroup : nil)
    }
}
