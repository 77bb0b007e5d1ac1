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
    /// bytes.
    func fill(
        upTo byteCount: Int,
        _ body: (UnsafeMutableRawPointer) throws(SystemError) -> Int
    ) throws(SystemError) -> [UInt8] {
        guard let start = memory.baseAddress, byteCount <= memory.count else {
            preconditionFailure("the buffer is too small")
        }
        let count = try body(start)
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}
