import Glibc

/// A reusable buffer for system calls. Received bytes are copied to arrays of exactly the right size.
///
/// An instance must be used by only one thread.
package final class ReceiveBuffer {
    private let memory: UnsafeMutableRawBufferPointer

    package init(byteCount: Int) {
        memory = .allocate(byteCount: byteCount, alignment: 16)
    }

    deinit { memory.deallocate() }

    /// Fills the buffer with a system call that stores at most `byteCount` bytes, and returns a copy of the stored
    /// bytes. Returns nil if the call would block (EAGAIN).
    func fill(
        upTo byteCount: Int,
        _ operation: String,
        _ body: (UnsafeMutableRawPointer) -> Int
    ) throws(SystemError) -> [UInt8]? {
        guard let start = memory.baseAddress, byteCount <= memory.count else {
            preconditionFailure("the buffer is too small")
        }
        guard let count = try syscall(operation, nilOn: EAGAIN, { body(start) }) else { return nil }
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}
