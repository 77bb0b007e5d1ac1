import IntentHash
import IntentRelay
import Testing

/// Tests the order in which messages and files are sent.
struct RelayOutboxTests {
    private func announcement(_ file: UInt32, on channel: UInt32, _ count: UInt64) -> FileAnnouncement {
        FileAnnouncement(file: file, channel: channel, purpose: .passed(.reading), byteCount: count)
    }

    @Test func `a file is sent before its frame, in chunks, with its digest at the end`() {
        var outbox = RelayOutbox()
        let file = announcement(1, on: 1, 3)
        outbox.add(file)
        outbox.add(.frame(channel: 1, files: [1], payload: [7]), to: 1)
        #expect(outbox.next() == .send(.file(file)))
        #expect(outbox.next() == .read(file: 1, offset: 0, byteCount: 3))
        #expect(outbox.read([1, 2], of: 1) == .data(file: 1, [1, 2]))
        #expect(outbox.next() == .read(file: 1, offset: 2, byteCount: 1))
        #expect(outbox.read([0], of: 1) == .zeros(file: 1, byteCount: 1))
        #expect(outbox.next() == .send(.end(file: 1, digest: SHA256.hash([1, 2, 0]))))
        #expect(outbox.next() == .send(.frame(channel: 1, files: [1], payload: [7])))
        #expect(outbox.next() == nil)
        #expect(outbox.isIdle)
    }

    @Test func `a large file of one channel delays no frame of another`() {
        var outbox = RelayOutbox()
        outbox.add(announcement(1, on: 1, 1 << 30))
        _ = outbox.next()
        outbox.add(.frame(channel: 2, files: [], payload: [7]), to: 2)
        let steps = [outbox.next(), outbox.next()]
        #expect(steps.contains(.send(.frame(channel: 2, files: [], payload: [7]))))
    }

    @Test func `frames wait for credit`() throws {
        var outbox = RelayOutbox()
        let large = [UInt8](repeating: 1, count: 1 << 20)
        for _ in 0..<3 { outbox.add(.frame(channel: 1, files: [], payload: large), to: 1) }
        #expect(outbox.next() != nil)
        #expect(outbox.next() != nil)
        #expect(outbox.next() == nil)
        try outbox.addCredit(1 << 20, to: 1)
        #expect(outbox.next() != nil)
        #expect(throws: RelayViolation.self) { try outbox.addCredit(3 << 20, to: 1) }
    }

    @Test func `a frame with a file that cannot be read is abandoned, and the peer discards the frame's files`() {
        var outbox = RelayOutbox()
        outbox.add(announcement(1, on: 1, 0))
        outbox.add(announcement(2, on: 1, 5))
        outbox.add(.frame(channel: 1, files: [1, 2], payload: [7]), to: 1)
        outbox.add(.frame(channel: 1, files: [], payload: [8]), to: 1)
        for _ in 0..<3 { _ = outbox.next() }
        let failed = outbox.fail(2)
        #expect(failed?.channel == 1 && failed?.payload == [7] && failed?.files == [2])
        #expect(outbox.next() == .send(.abandon(file: 2)))
        #expect(outbox.next() == .send(.frame(channel: 1, files: [1], payload: [])))
        #expect(outbox.next() == .send(.frame(channel: 1, files: [], payload: [8])))
    }

    @Test func `messages that wait for a closed channel are dropped`() {
        var outbox = RelayOutbox()
        outbox.add(announcement(1, on: 1, 5))
        outbox.add(announcement(2, on: 1, 5))
        _ = outbox.next()
        #expect(outbox.drop(1) == [1, 2])
        #expect(outbox.next() == .send(.abandon(file: 1)))
        #expect(outbox.next() == nil)
    }
}
