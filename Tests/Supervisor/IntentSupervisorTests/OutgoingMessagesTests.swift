import IntentDaemon
import IntentLauncherMessages
import IntentLinux
import Testing

@Suite struct OutgoingMessagesTests {
    private var messages = OutgoingMessages()

    private func frame(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }

    private func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    private func descriptor() throws -> SharedFileDescriptor {
        try MemoryFile.sealed(name: "test", Array("a".utf8)[...])
    }

    @Test mutating func `small messages are sent together, up to a message with descriptors`() throws {
        messages.append(frame("one,"))
        messages.append(frame("two,"))
        messages.append(frame("three"), descriptors: [try descriptor()])
        #expect(text(messages.nextBytes) == "one,two,")
        #expect(messages.nextDescriptors.isEmpty)
        _ = messages.removeSent(8)
        #expect(text(messages.nextBytes) == "three")
        #expect(messages.nextDescriptors.count == 1)
    }

    @Test mutating func `no more bytes than the limit are sent together`() {
        let half = String(repeating: "x", count: OutgoingMessages.batchByteLimit / 2)
        for _ in 0..<3 { messages.append(frame(half)) }
        #expect(messages.nextBytes.count == OutgoingMessages.batchByteLimit)
    }

    @Test mutating func `descriptors are sent with the first byte, and not again with the rest`() throws {
        messages.append(frame("abc"), descriptors: [try descriptor()])
        #expect(messages.descriptorCount == 1)
        _ = messages.removeSent(1)
        #expect(text(messages.nextBytes) == "bc")
        #expect(messages.nextDescriptors.isEmpty)
        #expect(messages.descriptorCount == 0)
        #expect(messages.byteCount == 2)
    }

    @Test
    mutating func `newer progress replaces older progress of its run, unless a part of the older message was sent`() {
        messages.append(frame("10 %"), replacing: Sample.run(1))
        messages.append(frame("5 %"), replacing: Sample.run(2))
        messages.append(frame("100 %"), replacing: Sample.run(1))
        #expect(text(messages.nextBytes) == "100 %5 %")
        #expect(messages.byteCount == 8)
        _ = messages.removeSent(2)
        messages.append(frame("7 %"), replacing: Sample.run(1))
        #expect(text(messages.nextBytes) == "0 %5 %7 %")
    }

    @Test mutating func `an answer counts as sent with the last byte of its message`() {
        messages.append(frame("answer"), isAnswer: true)
        messages.append(frame("end"))
        #expect(messages.removeSent(5) == 0)
        #expect(messages.removeSent(2) == 6)
        #expect(messages.removeSent(2) == 0)
        #expect(messages.isEmpty)
        #expect(messages.byteCount == 0)
    }
}
