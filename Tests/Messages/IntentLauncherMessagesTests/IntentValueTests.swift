import IntentLauncherMessages
import Testing

@Suite struct IntentValueTests {
    static let values: [Golden<IntentValue>] = [
        Golden("null", .null),
        Golden("true", .bool(true)),
        Golden("false", .bool(false)),
        Golden("0", .int(0)),
        Golden("1", .int(1)),
        Golden("-1", .int(-1)),
        Golden("9223372036854775807", .int(.max)),
        Golden("-9223372036854775808", .int(.min)),
        Golden("1.5", .double(1.5)),
        Golden("-2.5e-10", .double(-2.5e-10)),
        Golden("1e+300", .double(1e300)),
        Golden(#""""#, .string("")),
        Golden(#""true""#, .string("true")),
        Golden(#""1""#, .string("1")),
        Golden(#""nan""#, .string("nan")),
        Golden(##""a/b\"\\\u0000\u001b é😀""##, .string("a/b\"\\\0\u{1B} é😀")),
        Golden("[]", .array([])),
        Golden("[[],[[1],null],false]", .array([.array([]), .array([.array([.int(1)]), .null]), .bool(false)])),
        Golden(#"{"file":{"index":0,"name":"a.txt"}}"#, .file(FileReference(index: 0, name: "a.txt"))),
        Golden(
            #"[{"file":{"contentType":"image/png","index":15,"name":""}}]"#,
            .array([.file(FileReference(index: 15, name: "", contentType: "image/png"))])
        ),
        Golden(#"{"object":{}}"#, .object([:])),
        Golden(
            #"{"object":{"a":{"object":{"b":[1]}},"file":null}}"#,
            .object(["a": .object(["b": .array([.int(1)])]), "file": .null])
        ),
    ]

    @Test(arguments: [
        "12345678901234567890", "9223372036854775808", "-9223372036854775809", "18446744073709551615",
        "123456789012345678901234567890",
        "1234567890123456789012345678901234567890123", "12345678901234567890.5",
    ])
    func `a number with digits that a double cannot keep is refused`(_ number: String) {
        for json in [number, "[\(number)]", #"{"object":{"id":\#(number)}}"#] {
            let error = #expect(throws: WireError.self) {
                try WireCoding.decode(IntentValue.self, from: Array(json.utf8), as: .value)
            }
            #expect(error?.description.contains(utf8: "expected a number with at most 17 digits") == true)
        }
    }

    @Test(arguments: [
        "1e20", "100000000000000000000", "1.2345678901234567e+19", "1e300", "0.1234567890123456789", "1e-300",
    ])
    func `a number that a double keeps, or a fraction, is a double`(_ number: String) throws {
        let value = try WireCoding.decode(IntentValue.self, from: Array(number.utf8), as: .value)
        #expect(value == .double(try #require(Double(number))))
    }

    @Test(arguments: values) func `a value has these bytes`(_ golden: Golden<IntentValue>) throws {
        #expect(String(decoding: WireCoding.encode(golden.message), as: UTF8.self) == golden.json)
        #expect(try decode(golden.json) == golden.message)
    }

    @Test(
        arguments: [
            ("1.0", .int(1)), ("1e3", .int(1000)), ("-0", .int(0)), ("0.1", .double(0.1)), ("1E-2", .double(0.01)),
            ("9007199254740993.0", .int(9_007_199_254_740_993)), ("9223372036854775807.0", .int(.max)),
        ] as [(String, IntentValue)]
    )
    func `a number with a whole value is an integer in every notation`(_ json: String, _ value: IntentValue) throws {
        #expect(try decode(json) == value)
    }

    @Test(arguments: [
        "", "{}", #"{"a":1}"#, #"{"file":1}"#, #"{"file":{}}"#, #"{"file":{"index":0}}"#, "01", "1.", "+1", "1e400",
        "nul", "'a'", "[1", "]", "\"a", "\"\u{0}\"", "[{}]", "true false",
    ])
    func `an invalid value is refused`(_ json: String) {
        #expect(throws: WireError.self) { try decode(json) }
    }

    @Test(arguments: [-1, 256, Int.max]) func `a file index outside of a run's files is refused`(_ index: Int) {
        let limit = "expected a number from 0 to 255"
        #expect(throws: WireError.malformed("field 'file.index': \(limit), got \(index)")) {
            try decode(#"{"file":{"index":\#(index),"name":"a"}}"#)
        }
    }

    @Test func `a number that JSON cannot express becomes a string`() throws {
        #expect(String(decoding: WireCoding.encode(IntentValue.double(.nan)), as: UTF8.self) == #""nan""#)
        #expect(String(decoding: WireCoding.encode(IntentValue.double(.infinity)), as: UTF8.self) == #""inf""#)
        #expect(String(decoding: WireCoding.encode(IntentValue.double(-.infinity)), as: UTF8.self) == #""-inf""#)
    }

    @Test func `files are found in order at any depth`() {
        let files = (0..<3).map { FileReference(index: $0, name: "\($0)") }
        let value = IntentValue.array([.file(files[0]), .array([.int(1), .file(files[1])]), .file(files[2])])
        #expect(value.files == files)
        #expect(IntentValue.string("file").files == [])
    }

    private func decode(_ json: String) throws -> IntentValue {
        try WireCoding.decode(IntentValue.self, from: Array(json.utf8))
    }
}
