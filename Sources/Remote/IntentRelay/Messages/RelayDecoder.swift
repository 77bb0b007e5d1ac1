/// Splits the bytes received on a link into packets. The bytes may be split at any position.
///
/// Memory use depends only on the bytes that were received, never on the length that a peer announces.
package struct RelayDecoder: Sendable {
    private var buffer: [UInt8] = []
    private var consumed = 0
    private var hasPreamble: Bool

    /// - Parameter isBegun: True if the preamble has already been read.
    package init(isBegun: Bool = false) { hasPreamble = isBegun }

    package mutating func append(_ bytes: some Sequence<UInt8>) { buffer.append(contentsOf: bytes) }

    /// The bytes that were appended but not yet returned as part of a packet.
    package var rest: ArraySlice<UInt8> { buffer[consumed...] }

    /// True if the preamble has been received, which proves that the peer is a relay.
    package var knowsPeer: Bool { hasPreamble }

    /// Returns the next complete packet; nil when more bytes are needed.
    ///
    /// - Throws: ``RelayViolation`` as soon as the bytes cannot be a valid packet.
    package mutating func next() throws(RelayViolation) -> RelayPacket? {
        guard try readPreamble() else { return nil }
        let waiting = buffer[consumed...]
        guard let first = waiting.first else { return nil }
        guard let kind = RelayPacket.Kind(rawValue: first) else {
            throw RelayViolation("unknown packet kind \(first)")
        }
        guard waiting.count >= RelayPacket.headerByteCount else { return nil }
        let count = waiting.dropFirst().prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard count <= kind.payloadLimit else {
            throw RelayViolation("a packet of \(count) bytes exceeds the limit of \(kind.payloadLimit)")
        }
        let start = consumed + RelayPacket.headerByteCount
        guard buffer.count >= start + count else { return nil }
        defer { release(upTo: start + count) }
        return try RelayPacket(kind, buffer[start..<(start + count)])
    }

    private mutating func readPreamble() throws(RelayViolation) -> Bool {
        guard !hasPreamble else { return true }
        let expected = RelayPacket.preamble
        guard buffer.starts(with: expected.prefix(buffer.count)) else {
            throw RelayViolation("the first bytes are not the relay's preamble")
        }
        guard buffer.count >= expected.count else { return false }
        hasPreamble = true
        release(upTo: expected.count)
        return true
    }

    private mutating func release(upTo end: Int) {
        consumed = end
        if consumed == buffer.count {
            buffer.removeAll(keepingCapacity: buffer.capacity <= 256 << 10)
            consumed = 0
        } else if consumed > 256 << 10 {
            buffer.removeFirst(consumed)
            consumed = 0
        }
    }
}
