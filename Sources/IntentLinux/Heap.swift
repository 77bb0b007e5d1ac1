import CIntentLinux
import Glibc

/// The memory of this process that malloc(3) manages.
package enum Heap {
    /// The resident memory of the process, in bytes (proc_pid_statm(5)).
    package static func residentByteCount() throws(SystemError) -> Int {
        let text = try File.text(at: "/proc/self/statm")
        let pageCount = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pageCount * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// The number of free bytes that the heap keeps. Counting them takes about a millisecond in a large heap.
    package static var freeByteCount: Int { intentd_heap_free_byte_count() }

    /// Returns free memory to the kernel.
    package static func release() { intentd_heap_release() }
}
