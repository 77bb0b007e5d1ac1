/// A reusable buffer for system calls. Received bytes are copied out into arrays of their exact size.
///
/// Belongs to one thread.
package final class ReceiveBuffer {
    private let memory: UnsafeMutableRawBufferPointer

    package init(byteCount: Int) {
        memory = .allocate(byteCount: byteCount, alignment: 16)
    }

    deinit { memory.deallocate() }

    /// Fills the buffer by a system call, which may store at most `byteCount` bytes.
    func fill(
        upTo byteCount: Int,
        _ body: (UnsafeMutableRawPointer) throws(SystemError) -> Int
    ) throws(SystemError) -> [UInt8] {
        guard let start = memory.baseAddress, byteCount <= memory.count else { preconditionFailure("buffer too small") }
        let count = try body(start)
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}
