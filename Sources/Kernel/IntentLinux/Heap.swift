import CIntentLinux
import Glibc

/// Measures the memory of processes, and reduces the memory of this process.
package enum Heap {
    /// Returns the resident memory of a process, in bytes (proc_pid_statm(5)).
    ///
    /// - Parameter process: The process's folder in /proc: its id, or `self`.
    package static func residentByteCount(of process: String = "self") throws(SystemError) -> Int {
        let text = try File.text(at: "/proc/\(process)/statm")
        let pageCount = text.split(scalar: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pageCount * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// The number of free bytes that malloc(3) keeps for reuse. In a large heap, counting them takes about a
    /// millisecond.
    package static var freeByteCount: Int { intentd_heap_free_byte_count() }

    /// Releases to the kernel the free memory that malloc(3) keeps for reuse.
    package static func release() { intentd_heap_release() }
}
