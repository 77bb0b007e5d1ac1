/// Memory that calls of the kernel fill, one after the other: what came is copied out of it, and takes no more than that.
///
/// Belongs to one thread.
package final class ReceiveBuffer {
    private let memory: UnsafeMutableRawBufferPointer

    package init(byteCount: Int) {
        memory = .allocate(byteCount: byteCount, alignment: 16)
    }

    deinit { memory.deallocate() }

    /// Has the call bring at most so many bytes.
    func fill(
        upTo byteCount: Int,
        _ body: (UnsafeMutableRawPointer) throws(SystemError) -> Int
    ) throws(SystemError) -> [UInt8] {
        guard let start = memory.baseAddress, byteCount <= memory.count else { preconditionFailure("no room for that") }
        let count = try body(start)
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}
