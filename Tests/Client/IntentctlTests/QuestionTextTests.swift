import IntentClient
import Testing
import intentctl

/// Tests the text of questions and the parsing of typed answers.
@Suite struct QuestionTextTests {
    private func question(
        _ type: ValueType,
        _ kind: Question.Kind = .value,
        _ change: (inout Question) -> Void = { _ in }
    ) -> Question {
        var question = Question(number: 1, text: "What?\u{1b}[2J", type: type, kind: kind)
        question.title = "Cups"
        change(&question)
        return question
    }

    private var choice: Question {
        let choices: [EnumerationCase] = [
            EnumerationCase(value: "2", title: "Red"),
            EnumerationCase(value: "b", title: "Blue", style: .destructive),
            EnumerationCase(value: "c", title: "None", style: .cancel),
        ]
        return question(.enumeration(choices), .choice)
    }

    private let run = RunID(randomBits: 7)

    private func open(_ question: Question) -> OpenQuestion { OpenQuestion(question, remaining: .seconds(3600)) }

    @Test(
        arguments: [
            ("yes", true), ("y", true), ("Order", true), ("TRUE", true), ("no", false), ("n", false), ("", false),
            ("keep", false), (" yes ", true), ("perhaps", nil), ("1", nil),
        ] as [(String, Bool?)]
    )
    func `a confirmation accepts yes or no, and an empty line means no`(text: String, answer: Bool?) {
        let question = question(.bool, .confirmation) { question in
            question.acceptLabel = "Order"
            question.denyLabel = "Keep"
        }
        #expect((try? AnswerText.read(text, for: question).value) == answer.map(IntentValue.bool))
    }

    @Test(
        arguments: [
            ("j", "de", true), ("Ja", "de", true), ("nein", "de", false), ("o", "fr", true), ("j", "fr", nil),
            ("j", nil, nil),
            ("si", "es", true), ("y", "de", true),
        ] as [(String, String?, Bool?)]
    )
    func `a confirmation accepts yes and no in the caller's language`(text: String, language: String?, answer: Bool?) {
        var question = question(.bool, .confirmation)
        #expect((try? AnswerText.read(text, for: question, language: language).value) == answer.map(IntentValue.bool))
        question.isDestructive = true
        let inFull = text.count > 1 ? answer : nil
        #expect((try? AnswerText.read(text, for: question, language: language).value) == inFull.map(IntentValue.bool))
    }

    @Test func `a destructive confirmation needs the whole word`() throws {
        let question = question(.bool, .confirmation) { $0.isDestructive = true }
        #expect(throws: CommandFailure.self) { try AnswerText.read("y", for: question) }
        #expect(try AnswerText.read("yes", for: question).value == .bool(true))
        #expect(QuestionText.prompt(question) == "[yes/no]: ")
    }

    @Test(
        arguments: [
            ("b", "b"), ("blue", "b"), ("BLUE", "b"), ("3", "c"), ("1", "2"), ("green", nil), ("9", nil), ("", nil),
            // A value takes precedence over a number in the list.
            ("2", "2"),
        ] as [(String, String?)]
    )
    func `a choice is made by value, number or name`(text: String, value: String?) {
        #expect((try? AnswerText.read(text, for: choice).value) == value.map(IntentValue.string))
    }

    @Test func `values are parsed by type, and lists are separated by commas or written as JSON`() throws {
        #expect(try AnswerText.read(" 3 ", for: question(.int)).value == .int(3))
        #expect(try AnswerText.read("1, 2", for: question(.array(.int))).value == .array([.int(1), .int(2)]))
        #expect(try AnswerText.read("[\"a,b\"]", for: question(.array(.string))).value == .array([.string("a,b")]))
        #expect(throws: CommandFailure.self) { try AnswerText.read("three", for: question(.int)) }
        #expect(throws: CommandFailure.self) { try AnswerText.read("", for: question(.int)) }
        let bounded = question(.int) { $0.range = NumberRange(lowerBound: 1, upperBound: 5) }
        #expect(throws: CommandFailure.self) { try AnswerText.read("6", for: bounded) }
        let sized = question(.array(.int)) { $0.size = ElementCount(minimum: 2, maximum: 3) }
        #expect(AnswerText.words(for: sized).contains("2 to 3 elements"), "\(AnswerText.words(for: sized))")
    }

    @Test func `an empty line means the default, or null for an optional question`() throws {
        #expect(try AnswerText.read("", for: question(.int) { $0.defaultValue = .int(4) }).value == .int(4))
        #expect(try AnswerText.read("", for: question(.int) { $0.isOptional = true }).value == .null)
        #expect(throws: CommandFailure.self) { try AnswerText.read("", for: question(.string)) }
    }

    @Test func `a secret keeps its spaces, and no error contains it`() throws {
        let secret = question(.string) { $0.isSecret = true }
        #expect(try AnswerText.read(" a ", for: secret).value == .string(" a "))
        let number = question(.int) { $0.isSecret = true }
        let error = #expect(throws: CommandFailure.self) { try AnswerText.read("hunter2", for: number) }
        #expect(error?.message.contains("hunter2") == false)
    }

    @Test func `an app's control characters do not reach the terminal`() {
        for shown in [question(.int), choice, question(.bool, .confirmation)] {
            let text =
                (QuestionText.lines(shown) + QuestionText.waiting(open(shown), of: run) + [QuestionText.prompt(shown)])
                .joined()
            #expect(!text.contains("\u{1b}"))
        }
    }

    @Test func `choices are shown with numbers and subtitles`() {
        #expect(
            QuestionText.lines(choice).dropFirst() == [
                "  1) Red", "  2) Blue (cannot be undone)", "  3) None (ends the run)",
            ]
        )
    }

    @Test func `the command line for the answer is shown`() {
        #expect(
            QuestionText.instruction(open(question(.int)), of: run)
                == "answer it within 1 h: intentctl answer \(run) INTEGER"
        )
        #expect(QuestionText.instruction(open(question(.bool, .confirmation)), of: run).hasSuffix("yes|no"))
    }
}
