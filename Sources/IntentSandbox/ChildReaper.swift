import CIntentLaunch
import Glibc
import IntentLinux

/// Reaps child processes, one at a time.
package enum ChildReaper {
    package struct End: Equatable, Sendable {
        package var process: Int32
        /// True if a signal ended the process; false if it exited with the code.
        package var isSignal: Bool
        package var number: Int32
        /// The resources that the process and its reaped children used; nil if they were not read.
        package var usage: Usage?
    }

    /// Resources of one process, as the kernel counted them (getrusage(2)).
    package struct Usage: Equatable, Sendable {
        package var userTime: Duration
        package var systemTime: Duration
        package var peakMemoryByteCount: Int64
    }

    /// Reaps the next child that has ended; nil when no child has ended.
    package static func next() -> End? { end(of: 0, keep: false) }

    /// Returns the next child that has ended, without reaping it. Its process id is not reused until it is reaped.
    package static func peek() -> End? { end(of: 0, keep: true) }

    /// Reaps this child; nil when it has not ended.
    package static func reap(_ process: Int32) -> End? { end(of: process, keep: false) }

    /// Waits for the end of one child and reaps it; nil when the process is not a child.
    package static func waitForEnd(of process: Int32) -> End? {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            if errno != EINTR { return nil }
        }
        // The macros of wait(2) do not reach Swift: the low seven bits are the signal, the next eight the code.
        let signal = status & 0x7f
        return End(process: process, isSignal: signal != 0, number: signal != 0 ? signal : status >> 8 & 0xff)
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
                // CLD_EXITED is 1; CLD_KILLED and CLD_DUMPED are ends by a signal.
                return End(process: process, isSignal: code != 1, number: status, usage: usage)
            }
            if process == 0 || errno != EINTR { return nil }
        }
    }

    /// A child that reported itself.
    package struct Child: Equatable, Sendable {
        package var process: Int32
        /// The number of its cgroup, as in ``CgroupLeaf/number``; nil if the child has exited, or the kernel does not
        /// show it.
        package var cgroup: UInt64?
    }

    /// The child with this process id, which is not reused before the child is reaped; nil if the process is not a
    /// child.
    package static func child(_ process: Int32) -> Child? {
        guard process > 0, intentd_is_child(process) != 0 else { return nil }
        var cgroup: UInt64 = 0
        return Child(process: process, cgroup: intentd_child_cgroup(process, &cgroup) == 0 ? cgroup : nil)
    }
}
