/// The stream of messages in a session, in both directions. Each end counts the messages that it has processed, and
/// keeps the messages that it has sent until the peer acknowledges them. Over a new link, each end sends its
/// unacknowledged messages again.
///
/// Every message is therefore processed in order and exactly once, even if a link breaks in the middle of a message.
package struct RelayStream: Sendable {
    /// The number of unacknowledged bytes above which the sender pauses frames and file contents.
    package static let window = 4 << 20
    /// The number of unacknowledged bytes above which the session ends. Only a peer that never acknowledges messages
    /// reaches this limit.
    private static let byteLimit = 16 << 20

    /// The encoded messages that the peer has not acknowledged.
    private var kept: [[UInt8]] = []
    private var keptByteCount = 0
    /// The number of messages that the peer has acknowledged.
    private var acknowledgedCount: UInt64 = 0
    /// The number of messages in `kept` that have been written to the current link.
    private var writtenCount = 0
    /// The number of messages that were received from the peer.
    package private(set) var receivedCount: UInt64 = 0
    /// The number of messages that this end last acknowledged over the current link.
    private var lastSentCount: UInt64 = 0

    package init() {}

    /// True while the unacknowledged bytes are below ``window``. Only then may frames and file contents be sent.
    package var hasRoom: Bool { keptByteCount < Self.window }

    /// True if the peer has acknowledged all messages.
    package var isSettled: Bool { kept.isEmpty }

    /// Appends a message to the stream.
    ///
    /// - Throws: ``RelayViolation`` when the peer has left too many bytes unacknowledged.
    package mutating func enqueue(_ message: RelayMessage) throws(RelayViolation) {
        let bytes = RelayPacket.message(message).encode()
        kept.append(bytes)
        keptByteCount += bytes.count
        guard keptByteCount <= Self.byteLimit else {
            throw RelayViolation("\(keptByteCount) bytes of messages were not acknowledged")
        }
    }

    /// Returns the next encoded message to write to the current link; nil when all messages have been written.
    package mutating func nextBytes() -> [UInt8]? {
        guard writtenCount < kept.count else { return nil }
        defer { writtenCount += 1 }
        return kept[writtenCount]
    }

    /// Counts a received message. Call this method after the message has been processed.
    package mutating func received() { receivedCount += 1 }

    /// Returns the number of received messages, to send as an acknowledgement; nil when it has already been sent.
    package mutating func acknowledgement() -> UInt64? {
        guard lastSentCount < receivedCount else { return nil }
        lastSentCount = receivedCount
        return receivedCount
    }

    /// Removes the messages that the peer has acknowledged.
    package mutating func acknowledged(upTo count: UInt64) throws(RelayViolation) {
        guard count >= acknowledgedCount, count <= acknowledgedCount + UInt64(writtenCount) else {
            throw RelayViolation(
                "expected an acknowledgement of \(acknowledgedCount) to "
                    + "\(acknowledgedCount + UInt64(writtenCount)) messages, got \(count)"
            )
        }
        forget(Int(count - acknowledgedCount))
    }

    /// Continues on a new link with the first message that the peer has not received.
    package mutating func resume(peerReceived count: UInt64) throws(RelayViolation) {
        guard count >= acknowledgedCount, count <= acknowledgedCount + UInt64(kept.count) else {
            throw RelayViolation("cannot continue the session after message \(count)")
        }
        forget(Int(count - acknowledgedCount))
        writtenCount = 0
        lastSentCount = receivedCount
    }

    private mutating func forget(_ count: Int) {
        keptByteCount -= kept.prefix(count).reduce(0) { $0 + $1.count }
        kept.removeFirst(count)
        acknowledgedCount += UInt64(count)
        writtenCount = max(0, writtenCount - count)
    }
}
