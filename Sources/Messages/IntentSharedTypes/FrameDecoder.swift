/// Extracts frames from a stream of bytes, which may be split at any position.
///
/// Memory use depends only on the bytes that were received, never on the length that a peer announces.
package struct FrameDecoder: Sendable {
    private let payloadLimit: Int
    private var buffer: [UInt8] = []
    /// The number of bytes at the start of `buffer` that ``next()`` has already returned.
    private var consumed = 0

    package init(payloadLimit: Int) {
        self.payloadLimit = payloadLimit
    }

    /// True if no byte of the next frame has been received.
    package var isEmpty: Bool { buffer.count == consumed }

    /// The number of bytes of a frame that has not arrived as a whole.
    package var unfinishedByteCount: Int { hasNext ? 0 : buffer.count - consumed }

    /// True if ``next()`` would return a payload or throw.
    package var hasNext: Bool {
        let waiting = buffer[consumed...]
        guard waiting.count >= Frame.headerByteCount else { return false }
        let byteCount = Frame.payloadByteCount(of: waiting)
        return byteCount > payloadLimit || waiting.count >= Frame.headerByteCount + byteCount
    }

    /// True if the buffer contains more bytes after the frame that ``next()`` would return.
    package var hasMoreThanNext: Bool {
        let waiting = buffer[consumed...]
        guard hasNext else { return false }
        return waiting.count > Frame.headerByteCount + Frame.payloadByteCount(of: waiting)
    }

    package mutating func append(_ bytes: some Sequence<UInt8>) {
        buffer.append(contentsOf: bytes)
    }

    /// Removes and returns the next complete payload; nil when more bytes are needed.
    ///
    /// - Throws: ``FrameError/tooLarge(byteCount:limit:)`` as soon as a header announces too many bytes;
    ///   ``FrameError/notUTF8`` for a payload that is not UTF-8.
    package mutating func next() throws(FrameError) -> [UInt8]? {
        let waiting = buffer[consumed...]
        guard waiting.count >= Frame.headerByteCount else { return nil }
        let byteCount = Frame.payloadByteCount(of: waiting)
        guard byteCount <= payloadLimit else { throw .tooLarge(byteCount: byteCount, limit: payloadLimit) }
        let end = waiting.startIndex + Frame.headerByteCount + byteCount
        guard end <= buffer.endIndex else { return nil }
        let payload = Array(buffer[(waiting.startIndex + Frame.headerByteCount)..<end])
        consumed = end
        releaseConsumed()
        try Frame.checkEncoding(of: payload)
        return payload
    }

    private mutating func releaseConsumed() {
        if consumed == buffer.count {
            buffer.removeAll(keepingCapacity: buffer.capacity <= 64 << 10)
            consumed = 0
        } else if consumed > 64 << 10 {
            buffer.removeFirst(consumed)
            consumed = 0
        }
    }
}
