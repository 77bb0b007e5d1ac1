import IntentProtocol

/// One message on a socket: a 4-byte big-endian payload length, then the payload (UTF-8 JSON).
///
/// Clients' streams carry frames back to back; a worker's SOCK_SEQPACKET socket carries one frame as one record.
package enum Frame {
    /// The bytes before the payload.
    package static let headerByteCount = 4
    /// The largest payload on a client's socket, either way. Larger values travel as files.
    package static let clientPayloadLimit = 1 << 20
    /// The largest record on a worker's or the launcher's socket, header included.
    ///
    /// A record must fit the socket's send buffer (`net.core.wmem_default`, 212,992 bytes on Linux).
    package static let recordLimit = 128 << 10
    /// The maximum number of descriptors in one frame.
    package static let descriptorLimit = 16
    /// The maximum number of files that a run can receive, and that its result can have.
    package static let fileLimit = FileReference.countLimit

    /// The frame of a payload.
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

    /// The payload of one record, which must be exactly one frame.
    ///
    /// - Throws: ``FrameError`` when the length in the header differs from the record's, or the payload is not UTF-8.
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

    /// Checks that a payload is UTF-8, as RFC 8259, 8.1, requires. Decoders of JSON guess at other encodings, and all
    /// limits on a payload are counted in bytes of UTF-8.
    ///
    /// - Throws: ``FrameError/notUTF8``
    static func checkEncoding(of payload: [UInt8]) throws(FrameError) {
        // In UTF-16 and UTF-32, JSON's own signs contain zero bytes, which JSON in UTF-8 never has.
        guard !payload.contains(0), (try? UTF8Span(validating: payload.span)) != nil else { throw .notUTF8 }
    }

    /// The length that a header of at least four bytes announces.
    static func payloadByteCount(of header: ArraySlice<UInt8>) -> Int {
        header.prefix(headerByteCount).reduce(0) { $0 << 8 | Int($1) }
    }
}

/// Why bytes are not a frame. A stream cannot recover from it, so the connection ends.
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
            "a message has \(byteCount) bytes, more than \(limit). Pass large values as files."
        case .truncated(let byteCount):
            "a record of \(byteCount) bytes is shorter than a frame's header of \(Frame.headerByteCount)."
        case .lengthMismatch(let announced, let received):
            "a frame announces \(announced) bytes but has \(received)."
        case .notUTF8:
            "a payload is not UTF-8. Encode it as JSON in UTF-8."
        }
    }
}
