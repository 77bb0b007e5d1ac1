import IntentLauncherMessages
import TestSupport
import Testing

@Suite struct WireCodingTests {
    @Test(arguments: [
        (#"{"id":1,"type":"describe"}"#, "field 'app' is missing"),
        (#"{"id":1}"#, "field 'type' is missing"),
        (#"{"type":"list"}"#, "field 'id' is missing"),
        (#"{"id":1,"type":7}"#, "field 'type' has the wrong type"),
        (#"{"id":"1","type":"list"}"#, "field 'id' has the wrong type"),
        (#"{"id":-1,"type":"list"}"#, "a number is out of range"),
        (#"{"app":null,"id":1,"type":"describe"}"#, "field 'app' has the wrong type"),
        (#"{"id":1,"type":"hello","protocolVersion":1}"#, "field 'software' is missing"),
        ("[]", "not an object"),
        ("1", "not an object"),
        ("null", "not an object"),
        ("", "not JSON (RFC 8259): unexpected end"),
        ("{", "not JSON (RFC 8259): unexpected end"),
        ("type=list", "not JSON (RFC 8259): unexpected byte at offset 1"),
        (perform(#""files":1.5"#), "a number is out of range"),
        (
            perform(#""limitMilliseconds":1e300"#),
            "a number is out of range"
        ),
        (perform(#""files":257"#), "field 'files': expected a number from 0 to 256, got 257"),
        (perform(#""files":-1"#), "field 'files': expected a number from 0 to 256, got -1"),
        (perform(#""values":[]"#), "field 'values' has the wrong type"),
        (perform(#""values":{"a":[1,{}]}"#), "field 'values.a.1.file' is missing"),
        (perform(#""values":{"a":\#(nested(15))}"#), "expected at most 16 levels of nesting"),
        (perform(#""values":{"a":[\#(repeated("0", 20_000))]}"#), "expected at most 16384 values"),
    ])
    func `a malformed request is refused with the mistake`(_ json: String, _ message: String) {
        #expect(throws: WireError.malformed(message)) {
            try WireCoding.decode(NumberedRequest.self, from: Array(json.utf8))
        }
    }

    @Test(arguments: [
        ("\u{FEFF}{}", "expected JSON without a byte order mark (RFC 8259)"),
        ("{\"a\":\"\u{1B}[2J\"}", "a string has a control character at byte 6: write it as \\u and four digits"),
        ("{\"a\":\"\t\"}", "a string has a control character at byte 6: write it as \\u and four digits"),
        ("{\"a\n\":1}", "a string has a control character at byte 3: write it as \\u and four digits"),
        (#"{"id":1,"type":"list","id":2}"#, "an object has the key 'id' twice"),
        (#"{"id":1,"type":"list","\u0069d":2}"#, "an object has the key 'id' twice"),
        (#"{"a":[{"b":{"c":1,"d":2,"c":1}}]}"#, "an object has the key 'c' twice"),
        // Canonically equivalent keys, which Swift compares as equal: two bytes and three.
        ("{\"a\":{\"\u{E9}\":1,\"e\u{301}\":2}}", "an object has the key 'e\u{301}' twice"),
        (#"{"a":{"\u00e9":1,"e\u0301":2}}"#, "an object has the key 'e\u{301}' twice"),
        (#"{"a":{"\ud83d\ude00":1,"😀":2}}"#, "an object has the key '😀' twice"),
    ])
    func `an ambiguous payload is refused`(_ json: String, _ message: String) {
        #expect(throws: WireError.malformed(message)) {
            try WireCoding.decode(NumberedRequest.self, from: Array(json.utf8))
        }
    }

    /// Places for a text in a request: a key, the type, a value, and a key and a value below it.
    private static let places: [@Sendable (String) -> String] = [
        { #"{"id":1,"type":"list","\#($0)":1}"# }, { #"{"id":1,"type":"\#($0)"}"# },
        { #"{"id":1,"software":"\#($0)","type":"hello"}"# }, { #"{"id":1,"type":"list","a":[{"\#($0)":1}]}"# },
        { #"{"id":1,"type":"list","a":[{"b":"\#($0)"}]}"# },
    ]

    @Test(
        arguments: ["\u{301}\u{323}", "\u{F71}\u{F72}", "\u{1E94A}", #"\u0301\u0323"#, #"\u0301"# + "\u{323}"],
        0..<5
    )
    func `a payload with more than thirty combining marks in a row is refused`(_ marks: String, _ place: Int) throws {
        let scalarCount = marks.contains(utf8: "\\") ? 2 : marks.scalarCount
        func json(_ count: Int) -> [UInt8] {
            Array(Self.places[place]("a" + String(repeating: marks, count: count / scalarCount)).utf8)
        }
        let error = #expect(throws: WireError.self) { try WireCoding.decode(NumberedRequest.self, from: json(32)) }
        #expect(error?.description.contains(utf8: "more than 30 combining marks in a row") == true, "\(error as Any)")
        // Thirty are accepted, even if the request is refused for another reason.
        try PayloadShape.check(json(30), as: .value, valueLimit: 100)
    }

    @Test(arguments: [#"{"id":1,"type":"list","é":1}"#, #"{"id":1,"type":"list","\u00e9":1}"#])
    func `a message with a field with a name outside ASCII is refused, and a parameter may have such a name`(
        _ message: String
    ) throws {
        let error = #expect(throws: WireError.self) {
            try WireCoding.decode(NumberedRequest.self, from: Array(message.utf8))
        }
        #expect(error == .malformed("expected fields with names in ASCII, got 'é'"))
        let request = """
            {"app":"A","id":2,"intent":"B","request":"00112233445566778899aabbccddeeff","type":"perform","values":{"é":1}}
            """
        _ = try WireCoding.decode(NumberedRequest.self, from: Array(request.utf8))
    }

    @Test(arguments: ["", " "])
    func `the names in a message that are not ASCII have at most 32 KiB together, with and without spaces`(
        _ space: String
    ) throws {
        func decode(_ name: String, count: Int) throws -> NumberedRequest {
            let names = (0..<count).map { index in #""\#(100 + index)\#(name)":1"# }.joined(separator: ",")
            let request = """
                {"app":"A","id":2,"intent":"B","request":"00112233445566778899aabbccddeeff","type":"perform",\
                "values":{\(names)}\(space)}
                """
            return try WireCoding.decode(NumberedRequest.self, from: Array(request.utf8))
        }
        let cyrillic = String(repeating: "ж", count: 510) + "1"
        _ = try decode(String(repeating: "a", count: 1000), count: 100)
        _ = try decode(cyrillic, count: 32)
        let error = #expect(throws: WireError.self) { try decode(cyrillic, count: 33) }
        #expect(error?.description.contains(utf8: "at most 32768 bytes in all names that are not ASCII") == true)
    }

    @Test func `more than thirty combining marks in a row are encoded so that the reader accepts them`() throws {
        let marks = String(repeating: "\u{301}\u{323}", count: 16)
        let safe = String(marks.prefix(scalars: 30)) + "\u{34F}" + String(marks.suffix(scalars: 2))
        for user in [nil, "\(marks)@web1"] {
            let report = WorkerReport.hello(Hello(software: "a\(marks)", fleetUser: user))
            let decoded = try WireCoding.decode(WorkerReport.self, from: WireCoding.encode(report))
            #expect(decoded == .hello(Hello(software: "a\(safe)", fleetUser: user.map { _ in "\(safe)@web1" })))
        }
    }

    @Test(
        arguments: [
            (#"{"id":7,"type":"list"}"#, 7), (#"{"a":{"id":1},"id":7}"#, 7), (#"{"\u0069d":7}"#, 7),
            (#"{"id":7,"id":8}"#, nil),
            (#"{"id":"7"}"#, nil), (#"{"id":-7}"#, nil), (#"{"id":7.5}"#, nil), (#"{"id":7"#, nil), ("[7]", nil),
            ("7", nil),
            (#"{"id":18446744073709551616}"#, nil), (#"{"i":7}"#, nil), (#"{"KEY":7}"#, nil),
            (#"{"KEY":1,"id":7,"KEY":2}"#, 7),
        ] as [(String, UInt64?)]
    )
    func `the number of a request is found in a payload that exceeds limits`(_ json: String, _ number: UInt64?) {
        let key = "i" + String(repeating: "\u{301}\u{323}", count: 1000)
        #expect(NumberedRequest.id(in: Array(json.replacing("KEY", with: key).utf8)) == number)
    }

    @Test func `a key has at most 1024 bytes`() throws {
        for count in [1024, 1025] {
            let json = Array(#"{"id":1,"type":"list","\#(String(repeating: "k", count: count))":1}"#.utf8)
            let isDecoded = (try? WireCoding.decode(NumberedRequest.self, from: json)) != nil
            #expect(isDecoded == (count == 1024))
        }
    }

    @Test(arguments: [
        "{}x", "{} {}", "[1,]", "{\"a\":1,}", "{,}", "{a:1}", "{'a':1}", "{\"a\" 1}", "[01]", "[-]", "[+1]", "[.5]",
        "[1.]",
        "[1e]", "[0x1]", "[NaN]", "[Infinity]", "[tru]", "[True]", "[\"\\x41\"]", "[\"\\u12\"]", "[\"\\ud800\"]",
        "[\"\\ud800\\u0041\"]", "[\"\\udc00\"]", "[\"a]", "[1 2]", "[1]//", "/**/[1]", "\u{B}[1]", "\u{C}[1]",
        "\u{A0}[1]", "]", "}", ":",
    ])
    func `text that resembles JSON is refused`(_ json: String) {
        do {
            _ = try WireCoding.decode(NumberedRequest.self, from: Array(json.utf8))
            Issue.record("it was accepted")
        } catch {
            #expect(error.description.hasPrefix("not JSON (RFC 8259)"), "\(error)")
        }
    }

    @Test(arguments: [
        " { \"id\" : 1 ,\r\n\t\"type\" : \"list\" } \n",
        #"{"id":1,"type":"list","x":[-0.5e-7,1E+3,0,true,false,null,{},[],""]}"#,
        #"{"id":1,"type":"list","x":{"\"\\\/\b\f\n\r\t\u0000\uD83D\uDE00":{"id":2,"type":"id"}}}"#,
    ])
    func `JSON is accepted in every form that the standard allows`(_ json: String) throws {
        #expect(try WireCoding.decode(NumberedRequest.self, from: Array(json.utf8)) == NumberedRequest(id: 1, .list))
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func `no error quotes the decoding library`(seed: UInt64) throws {
        var numbers = SeededNumbers(seed: seed)
        let wrong = ["1.5", "-1", "1e300", "99999999999999999999", "\"x\"", "[]", "{}", "null", "true", "\"\""]
        for payload in ClientRequestTests.requests.map(\.payload) {
            // Replace the value of one key by another value.
            let text = String(decoding: payload, as: UTF8.self)
            let values = text.ranges(of: /:("[^"]*"|[0-9]+|true|false)/)
            guard let value = values.randomElement(using: &numbers), let other = wrong.randomElement(using: &numbers)
            else { continue }
            let changed = text[..<value.lowerBound] + ":" + other + text[value.upperBound...]
            do {
                _ = try WireCoding.decode(NumberedRequest.self, from: Array(changed.utf8))
            } catch {
                let words = [
                    "Swift", "Expected", "decode", "representable", "initialize", "Codable", "Optional", "nil",
                ]
                #expect(!words.contains { error.description.contains($0) }, "\(error) of \(changed)")
            }
        }
    }

    @Test func `nesting up to the limit is decoded`() throws {
        let json = Self.perform(#""values":{"a":\#(Self.nested(14))}"#)
        #expect(throws: Never.self) { try WireCoding.decode(NumberedRequest.self, from: Array(json.utf8)) }
    }

    @Test func `brackets and commas inside a string are not counted`() throws {
        let text = String(repeating: #"[{,\"\\"#, count: 20_000)
        let json = #"{"app":"\#(text)","id":1,"type":"describe"}"#
        #expect(throws: Never.self) { try WireCoding.decode(NumberedRequest.self, from: Array(json.utf8)) }
    }

    @Test func `a client reads lists of any size from intentd`() throws {
        let message = ClientMessage.answer(id: 1, .apps(Array(repeating: Sample.description, count: 1000)))
        #expect(try WireCoding.decode(ClientMessage.self, from: WireCoding.encode(message)) == message)
    }

    @Test func `a message for the other direction is unknown`() {
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

    @Test func `an error quotes only the beginning of a peer's message`() {
        let long = String(repeating: "é", count: 500_000)
        let excerpt = String(repeating: "é", count: 80) + "…"
        #expect(throws: WireError.unknownMessage(type: excerpt)) {
            try WireCoding.decode(NumberedRequest.self, from: Array(#"{"id":1,"type":"\#(long)"}"#.utf8))
        }
        #expect(throws: WireError.malformed("field 'app': expected an app's name, got '\(excerpt)'")) {
            try WireCoding.decode(
                LaunchCommand.self,
                from: Array(#"{"app":"\#(long)","mode":"once","slot":1,"type":"launch"}"#.utf8)
            )
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `no bytes crash the decoder`(seed: UInt64) {
        var numbers = SeededNumbers(seed: seed)
        let payloads = ClientRequestTests.requests.map(\.payload) + WorkerMessageTests.reports.map(\.payload)
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

    /// Encodes and decodes a decoded message again. All other payloads must throw a WireError.
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
