/// One message on a socket: a 4-byte big-endian payload length, followed by the payload (JSON in UTF-8).
///
/// On a client's stream socket, frames follow each other without padding. On a worker's SOCK_SEQPACKET socket, each
/// frame is one record.
package enum Frame {
    /// The number of bytes in the header.
    package static let headerByteCount = 4
    /// The maximum payload size on a client's socket, in both directions. Larger values are passed as files.
    package static let clientPayloadLimit = 1 << 20
    /// The maximum size of a record on a worker's or the launcher's socket, including the header.
    ///
    /// A record must fit the socket's send buffer (`net.core.wmem_default`, 212,992 bytes on Linux).
    package static let recordLimit = 128 << 10
    /// The maximum number of descriptors in one frame.
    package static let descriptorLimit = 16
    /// The maximum number of files that a run can receive and that a result can contain.
    package static let fileLimit = FileReference.countLimit

    /// Returns the frame for a payload.
    ///
    /// - Throws: ``FrameError/tooLarge(byteCount:limit:)`` when the payload exceeds `limit` bytes.
    package static func encode(_ payload: [UInt8], limit: Int) throws(FrameError) -> [UInt8] {
        guard payload.count <= limit else {
            throw .tooLarge(byteCount: payload.count, limit: limit)
        }
        let count = UInt32(payload.count)
        var frame: [UInt8] = []
        frame.reserveCapacity(headerByteCount + payload.count)
        for shift in [24, 16, 8, 0] {
            frame.append(UInt8(truncatingIfNeeded: count >> UInt32(shift)))
        }
        frame.append(contentsOf: payload)
        return frame
    }

    /// Returns the payload of a record, which must contain exactly one frame.
    ///
    /// - Throws: ``FrameError`` when the length in the header differs from the length of the record, or the payload is
    ///   not UTF-8.
    package static func decode(record: [UInt8]) throws(FrameError) -> [UInt8] {
        guard record.count >= headerByteCount else { throw .truncated(byteCount: record.count) }
        let announced = payloadByteCount(of: record[...])
        guard announced == record.count - headerByteCount else {
            throw .lengthMismatch(announced: announced, received: record.count - headerByteCount)
        }
        let payload = Array(record[headerByteCount...])
        try checkEncoding(of: payload)
        return payload
    }

    /// Checks that a payload is UTF-8, as RFC 8259, section 8.1, requires. JSON decoders also accept other encodings,
    /// but all limits on payloads count bytes of UTF-8.
    ///
    /// - Throws: ``FrameError/notUTF8``
    static func checkEncoding(of payload: [UInt8]) throws(FrameError) {
        // JSON in UTF-16 or UTF-32 contains zero bytes, but JSON in UTF-8 does not.
        guard !payload.contains(0), (try? UTF8Span(validating: payload.span)) != nil else { throw .notUTF8 }
    }

    /// Returns the payload length from a header. `header` must contain at least four bytes.
    static func payloadByteCount(of header: ArraySlice<UInt8>) -> Int {
        header.prefix(headerByteCount).reduce(0) { $0 << 8 | Int($1) }
    }
}

/// The error for bytes that are not a valid frame. The stream is unusable afterwards, so the connection is closed.
package enum FrameError: Error, Equatable, Sendable {
    case tooLarge(byteCount: Int, limit: Int)
    case truncated(byteCount: Int)
    case lengthMismatch(announced: Int, received: Int)
    case notUTF8
}

extension FrameError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tooLarge(let byteCount, let limit):
            "a message of \(byteCount) bytes exceeds the limit of \(limit)"
        case .truncated(let byteCount):
            "a record of \(byteCount) bytes is shorter than the \(Frame.headerByteCount) bytes of a frame's header"
        case .lengthMismatch(let announced, let received):
            "a frame announces \(announced) bytes, but \(received) were received"
        case .notUTF8:
            "a payload is not UTF-8: encode it as JSON in UTF-8"
        }
    }
}
