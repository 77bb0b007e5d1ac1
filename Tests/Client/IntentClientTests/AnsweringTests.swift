import IntentClient
import IntentLauncherMessages
import IntentLinux
import Synchronization
import Testing

private let run = RunID(randomBits: 7)

extension ScriptedPeer {
    fileprivate func accept() throws -> PerformRequest {
        let request = try request()
        guard case .perform(let perform) = request.request else { throw Disconnected() }
        try answer(request.id, .accepted(run: run))
        return perform
    }

    /// Sends a question of the run with the given number.
    fileprivate func ask(_ number: UInt64, _ serial: UInt64) throws {
        let question = Question(number: number, text: "How many?", parameter: "guests", type: .int, kind: .value)
        try event(run, serial, .question(OpenQuestion(question, remaining: .milliseconds(60_000))))
    }

    /// Receives the next request, which must be an answer, and replies.
    fileprivate func receiveAnswer(_ reply: ClientAnswer) throws -> AnswerRequest {
        let request = try request()
        guard case .answer(let answer) = request.request else { throw Disconnected() }
        try self.answer(request.id, reply)
        return answer
    }

    fileprivate func finish(_ serial: UInt64) throws {
        let end = RunEnd(run: run, outcome: .done(value: .int(4), dialog: nil), account: RunAccount())
        try event(run, serial, .finished(end))
    }
}

/// Tests the answers of a program that uses IntentClient.
@Suite struct AnsweringTests {
    private let request = PerformRequest(app: "Soup", intent: "OrderSoup")

    @Test func `a question reaches the callback, and the answer contains the question's number`() async throws {
        let connection = try await ScriptedPeer.greeted { peer in
            _ = try peer.accept()
            try peer.ask(3, 1)
            let taken = ClientAnswer.answerAccepted(run: run, question: 3)
            #expect(try peer.receiveAnswer(taken) == AnswerRequest(run: run.text, question: 3, value: .int(5)))
            try peer.finish(9)
            try peer.waitForTheEnd()
        }
        let result = try await connection.perform(request).result { question in
            #expect(question.question.text == "How many?")
            #expect(question.question.kind == .value)
            #expect(question.question.parameter == "guests")
            #expect(question.remaining == .seconds(60))
            return .int(5)
        }
        #expect(result.outcome == .done(value: .int(4), dialog: nil))
    }

    @Test func `a question is repeated with the reason when its answer is invalid`() async throws {
        let connection = try await ScriptedPeer.greeted { peer in
            _ = try peer.accept()
            try peer.ask(1, 1)
            #expect(try peer.receiveAnswer(.refused(ErrorReport(.badAnswer, "it takes less"))).value == .int(9))
            #expect(try peer.receiveAnswer(.answerAccepted(run: run, question: 1)).value == .int(1))
            try peer.finish(9)
            try peer.waitForTheEnd()
        }
        let problems = Mutex<[String?]>([])
        _ = try await connection.perform(request).result { question in
            problems.withLock { $0.append(question.question.problem) }
            return question.question.problem == nil ? .int(9) : .int(1)
        }
        #expect(problems.withLock { $0 } == [nil, "it takes less"])
    }

    @Test func `after three invalid answers to a question the call throws, and the run is cancelled`() async throws {
        let connection = try await ScriptedPeer.greeted { peer in
            _ = try peer.accept()
            try peer.ask(1, 1)
            for _ in 0..<3 { _ = try peer.receiveAnswer(.refused(ErrorReport(.badAnswer, "it takes less"))) }
            let request = try peer.request()
            guard case .cancel = request.request else { throw ScriptedPeer.Disconnected() }
            try peer.finish(9)
            try peer.waitForTheEnd()
        }
        let asked = Mutex(0)
        let problem = try await #require(throws: IntentClientError.self) {
            _ = try await connection.perform(request).result { _ in
                asked.withLock { $0 += 1 }
                return .int(9)
            }
        }
        #expect(problem.code == .badAnswer && asked.withLock { $0 } == 3)
    }

    @Test func `the title of a choice is an answer`() async throws {
        let connection = try await ScriptedPeer.greeted { peer in
            _ = try peer.accept()
            let cups = ValueType.enumeration([EnumerationCase(value: "1", title: "Large")])
            let question = Question(number: 1, text: "Which?", parameter: "cup", type: cups, kind: .choice)
            try peer.event(run, 1, .question(OpenQuestion(question, remaining: .milliseconds(60_000))))
            #expect(try peer.receiveAnswer(.answerAccepted(run: run, question: 1)).value == .string("1"))
            try peer.finish(9)
            try peer.waitForTheEnd()
        }
        _ = try await connection.perform(request).result { _ in .string("Large") }
    }

    @Test func `the callback is cancelled when another user answers, and the run's events continue`() async throws {
        let connection = try await ScriptedPeer.greeted { peer in
            _ = try peer.accept()
            try peer.ask(1, 1)
            try peer.event(run, 2, .answered(AnswerNotice(question: 1, by: CallerProcess(user: 1001))))
            try peer.event(run, 3, .state(.running, reason: nil))
            try peer.finish(9)
            try peer.waitForTheEnd()
        }
        let result = try await connection.perform(request).result { _ in
            // This callback never answers.
            try await Task.sleep(for: .seconds(3600))
            return .int(1)
        }
        #expect(result.outcome == .done(value: .int(4), dialog: nil))
    }

    @Test func `a late answer is ignored, and nil leaves the question to other users`() async throws {
        let connection = try await ScriptedPeer.greeted { peer in
            _ = try peer.accept()
            try peer.ask(1, 1)
            _ = try peer.receiveAnswer(.refused(ErrorReport(.noQuestion, "answered")))
            try peer.ask(2, 4)
            try peer.event(run, 5, .answered(AnswerNotice(question: 2, by: CallerProcess(user: 1001))))
            try peer.finish(9)
            try peer.waitForTheEnd()
        }
        let result = try await connection.perform(request).result { $0.question.number == 1 ? .int(1) : nil }
        #expect(result.outcome == .done(value: .int(4), dialog: nil))
    }

    @Test(arguments: [false, true])
    func `an error thrown by the callback cancels the run and is rethrown`(isCancellationError: Bool) async throws {
        struct Refusal: Error {}
        let error: any Error = isCancellationError ? CancellationError() : Refusal()
        let connection = try await ScriptedPeer.greeted { peer in
            _ = try peer.accept()
            try peer.ask(1, 1)
            let request = try peer.request()
            #expect(request.request == .cancel(run: run.text))
            try peer.event(run, 2, .state(.stopping, reason: .userCancelled))
            try peer.finish(9)
            try peer.waitForTheEnd()
        }
        let handle = try await connection.perform(request)
        await #expect {
            try await handle.result { _ in throw error }
        } throws: {
            type(of: $0) == type(of: error)
        }
    }

    @Test func `answers in advance are sent with the request`() async throws {
        let connection = try await ScriptedPeer.greeted { peer in
            let perform = try peer.accept()
            #expect(
                perform.answers
                    == AnswersInAdvance(
                        values: ["guests": .int(3)],
                        confirmations: .harmless,
                        others: .refuse
                    )
            )
            try peer.finish(1)
            try peer.waitForTheEnd()
        }
        var request = request
        request.answers = AnswersInAdvance(values: ["guests": .int(3)], confirmations: .harmless, others: .refuse)
        _ = try await connection.perform(request).result
    }

    @Test func `a question is read and answered by its run's identifier`() async throws {
        let connection = try await ScriptedPeer.greeted { peer in
            let asked = try peer.request()
            #expect(asked.request == .question(run: run.text))
            let question = Question(
                number: 1,
                text: "Which?",
                type: .enumeration([
                    EnumerationCase(value: "a", title: "A", style: .destructive),
                    EnumerationCase(value: "b", title: "B", style: .cancel),
                ]),
                kind: .choice
            )
            try peer.answer(
                asked.id,
                .asking(
                    AskingRun(
                        run: run,
                        app: "Soup",
                        intent: "OrderSoup",
                        user: 1000,
                        title: nil,
                        question: OpenQuestion(question, remaining: .milliseconds(5), needsOther: true)
                    )
                )
            )
            let answer = try peer.receiveAnswer(.refused(ErrorReport(.notPermitted, "another must")))
            #expect(answer == AnswerRequest(run: run.text, question: nil, value: .string("a")))
            try peer.waitForTheEnd()
        }
        let waiting = try await connection.question(of: run)
        #expect(waiting.user == 1000)
        #expect(waiting.question.needsOther == true)
        #expect(waiting.question.question.choices.map(\.style) == [.destructive, .cancel])
        let error = await #expect(throws: IntentClientError.self) {
            try await connection.answer(.string("a"), of: run)
        }
        #expect(error?.code == .notPermitted)
    }
}
