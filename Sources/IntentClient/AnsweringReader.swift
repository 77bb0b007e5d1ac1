internal import IntentWire

/// Reads a run's updates to the end, and has its questions answered meanwhile.
struct AnsweringReader: Sendable {
    let bond: RunBond
    let answer: @Sendable (RunQuestion) async throws -> RunValue?

    private enum Step: Sendable {
        case update(RunUpdate?)
        /// An answer was given, or is not wanted any more.
        case done
    }

    func result() async throws -> RunResult {
        try await withThrowingTaskGroup(of: Step.self) { group in
            var closing: AsyncStream<Never>.Continuation?
            defer { closing?.finish() }
            group.addTask { .update(try await bond.next()) }
            while let step = try await group.next() {
                guard case .update(let update) = step else { continue }
                switch update {
                case .question(let question):
                    closing?.finish()
                    let (closed, continuation) = AsyncStream.makeStream(of: Never.self)
                    closing = continuation
                    group.addTask { try await give(answerTo: question, until: closed) }
                case .answered, .phase: closing?.finish()
                case .progress, .output: break
                case .ended(let result):
                    closing?.finish()
                    return result
                case nil: throw IntentClientError(.connectionLost, "the run has no end", run: bond.feed.run.text)
                }
                group.addTask { .update(try await bond.next()) }
            }
            preconditionFailure("an update is always being waited for")
        }
    }

    /// Two tasks: who answers, and the wait for that being of no use any more.
    private func give(answerTo question: RunQuestion, until closed: AsyncStream<Never>) async throws -> Step {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await give(answerTo: question) }
            group.addTask { for await _ in closed {} }
            defer { group.cancelAll() }
            do {
                try await group.next()
            } catch is CancellationError {
                // Nobody wants the answer any more.
            }
        }
        return .done
    }

    private func give(answerTo question: RunQuestion) async throws {
        var question = question
        while let value = try await answer(question) {
            do {
                return try await bond.link.answer(value, to: question.number, of: question.run)
            } catch let error as IntentClientError where error.code == .badAnswer {
                question.problem = error.message
            } catch let error as IntentClientError where error.code == .noQuestion || error.code == .notPermitted {
                // Another was faster, or must be.
                return
            }
        }
    }
}
