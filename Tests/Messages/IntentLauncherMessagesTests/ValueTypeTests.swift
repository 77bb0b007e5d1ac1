import IntentLauncherMessages
import Testing

@Suite struct ValueTypeTests {
    static let types: [Golden<ValueType>] = [
        Golden(#""string""#, .string),
        Golden(#""int""#, .int),
        Golden(#""double""#, .double),
        Golden(#""bool""#, .bool),
        Golden(#""file""#, .file),
        Golden(#""decimal""#, .decimal),
        Golden(#""date""#, .date),
        Golden(#""url""#, .url),
        Golden(#""duration""#, .duration),
        Golden(
            #"{"enum":[{"title":"Tomato","value":"tomato"}]}"#,
            .enumeration([EnumerationCase(value: "tomato", title: "Tomato")])
        ),
        Golden(#"{"array":{"array":"file"}}"#, .array(.array(.file))),
    ]

    @Test(arguments: types) func `a type has these bytes`(_ golden: Golden<ValueType>) throws {
        #expect(String(decoding: WireCoding.encode(golden.message), as: UTF8.self) == golden.json)
        #expect(try WireCoding.decode(ValueType.self, from: golden.payload) == golden.message)
    }

    @Test(arguments: [
        (#""soup""#, ValueType.unknown("soup")), (#"{"soup":["hot"]}"#, .unknown("soup")),
        (#"{"array":"soup"}"#, .array(.unknown("soup"))),
    ])
    func `a type of a later release is decoded and accepts no value`(_ json: String, _ type: ValueType) throws {
        let decoded = try WireCoding.decode(ValueType.self, from: Array(json.utf8))
        #expect(decoded == type)
        #expect(throws: ValueMismatch.self) { try ValueType.unknown("soup").accept(.string("tomato")) }
    }

    @Test(arguments: ["{}", "1", "null", #"{"enum":["a"]}"#, #"{"array":1}"#])
    func `an invalid type is refused`(_ json: String) {
        #expect(throws: WireError.self) { try WireCoding.decode(ValueType.self, from: Array(json.utf8)) }
    }
}
