/// The messages of one session and direction each way: numbers them by counting, keeps sent ones until the peer has
/// acknowledged them, and repeats them over a new link.
///
/// Messages are therefore received in order and exactly once, although links end at any byte.
package struct RelayStream: Sendable {
    /// The number of unacknowledged bytes from which on no contents of files and no frames are sent.
    package static let window = 4 << 20
    /// The number of unacknowledged bytes that ends the session: only a peer that never acknowledges causes it.
    private static let byteLimit = 16 << 20

    /// The encoded messages that the peer has not acknowledged.
    private var kept: [[UInt8]] = []
    private var keptByteCount = 0
    /// The number of messages that the peer has acknowledged.
    private var acknowledgedCount: UInt64 = 0
    /// How many of `kept` were written to the current link.
    private var writtenCount = 0
    /// The number of the peer's messages that were received.
    package private(set) var receivedCount: UInt64 = 0
    /// The last number that was sent as an acknowledgement over the current link.
    private var toldCount: UInt64 = 0

    package init() {}

    /// True while the peer acknowledges fast enough for more bulk data.
    package var hasRoom: Bool { keptByteCount < Self.window }

    /// True when the peer has acknowledged everything.
    package var isSettled: Bool { kept.isEmpty }

    /// Adds a message to those that are sent.
    ///
    /// - Throws: ``RelayViolation`` when the peer has left too much unacknowledged.
    package mutating func enqueue(_ message: RelayMessage) throws(RelayViolation) {
        let bytes = RelayPacket.message(message).encode()
        kept.append(bytes)
        keptByteCount += bytes.count
        guard keptByteCount <= Self.byteLimit else {
            throw RelayViolation("\(keptByteCount) bytes of messages without an acknowledgement")
        }
    }

    /// The next bytes to write to the current link; nil when everything was written.
    package mutating func nextBytes() -> [UInt8]? {
        guard writtenCount < kept.count else { return nil }
        defer { writtenCount += 1 }
        return kept[writtenCount]
    }

    /// Counts a received message. Call it when the message has been carried out.
    package mutating func received() { receivedCount += 1 }

    /// The acknowledgement to send now; nil when the peer knows what was received.
    package mutating func acknowledgement() -> UInt64? {
        guard toldCount < receivedCount else { return nil }
        toldCount = receivedCount
        return receivedCount
    }

    /// Forgets the messages that the peer has received.
    package mutating func acknowledged(upTo count: UInt64) throws(RelayViolation) {
        guard count >= acknowledgedCount, count <= acknowledgedCount + UInt64(writtenCount) else {
            throw RelayViolation(
                "an acknowledgement of \(count) messages; expected \(acknowledgedCount) to "
                    + "\(acknowledgedCount + UInt64(writtenCount))"
            )
        }
        forget(Int(count - acknowledgedCount))
    }

    /// Continues over a new link with a peer that has received this many messages.
    package mutating func resume(peerReceived count: UInt64) throws(RelayViolation) {
        guard count >= acknowledgedCount, count <= acknowledgedCount + UInt64(kept.count) else {
            throw RelayViolation("a session continued after message \(count), which this end cannot repeat")
        }
        forget(Int(count - acknowledgedCount))
        writtenCount = 0
        toldCount = receivedCount
    }

    private mutating func forget(_ count: Int) {
        keptByteCount -= kept.prefix(count).reduce(0) { $0 + $1.count }
        kept.removeFirst(count)
        acknowledgedCount += UInt64(count)
        writtenCount = max(0, writtenCount - count)
    }
}
