import IntentLauncherMessages
import IntentLifecycle
import Testing

/// What becomes of values before any process starts.
@Suite struct ParameterCheckTests {
    private static let intent = IntentDeclaration(
        name: "Mix",
        title: "Mix",
        parameters: [
            ParameterDeclaration(name: "weight", title: "Weight", type: .double, isOptional: true),
            ParameterDeclaration(
                name: "counts",
                title: "Counts",
                type: .array(.int),
                isOptional: true,
                range: NumberRange(lowerBound: 1, upperBound: 5)
            ),
            ParameterDeclaration(name: "scan", title: "Scan", type: .file, isOptional: true),
        ]
    )

    private static func accept(
        _ values: RunValues,
        fileCount: Int = 0,
        for intent: IntentDeclaration = intent,
        asking query: OptionsQuery? = nil
    ) throws -> RunValues {
        let name = try #require(AppName("Kitchen"))
        return try ParameterCheck.accept(values, fileCount: fileCount, for: intent, of: name, asking: query)
    }

    private static func refusal(_ body: () throws -> Void) throws -> ErrorReport? {
        do {
            try body()
            return nil
        } catch let error as ErrorReport {
            return error
        }
    }

    @Test func `a whole number for a parameter with fractions is passed as a number with a fraction`() throws {
        #expect(try Self.accept(["weight": .int(2)]).byName == ["weight": .double(2)])
        #expect(try Self.accept(["weight": .double(2.5)]).byName == ["weight": .double(2.5)])
    }

    @Test(arguments: [(IntentValue.int(3), true), (.array([.int(3)]), true), (.int(9), false), (.string("3"), false)])
    func `an answer in advance is a list, or one element of it`(value: IntentValue, isAccepted: Bool) throws {
        let name = try #require(AppName("Kitchen"))
        let refusal = try Self.refusal {
            try ParameterCheck.check(AnswersInAdvance(values: ["counts": value]), for: Self.intent, of: name)
        }
        #expect((refusal == nil) == isAccepted)
    }

    @Test(arguments: [(254, true), (255, true), (256, false)])
    func `the name of a file has at most 255 bytes`(byteCount: Int, isAccepted: Bool) throws {
        let file = FileReference(index: 0, name: String(repeating: "a", count: byteCount))
        let refusal = try Self.refusal { _ = try Self.accept(["scan": .file(file)], fileCount: 1) }
        #expect((refusal == nil) == isAccepted)

        let question = Question(number: 1, text: "Which?", parameter: "scan", type: .file, kind: .value)
        let answer = try Self.refusal { _ = try AnswerCheck.accept(.file(file), for: question, fileCount: 1) }
        #expect((answer == nil) == isAccepted)
    }

    @Test(arguments: [(1, false), (2, true), (3, true), (4, false)])
    func `a list has as many elements as its parameter permits`(count: Int, isAccepted: Bool) throws {
        var intent = Self.intent
        intent.parameters[1].size = ElementCount(minimum: 2, maximum: 3)
        let values: RunValues = ["counts": .array(Array(repeating: .int(1), count: count))]
        let refusal = try Self.refusal { _ = try Self.accept(values, for: intent) }
        #expect((refusal == nil) == isAccepted)
    }

    @Test func `an unknown parameter is refused with the parameters of the intent, or that it has none`() throws {
        let some = try Self.refusal { _ = try Self.accept(["zzz": .int(1)]) }
        #expect(some?.code == .unknownParameter && some?.hint == "its parameters are weight, counts, scan")
        let none = IntentDeclaration(name: "Stir", title: "Stir")
        #expect(try Self.refusal { _ = try Self.accept(["zzz": .int(1)], for: none) }?.hint == "it has no parameters")
    }

    @Test(arguments: ["a/b", "..", "", "a\u{1}"])
    func `the name of a file is one component of a path, without control characters`(name: String) throws {
        let file = IntentValue.file(FileReference(index: 0, name: name))
        let refusal = try Self.refusal { _ = try Self.accept(["scan": file], fileCount: 1) }
        #expect(refusal?.code == .badParameter)
    }

    @Test func `a query for options of a parameter without options names the parameters that have some`() throws {
        var intent = Self.intent
        let query = OptionsQuery(parameter: "weight")
        let none = try Self.refusal { _ = try Self.accept([:], for: intent, asking: query) }
        #expect(none?.code == .badParameter && none?.hint == nil)
        intent.parameters[1].hasOptions = true
        let some = try Self.refusal { _ = try Self.accept([:], for: intent, asking: query) }
        #expect(some?.hint?.contains("counts") == true)
    }
}
