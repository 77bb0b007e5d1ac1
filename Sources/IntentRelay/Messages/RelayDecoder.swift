/// Splits the bytes of one direction of a link into packets, wherever they were split.
///
/// Its memory use depends on the bytes received, and never on the length that a peer announces.
package struct RelayDecoder: Sendable {
    private var buffer: [UInt8] = []
    private var consumed = 0
    private var hasPreamble: Bool

    /// - Parameter isBegun: The preamble was read already.
    package init(isBegun: Bool = false) { hasPreamble = isBegun }

    package mutating func append(_ bytes: some Sequence<UInt8>) { buffer.append(contentsOf: bytes) }

    /// The bytes that were appended and not returned as a packet.
    package var rest: ArraySlice<UInt8> { buffer[consumed...] }

    /// True when the preamble has arrived, so that the peer is a relay.
    package var knowsPeer: Bool { hasPreamble }

    /// The next complete packet; nil when more bytes are needed.
    ///
    /// - Throws: ``RelayViolation`` as soon as the bytes cannot become a packet.
    package mutating func next() throws(RelayViolation) -> RelayPacket? {
        guard try readPreamble() else { return nil }
        let waiting = buffer[consumed...]
        guard let first = waiting.first else { return nil }
        guard let kind = RelayPacket.Kind(rawValue: first) else {
            throw RelayViolation("an unknown kind of packet, \(first)")
        }
        guard waiting.count >= RelayPacket.headerByteCount else { return nil }
        let count = waiting.dropFirst().prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard count <= kind.payloadLimit else {
            throw RelayViolation("a packet of \(count) bytes, more than \(kind.payloadLimit)")
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
            throw RelayViolation("the first bytes are not those of a relay")
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
