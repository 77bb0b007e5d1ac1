/// Reads a run's events until the run ends, and passes each question to a closure.
struct AnsweringReader: Sendable {
    let subscription: RunSubscription
    let answer: @Sendable (OpenQuestion) async throws -> IntentValue?

    private enum Step: Sendable {
        case event(RunEvent?)
        /// The answer was sent, or the question has closed.
        case done
    }

    func result() async throws -> RunResult {
        try await withThrowingTaskGroup(of: Step.self) { group in
            var closing: AsyncStream<Never>.Continuation?
            defer { closing?.finish() }
            group.addTask { .event(try await subscription.next()) }
            while let step = try await group.next() {
                guard case .event(let event) = step else { continue }
                switch event {
                case .question(let question):
                    closing?.finish()
                    let (closed, continuation) = AsyncStream.makeStream(of: Never.self)
                    closing = continuation
                    group.addTask { try await requestAnswer(to: question, until: closed) }
                case .answered, .state: closing?.finish()
                case .progress, .output: break
                case .finished:
                    closing?.finish()
                    return try await subscription.result()
                case nil:
                    throw IntentClientError(
                        .connectionLost,
                        "intentd sent no more events, but the run has not ended",
                        run: subscription.feed.run
                    )
                }
                group.addTask { .event(try await subscription.next()) }
            }
            preconditionFailure("no task in the group is waiting for an event")
        }
    }

    /// Calls the answering closure in a separate task, which is cancelled when the question closes.
    private func requestAnswer(to question: OpenQuestion, until closed: AsyncStream<Never>) async throws -> Step {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await requestAnswer(to: question) }
            group.addTask { for await _ in closed {} }
            defer { group.cancelAll() }
            try await group.next()
        }
        return .done
    }

    /// How many answers to one question `intentd` may refuse. Without a limit, a program that always answers
    /// wrongly would answer without a pause.
    private static let refusalLimit = 3

    private func requestAnswer(to question: OpenQuestion) async throws {
        var question = question
        var refusalCount = 0
        while let value = try await answer(question) {
            do {
                let (run, named) = (subscription.feed.run, question.question.type.value(named: value))
                return try await subscription.link.answer(named, to: question.question.number, of: run)
            } catch let error as IntentClientError where error.code == .badAnswer {
                refusalCount += 1
                if refusalCount == Self.refusalLimit { throw error }
                question.question.problem = error.message
            } catch let error as IntentClientError where error.code == .noQuestion || error.code == .notPermitted {
                // Stop asking: another client has already answered, or a different user must answer.
                return
            }
        }
    }
}
