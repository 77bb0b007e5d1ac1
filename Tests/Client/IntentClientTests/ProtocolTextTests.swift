import FoundationEssentials
import IntentLauncherMessages
import Testing

/// Compares the exchange in Protocol.md with the bytes of the codec, so that the document stays correct.
@Suite struct ProtocolTextTests {
    @Test func `the codec produces the exchange in Protocol.md`() throws {
        #expect(try Self.textInDocument() == Self.exchange())
    }

    private static func exchange() throws -> String {
        let run = try #require(RunID("7k2m9qxw4c"))
        let request = try #require(RequestID("00112233445566778899aabbccddeeff"))
        let perform = PerformRequest(
            request: request,
            app: "Soup",
            intent: "OrderSoup",
            values: ["guests": .int(3), "recipe": .file(FileReference(index: 0, name: "recipe.txt"))],
            fileCount: 1
        )
        let progress = ProgressReport(completedUnitCount: 1, totalUnitCount: 2, fraction: 0.5, title: "Cooking")
        let end = RunEnd(
            run: run,
            outcome: .done(value: .string("ready"), dialog: nil),
            account: RunAccount(runtime: .milliseconds(1250), processEnd: .exited(code: 0))
        )
        let client = "client"
        let daemon = "intentd"
        return try [
            frame(client, NumberedRequest(id: 1, .hello(Hello(protocolVersion: 1, software: "kitchen 2.1")))),
            frame(daemon, ClientMessage.answer(id: 1, .hello(Hello(protocolVersion: 1, software: "intentd 1.0.0")))),
            frame("client, one descriptor with the first byte", NumberedRequest(id: 2, .perform(perform))),
            frame(daemon, ClientMessage.answer(id: 2, .accepted(run: run))),
            frame(daemon, ClientMessage.event(NumberedEvent(run: run, serial: 1, .state(.running, reason: nil)))),
            frame(daemon, ClientMessage.event(NumberedEvent(run: run, serial: 2, .progress(progress)))),
            frame(daemon, ClientMessage.event(NumberedEvent(run: run, serial: 3, .finished(end)))),
        ].joined(separator: "\n\n")
    }

    /// The sender, the payload, and the whole frame in rows of 32 bytes.
    private static func frame(_ speaker: String, _ message: some Encodable) throws -> String {
        let payload = WireCoding.encode(message)
        let bytes = try Frame.encode(payload, limit: Frame.clientPayloadLimit)
        let rows = stride(from: 0, to: bytes.count, by: 32).map { start in
            bytes[start..<min(start + 32, bytes.count)].map(hexadecimal).joined()
        }
        let text = String(decoding: payload, as: UTF8.self)
        return (["\(speaker): \(text)"] + rows).joined(separator: "\n")
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }

    private static func textInDocument() throws -> String {
        let folder = #filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined()
        let path = folder + "/Sources/Client/IntentClient/IntentClient.docc/Protocol.md"
        let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let begin = try #require(lines.firstIndex(of: "<!-- exchange:begin -->"))
        let end = try #require(lines.firstIndex(of: "<!-- exchange:end -->"))
        // Remove the lines of the code fence.
        return lines[(begin + 2)..<(end - 1)].joined(separator: "\n")
    }
}
