import IntentHash
import IntentProtocol
import IntentRelay
import Testing

/// Tests which messages a peer may send, and when.
struct RelayInboxTests {
    private static let contents = [UInt8]("contents".utf8)
    private static let digest = SHA256.hash(contents)

    private static func announcement(
        _ file: UInt32 = 1,
        purpose: FileAnnouncement.Purpose = .passed(.reading),
        byteCount: UInt64 = UInt64(contents.count)
    ) -> FileAnnouncement {
        FileAnnouncement(file: file, channel: 1, purpose: purpose, byteCount: byteCount)
    }

    private static func relay() throws -> RelayInbox {
        var inbox = RelayInbox(.relay)
        _ = try inbox.receive(.open(channel: 1))
        return inbox
    }

    private static func user() throws -> RelayInbox {
        var inbox = RelayInbox(.user)
        inbox.requestedChannel(1)
        #expect(try inbox.receive(.opened(channel: 1)) == [.channelOpened(1)])
        return inbox
    }

    @Test func `a file is passed on when its content is complete and has the announced digest`() throws {
        var inbox = try Self.relay()
        #expect(try inbox.receive(.file(Self.announcement())) == [.createFile(Self.announcement())])
        #expect(try inbox.receive(.data(file: 1, Self.contents)) == [.appendData(file: 1, Self.contents)])
        #expect(try inbox.receive(.end(file: 1, digest: Self.digest)) == [.completeFile(1, .reading)])
        #expect(
            try inbox.receive(.frame(channel: 1, files: [1], payload: [7]))
                == [.deliver(channel: 1, files: [1], payload: [7])]
        )
    }

    @Test func `zeros are part of a file's content`() throws {
        var inbox = try Self.relay()
        _ = try inbox.receive(.file(Self.announcement(byteCount: 3)))
        #expect(try inbox.receive(.zeros(file: 1, byteCount: 3)) == [.appendZeros(file: 1, byteCount: 3)])
        _ = try inbox.receive(.end(file: 1, digest: SHA256.hash([0, 0, 0])))
    }

    @Test func `a file with another digest, too few bytes or too many ends the session`() throws {
        for (data, digest) in [
            (Self.contents, SHA256.hash([])), (Self.contents.dropLast(), Self.digest),
            (Self.contents + [0], Self.digest),
        ] {
            var inbox = try Self.relay()
            _ = try inbox.receive(.file(Self.announcement()))
            #expect(throws: RelayViolation.self) {
                _ = try inbox.receive(.data(file: 1, Array(data)))
                _ = try inbox.receive(.end(file: 1, digest: digest))
            }
        }
    }

    @Test func `a frame cannot pass a file that is incomplete, unknown, passed before, or of another channel`() throws {
        var inbox = try Self.relay()
        _ = try inbox.receive(.open(channel: 2))
        _ = try inbox.receive(.file(Self.announcement()))
        #expect(throws: RelayViolation.self) { try inbox.receive(.frame(channel: 1, files: [1], payload: [7])) }
        _ = try inbox.receive(.data(file: 1, Self.contents))
        _ = try inbox.receive(.end(file: 1, digest: Self.digest))
        #expect(throws: RelayViolation.self) { try inbox.receive(.frame(channel: 1, files: [2], payload: [7])) }
        #expect(throws: RelayViolation.self) { try inbox.receive(.frame(channel: 2, files: [1], payload: [7])) }
        _ = try inbox.receive(.frame(channel: 1, files: [1], payload: [7]))
        #expect(throws: RelayViolation.self) { try inbox.receive(.frame(channel: 1, files: [1], payload: [7])) }
    }

    @Test func `the content of a file that was not announced ends the session`() throws {
        var inbox = try Self.relay()
        for message: RelayMessage in [
            .data(file: 1, [1]), .zeros(file: 1, byteCount: 1), .end(file: 1, digest: Self.digest), .abandon(file: 1),
        ] {
            #expect(throws: RelayViolation.self) { try inbox.receive(message) }
        }
        _ = try inbox.receive(.file(Self.announcement()))
        #expect(throws: RelayViolation.self) { try inbox.receive(.file(Self.announcement())) }
        #expect(try inbox.receive(.abandon(file: 1)) == [.discardFile(1)])
    }

    @Test
    func `a relay cannot open channels, pass files for writing, or change a file that was not passed for writing`()
        throws
    {
        for message: RelayMessage in [
            .open(channel: 2), .opened(channel: 2), .refused(channel: 2, ErrorReport(.busy, "")),
            .file(Self.announcement(purpose: .passed(.readingAndWriting))),
            .file(Self.announcement(purpose: .changed(original: 5))), .frame(channel: 2, files: [], payload: [1]),
            .credit(channel: 2, byteCount: 1), .close(channel: 2),
            .file(FileAnnouncement(file: 1, channel: 2, purpose: .passed(.reading), byteCount: 1)),
        ] {
            var inbox = try Self.user()
            #expect(throws: RelayViolation.self, "\(message)") { try inbox.receive(message) }
        }
    }

    @Test func `a file that was passed for writing is changed when the new content is complete`() throws {
        var inbox = try Self.user()
        inbox.sentWritable(5)
        _ = try inbox.receive(.file(Self.announcement(purpose: .changed(original: 5))))
        _ = try inbox.receive(.data(file: 1, Self.contents))
        #expect(
            try inbox.receive(.end(file: 1, digest: Self.digest)) == [.changeFile(original: 5, from: 1)]
        )
        var relay = try Self.relay()
        relay.sentWritable(5)
        #expect(throws: RelayViolation.self) {
            try relay.receive(.file(Self.announcement(purpose: .changed(original: 5))))
        }
    }

    @Test func `frames beyond the window need credit, and one large frame does not`() throws {
        var inbox = try Self.relay()
        let half = [UInt8](repeating: 1, count: RelayMessage.channelWindow / 2 + 1)
        _ = try inbox.receive(.frame(channel: 1, files: [], payload: half))
        var strict = inbox
        #expect(throws: RelayViolation.self) { try strict.receive(.frame(channel: 1, files: [], payload: half)) }
        inbox.passedOn(half.count, of: 1)
        _ = try inbox.receive(.frame(channel: 1, files: [], payload: half))
    }

    @Test func `a session has at most 64 channels, and 32 files that no frame has passed yet`() throws {
        var inbox = RelayInbox(.relay)
        for channel in 1...UInt32(RelayInbox.channelLimit) { _ = try inbox.receive(.open(channel: channel)) }
        #expect(throws: RelayViolation.self) { try inbox.receive(.open(channel: 1000)) }
        for file in 1...UInt32(RelayInbox.fileLimit) { _ = try inbox.receive(.file(Self.announcement(file))) }
        #expect(throws: RelayViolation.self) { try inbox.receive(.file(Self.announcement(1000))) }
    }

    @Test func `a channel ends when both ends have closed it, and its files are discarded`() throws {
        var inbox = try Self.relay()
        _ = try inbox.receive(.file(Self.announcement()))
        inbox.closedChannel(1)
        // The peer may send messages until it receives the closure. They are discarded.
        _ = try inbox.receive(.data(file: 1, Self.contents))
        _ = try inbox.receive(.end(file: 1, digest: Self.digest))
        #expect(try inbox.receive(.frame(channel: 1, files: [1], payload: [7])) == [.discardFile(1)])
        _ = try inbox.receive(.file(Self.announcement(2)))
        #expect(try inbox.receive(.close(channel: 1)) == [.discardFile(2), .forgetChannel(1)])
        #expect(throws: RelayViolation.self) { try inbox.receive(.close(channel: 1)) }
        #expect(try inbox.receive(.open(channel: 1)) == [.connect(channel: 1)])
        #expect(try inbox.receive(.close(channel: 1)) == [.closeChannel(1)])
    }

    @Test func `a frame without a payload discards its files`() throws {
        var inbox = try Self.relay()
        _ = try inbox.receive(.file(Self.announcement()))
        _ = try inbox.receive(.data(file: 1, Self.contents))
        _ = try inbox.receive(.end(file: 1, digest: Self.digest))
        #expect(try inbox.receive(.frame(channel: 1, files: [1], payload: [])) == [.discardFile(1)])
    }
}
