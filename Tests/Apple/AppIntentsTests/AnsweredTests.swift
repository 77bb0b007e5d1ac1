import IntentLauncherMessages
import TestSupport
import Testing

/// Tests questions that are answered. The test acts as `intentd`.
@Suite(.ownThread) struct AnsweredTests {
    private func asking(_ way: String) throws -> AppProcess {
        try AppProcess.performing("AskSomething", ["way": .string(way)])
    }

    /// Answers one question, and returns it with the run's result.
    private func answered(_ way: String, _ value: IntentValue) throws -> (Question, RunRecord) {
        let worker = try asking(way)
        let question = try worker.question()
        try worker.send(.answer(question: question.number, value: value))
        let record = try worker.result()
        #expect(try worker.acknowledge() == 0)
        return (question, record)
    }

    @Test func `a question for a value has its type and bounds, and the run continues with the answer`() throws {
        let (question, record) = try answered("value", .int(3))
        #expect(question.number == 1)
        #expect(question.text == "How many cups?")
        #expect(question.parameter == "cups")
        #expect(question.title == "Cups")
        #expect(question.kind == .value)
        #expect(question.type == .int)
        #expect(question.range == NumberRange(lowerBound: 1, upperBound: 5))
        #expect(record.text == "3")
    }

    @Test func `a run asks for a missing value, and calls perform() again`() throws {
        let (question, record) = try answered("needsValue", .int(4))
        #expect(question.parameter == "cups")
        #expect(record.text == "4 at 2")
    }

    @Test(arguments: ["choice", "needsChoice"])
    func `an answer to a choice is the text of a value`(way: String) throws {
        let (question, record) = try answered(way, .string("red"))
        #expect(question.kind == .choice)
        #expect(question.text == "Which colour?")
        #expect(
            question.type
                == .enumeration([
                    EnumerationCase(value: "green", title: "Green"), EnumerationCase(value: "red", title: "Red"),
                ])
        )
        #expect(record.text?.hasPrefix("red") == true)
    }

    @Test func `options have styles, and the option that cancels the run comes last`() throws {
        let (question, record) = try answered("option", .string("3"))
        #expect(
            question.type
                == .enumeration([
                    EnumerationCase(value: "2", title: "Keep it"),
                    EnumerationCase(value: "3", title: "Burn it", style: .destructive),
                    EnumerationCase(value: "1", title: "Cancel", style: .cancel),
                ])
        )
        #expect(record.text == "burnt")
        #expect(try answered("option", .string("1")).1.result.ending == .threwCancellation)
    }

    private static let confirmations: [(String, [String], Bool?, String)] = [
        ("confirm", ["Order it?", "Order", "Cancel"], nil, "ordered"),
        ("destroy", ["Destroy it?", "Destroy", "Keep"], true, "destroyed"),
    ]

    @Test(arguments: confirmations)
    func `a confirmation has labels, and declining it cancels the run`(
        way: String,
        texts: [String],
        isDestructive: Bool?,
        value: String
    ) throws {
        let (question, record) = try answered(way, .bool(true))
        #expect(question.kind == .confirmation)
        #expect(question.type == .bool)
        #expect([question.text, question.acceptLabel, question.denyLabel] == texts)
        #expect(question.isDestructive == isDestructive)
        #expect(record.text == value)
        #expect(try answered(way, .bool(false)).1.result.ending == .threwCancellation)
    }

    @Test func `the confirmation of a value is answered with yes or no`() throws {
        #expect(try answered("confirmValue", .bool(true)).1.text == "true")
        #expect(try answered("confirmValue", .bool(false)).1.text == "false")
    }

    @Test func `a question suggests the declared default`() throws {
        #expect(try answered("default", .int(1)).0.defaultValue == .int(2))
        #expect(try answered("value", .int(1)).0.defaultValue == nil)
    }

    @Test func `a question about a list asks for one element`() throws {
        let (question, record) = try answered("element", .string("Ada"))
        #expect(question.type == .string)
        #expect(record.text == "Ada")
    }

    @Test func `an invalid answer repeats the question with the reason`() throws {
        let worker = try asking("value")
        let first = try worker.question()
        // intentd checks the answer first, and the worker checks it again.
        try worker.send(.answer(question: first.number, value: .int(9)))
        let second = try worker.question()
        #expect(second.number == 2)
        #expect(second.problem?.contains("from 1 to 5") == true)
        try worker.send(.answer(question: 2, value: .int(5)))
        #expect(try worker.result().text == "5")
    }

    @Test func `two concurrent questions are asked one after the other`() throws {
        let worker = try asking("two")
        let answers = ["First?": Int64(5), "Second?": 2]
        for number in UInt64(1)...2 {
            let question = try worker.question()
            #expect(question.number == number)
            #expect(!worker.isReadable(within: 50))
            let value = try #require(answers[question.text])
            try worker.send(.answer(question: number, value: .int(value)))
        }
        #expect(try worker.result().text == "52")
    }

    @Test func `a cancelled task withdraws its question, and the next question has the next number`() throws {
        let worker = try asking("withdraw")
        #expect(try worker.question().text == "Never mind?")
        try worker.bring("go")
        var withdrawn: UInt64?
        while withdrawn == nil, let (report, _) = try worker.next() {
            if case .withdrawn(let number) = report { withdrawn = number }
        }
        #expect(withdrawn == 1)
        let next = try worker.question()
        #expect(next.number == 2)
        // Send an answer to the withdrawn question, which the worker must ignore.
        try worker.send(.answer(question: 1, value: .int(1)))
        try worker.send(.answer(question: 2, value: .int(4)))
        #expect(try worker.result().text == "4")
    }

    @Test func `an intent that needs no answer continues if no client answers`() throws {
        let record = try AppProcess.run("AskSomething", ["way": .string("caught")])
        #expect(record.text?.hasPrefix("went on without") == true)
    }

    @Test func `a question about another intent's parameter contains no parameter name`() throws {
        let (question, record) = try answered("other", .int(2))
        #expect(question.parameter == nil)
        #expect(record.text == "2")
    }

    @Test func `progress made before a question is reported before it`() throws {
        let worker = try asking("progress")
        var reports: [WorkerReport] = []
        reading: while let (report, _) = try worker.next() {
            reports.append(report)
            if case .question = report { break reading }
        }
        guard case .progress(let progress)? = reports.dropLast().last else {
            Issue.record("no progress before the question: \(reports)")
            return
        }
        #expect(progress.completedUnitCount == 1)
        try worker.send(.answer(question: 1, value: .int(2)))
        #expect(try worker.result().text == "2")
    }

    @Test func `a run that is cancelled during a question ends as cancelled`() throws {
        let worker = try asking("value")
        _ = try worker.question()
        try worker.send(.cancel(reason: .userCancelled, graceMilliseconds: 5000))
        #expect(try worker.result().result.ending == .threwCancellation)
        #expect(try worker.acknowledge() == 0)
    }
}
