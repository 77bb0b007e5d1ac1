import AppIntents
import AppIntentsTesting
import Foundation
import Testing

@Suite struct QuestionTests {
    private func asking(_ kind: String) -> Asking {
        let intent = Asking()
        intent.kind = kind
        return intent
    }

    @Test func `the clock stops while a question is open`() async throws {
        try await withIntentRun { run in
            async let end = run.perform(asking("value"))
            #expect(try await run.question().text == "How many?")
            run.advance(by: .seconds(3599))
            try await run.idle()
            try run.answer(3)
            #expect(try await end == .done("3"))
        }
    }

    @Test func `a question without an answer expires after an hour`() async throws {
        try await withIntentRun { run in
            async let end = run.perform(asking("value"))
            _ = try await run.question()
            run.advance(by: .seconds(3600))
            #expect(try await end == .unanswered("How many?", parameter: "count"))
        }
    }

    @Test func `a table answers values, choices and confirmations`() async throws {
        let answers: IntentAnswers = ["count": 7, "What to drink?": .choice("Coffee"), "Go on?": true]
        try await withIntentRun(answers: answers) { run in
            let value = try await run.perform(asking("value"))
            #expect(value == .done("7"))
            let choice = try await run.perform(asking("choice"))
            #expect(choice == .done("Coffee"))
            let confirmation = try await run.perform(asking("confirmation"))
            #expect(confirmation == .done("confirmed"))
        }
    }

    @Test func `a question that is too large is an error of the call that asks it`() async throws {
        try await withIntentRun(answers: ["What to drink?": .choice("0")]) { run in
            let end = try await run.perform(asking("large choice"))
            #expect(end.message?.contains("more than the limit of \(32 << 10)") == true, "\(end)")
        }
    }

    @Test func `a closure can answer a question, also with a file`() async throws {
        let answers = IntentAnswers.from { question in
            #expect(question.parameter == "file")
            return .value(IntentFile(data: Data("content".utf8), filename: "a.txt"))
        }
        try await withIntentRun(answers: answers) { run in
            let end = try await run.perform(asking("file"))
            #expect(end == .done("content"))
        }
    }

    @Test func `a declined confirmation cancels the run`() async throws {
        try await withIntentRun(answers: ["Go on?": .decline]) { run in
            let end = try await run.perform(asking("confirmation"))
            #expect(end == .cancelled(.userCancelled))
        }
    }

    @Test func `if no client can answer, the run ends with its question`() async throws {
        try await withIntentRun(answers: .unavailable) { run in
            let end = try await run.perform(asking("value"))
            #expect(end == .unanswered("How many?", parameter: "count"))
        }
    }

    @Test func `a question without an entry in the table is an error that names the parameter`() async throws {
        let error = try await withIntentRun(answers: ["amount": 1]) { run in
            await #expect(throws: IntentTestError.self) { try await run.perform(asking("value")) }
        }
        #expect(
            error?.description == "no answer to \"How many?\" (parameter 'count'): the table has 'amount'. Add 'count'"
        )
    }

    @Test func `an answer of the wrong type is refused, and the question stays open`() async throws {
        try await withIntentRun { run in
            async let end = run.perform(asking("value"))
            _ = try await run.question()
            let error = #expect(throws: IntentTestError.self) { try run.answer("many") }
            #expect(error?.description.contains("expected a whole number, got text") == true)
            try run.answer(2)
            #expect(try await end == .done("2"))
        }
    }

    @Test func `an answer without a question is refused`() async throws {
        try await withIntentRun { run in
            let error = #expect(throws: IntentTestError.self) { try run.answer(1) }
            #expect(error?.description == "cannot answer: no question is open. Wait for question() first")
        }
    }
}
