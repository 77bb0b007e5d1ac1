import IntentWire
import TestSupport
import Testing

@Suite struct WireCodingTests {
    @Test(arguments: [
        (#"{"id":1,"type":"describe"}"#, "field 'app' is missing"),
        (#"{"id":1}"#, "field 'type' is missing"),
        (#"{"type":"list"}"#, "field 'id' is missing"),
        (#"{"id":1,"type":7}"#, "field 'type' is not of its type"),
        (#"{"id":"1","type":"list"}"#, "field 'id' is not of its type"),
        (#"{"id":-1,"type":"list"}"#, "not JSON, or a number out of range"),
        (#"{"app":null,"id":1,"type":"describe"}"#, "field 'app' is not of its type"),
        (#"{"id":1,"type":"hello","protocolVersion":1}"#, "field 'software' is missing"),
        ("[]", "not an object"),
        ("1", "not an object"),
        ("null", "not an object"),
        ("", "not JSON, or a number out of range"),
        ("{", "not JSON, or a number out of range"),
        ("\u{FEFF}", "not JSON, or a number out of range"),
        ("type=list", "not JSON, or a number out of range"),
        (perform(#""files":257"#), "field 'files': 257 is not between 0 and 256"),
        (perform(#""files":-1"#), "field 'files': -1 is not between 0 and 256"),
        (perform(#""values":[]"#), "field 'values' is not of its type"),
        (perform(#""values":{"a":[1,{}]}"#), "field 'values.a.1.file' is missing"),
        (perform(#""values":{"a":\#(nested(15))}"#), "values are nested deeper than 16 levels"),
        (perform(#""values":{"a":[\#(repeated("0", 20_000))]}"#), "there are more than 16384 values"),
    ])
    func `a wrong request is told what is wrong`(_ json: String, _ message: String) {
        #expect(throws: WireError.malformed(message)) {
            try WireCoding.decode(NumberedRequest.self, from: Array(json.utf8))
        }
    }

    @Test func `structure as deep as the limit is decoded`() throws {
        let json = Self.perform(#""values":{"a":\#(Self.nested(14))}"#)
        #expect(throws: Never.self) { try WireCoding.decode(NumberedRequest.self, from: Array(json.utf8)) }
    }

    @Test func `brackets and commas in text are text`() throws {
        let text = String(repeating: #"[{,\"\\"#, count: 20_000)
        let json = #"{"app":"\#(text)","id":1,"type":"describe"}"#
        #expect(throws: Never.self) { try WireCoding.decode(NumberedRequest.self, from: Array(json.utf8)) }
    }

    @Test func `a client reads lists of any size from intentd`() throws {
        let message = ClientMessage.answer(id: 1, .apps(Array(repeating: Sample.description, count: 1000)))
        #expect(try WireCoding.decode(ClientMessage.self, from: WireCoding.encode(message)) == message)
    }

    @Test func `a message of another direction is an unknown message`() {
        let json = Array(#"{"type":"acknowledge","id":1}"#.utf8)
        let expected = WireError.unknownMessage(type: "acknowledge")
        #expect(throws: expected) { try WireCoding.decode(NumberedRequest.self, from: json) }
        #expect(throws: expected) { try WireCoding.decode(ClientMessage.self, from: json) }
        #expect(throws: expected) { try WireCoding.decode(WorkerReport.self, from: json) }
        #expect(throws: expected) { try WireCoding.decode(LaunchCommand.self, from: json) }
        #expect(throws: expected) { try WireCoding.decode(LaunchReport.self, from: json) }
        #expect(throws: WireError.unknownMessage(type: "quit")) {
            try WireCoding.decode(WorkerCommand.self, from: Array(#"{"type":"quit"}"#.utf8))
        }
    }

    @Test func `an error repeats only the beginning of a peer's words`() {
        let long = String(repeating: "é", count: 500_000)
        let excerpt = String(repeating: "é", count: 80) + "…"
        #expect(throws: WireError.unknownMessage(type: excerpt)) {
            try WireCoding.decode(NumberedRequest.self, from: Array(#"{"id":1,"type":"\#(long)"}"#.utf8))
        }
        #expect(throws: WireError.malformed("field 'app': '\(excerpt)' is not an app's name")) {
            try WireCoding.decode(
                LaunchCommand.self,
                from: Array(#"{"app":"\#(long)","mode":"once","slot":1,"type":"launch"}"#.utf8)
            )
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `no bytes crash the decoder`(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        let payloads = ClientMessageTests.requests.map(\.payload) + WorkerMessageTests.reports.map(\.payload)
        for _ in 0..<50 {
            // SAFETY: the list is not empty — it is written above.
            var payload = payloads.randomElement(using: &numbers)!
            for _ in 0..<Int.random(in: 1...4, using: &numbers) {
                let place = Int.random(in: 0..<payload.count, using: &numbers)
                payload[place] = UInt8.random(in: 0...255, using: &numbers)
            }
            expectMessageOrWireError(NumberedRequest.self, payload, seed)
            expectMessageOrWireError(WorkerReport.self, payload, seed)
        }
    }

    /// What decodes must encode again to something that decodes to the same; what does not, throws our error.
    private func expectMessageOrWireError<Message: Codable & Equatable>(
        _ type: Message.Type,
        _ payload: [UInt8],
        _ seed: UInt64
    ) {
        do {
            let message = try WireCoding.decode(type, from: payload)
            #expect(try WireCoding.decode(type, from: WireCoding.encode(message)) == message, "seed \(seed)")
        } catch {
            #expect(!error.description.isEmpty, "seed \(seed)")
        }
    }

    private static func perform(_ field: String) -> String {
        #"{"app":"A","id":1,"intent":"B","request":"00112233445566778899aabbccddeeff","type":"perform",\#(field)}"#
    }

    private static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    private static func repeated(_ element: String, _ count: Int) -> String {
        Array(repeating: element, count: count).joined(separator: ",")
    }
}
