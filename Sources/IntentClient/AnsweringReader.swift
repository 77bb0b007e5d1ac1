internal import IntentProtocol

/// Reads a run's events to the end, and passes its questions to a closure.
struct AnsweringReader: Sendable {
    let bond: RunBond
    let answer: @Sendable (OpenQuestion) async throws -> IntentValue?

    private enum Step: Sendable {
        case event(RunEvent?)
        /// The question was answered, or no longer needs an answer.
        case done
    }

    func result() async throws -> RunResult {
        try await withThrowingTaskGroup(of: Step.self) { group in
            var closing: AsyncStream<Never>.Continuation?
            defer { closing?.finish() }
            group.addTask { .event(try await bond.next()) }
            while let step = try await group.next() {
                guard case .event(let event) = step else { continue }
                switch event {
                case .question(let question):
                    closing?.finish()
                    let (closed, continuation) = AsyncStream.makeStream(of: Never.self)
                    closing = continuation
                    group.addTask { try await give(answerTo: question, until: closed) }
                case .answered, .state: closing?.finish()
                case .progress, .output: break
                case .finished:
                    closing?.finish()
                    return try await bond.result()
                case nil: throw IntentClientError(.connectionLost, "the run has no end", run: bond.feed.run)
                }
                group.addTask { .event(try await bond.next()) }
            }
            preconditionFailure("an event is always being waited for")
        }
    }

    /// Calls the closure in a task of its own, which is cancelled when the question closes.
    private func give(answerTo question: OpenQuestion, until closed: AsyncStream<Never>) async throws -> Step {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await give(answerTo: question) }
            group.addTask { for await _ in closed {} }
            defer { group.cancelAll() }
            do {
                try await group.next()
            } catch is CancellationError {
                // The answer is no longer needed.
            }
        }
        return .done
    }

    private func give(answerTo question: OpenQuestion) async throws {
        var question = question
        while let value = try await answer(question) {
            do {
                return try await bond.link.answer(value, to: question.question.number, of: bond.feed.run)
            } catch let error as IntentClientError where error.code == .badAnswer {
                question.question.problem = error.message
            } catch let error as IntentClientError where error.code == .noQuestion || error.code == .notPermitted {
                // Another client answered first, or must answer.
                return
            }
        }
    }
}
