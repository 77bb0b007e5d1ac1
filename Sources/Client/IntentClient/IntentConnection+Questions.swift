internal import IntentLinux

/// Answers the questions of runs.
extension IntentConnection {
    /// Returns the open question of a run. The caller must be permitted to answer the question.
    ///
    /// - Throws: ``IntentClientError`` with code `noQuestion` when no question is open, or `unknownRun` when the run is
    ///   unknown or the caller has no access to it.
    public func question(of run: RunID) async throws -> AskingRun {
        try await link.answer(to: .question(run: run.text)) { if case .asking(let asking) = $0 { asking } else { nil } }
    }

    /// Answers a question. Only the first valid answer is accepted.
    ///
    /// - Parameters:
    ///   - question: The question's number; nil to answer the question that is open. Required for a confirmation, and
    ///     for a choice that cannot be undone.
    ///   - value: The answer, a value of the question's type.
    ///   - files: The files that the value refers to by index.
    ///   - scope: The time for which an approval also covers later requests, at most ``OpenQuestion/scope``; nil for
    ///     the run alone.
    /// - Throws: ``IntentClientError`` with code `badAnswer` when the value or scope is invalid or a required number is
    ///   missing (the question stays open), `noQuestion` when the question is closed, or `notPermitted` when another user must
    ///   answer.
    public func answer(
        _ value: IntentValue,
        files: [RunFile] = [],
        to question: UInt64? = nil,
        of run: RunID,
        for scope: Duration? = nil
    ) async throws {
        try await link.answer(value, files, to: question, of: run, for: scope)
    }

    /// Ends the standing approval that the approval of a run has left.
    ///
    /// - Throws: ``IntentClientError`` with code `unknownRun` when the caller has no standing approval of the run.
    public func revokeApproval(of run: RunID) async throws {
        _ = try await link.answer(to: .revoke(run: run.text)) { if case .revoked(let run) = $0 { run } else { nil } }
    }

    /// Issues a ticket for an open question. A later connection from the same user redeems the ticket, and can then
    /// answer the question.
    ///
    /// - Parameter digest: A string of 1 to 200 bytes that identifies the call that the question interrupted.
    /// - Throws: ``IntentClientError`` with code `noQuestion` or `unknownRun`.
    public func ticket(for question: UInt64, of run: RunID, digest: String) async throws -> String {
        let request = TicketRequest(run: run.text, question: question, digest: digest)
        return try await link.answer(to: .ticket(request)) { if case .ticket(let text) = $0 { text } else { nil } }
    }

    /// Redeems a ticket and returns the open question it was issued for. A ticket can be redeemed only once.
    ///
    /// - Parameter digest: The digest with which the ticket was issued.
    /// - Throws: ``IntentClientError`` with code `badTicket` when the ticket was issued to another user or for another
    ///   digest, or was already redeemed; `noQuestion` when the question is closed.
    public func redeem(ticket: String, digest: String) async throws -> AskingRun {
        let request = RedeemRequest(ticket: ticket, digest: digest)
        return try await link.answer(to: .redeem(request)) { if case .asking(let asking) = $0 { asking } else { nil } }
    }
}

extension ServerLink {
    func answer(
        _ value: IntentValue,
        _ files: [RunFile] = [],
        to question: UInt64?,
        of run: RunID,
        for scope: Duration? = nil
    ) async throws {
        guard files.count <= Frame.descriptorLimit else {
            throw IntentClientError(
                .tooLarge,
                "expected at most \(Frame.descriptorLimit) files for an answer, got \(files.count)",
                hint: "pack them into one archive, for example with tar"
            )
        }
        var request = AnswerRequest(
            run: run.text,
            question: question,
            value: value,
            files: files.isEmpty ? nil : files.count
        )
        request.entryPoint = entryPoint
        request.scope = scope
        guard case .answerAccepted = try await self.request(.answer(request), files: files.map(\.shared)).answer else {
            throw IntentClientError.wrongAnswer
        }
    }
}

extension IntentRun {
    /// Answers the run's question. For the errors, see ``IntentConnection/answer(_:files:to:of:for:)``.
    public func answer(_ value: IntentValue, files: [RunFile] = [], to question: Question) async throws {
        try await subscription.link.answer(value, files, to: question.number, of: id)
    }

    /// Waits for the run to end, and passes each of its questions to a closure. No other task may read ``events``
    /// during the call.
    ///
    /// - Parameter answer: A closure that returns the answer, or nil to leave the question to another subscriber. The
    ///   closure's task is cancelled when another client answers or the run stops. If an answer is invalid, the closure
    ///   is called again, with the reason in ``Question/problem``. The title of a choice is a valid answer, too. If the
    ///   closure throws, or three of its answers to a question are invalid, the run is cancelled.
    /// - Throws: ``IntentClientError`` with the run's identifier when the connection is lost, or with code `badAnswer`
    ///   after three invalid answers; the error that `answer` throws.
    public func result(
        answering answer: @escaping @Sendable (OpenQuestion) async throws -> IntentValue?
    ) async throws -> RunResult {
        try await AnsweringReader(subscription: subscription, answer: answer).result()
    }
}

extension RunWatch {
    /// Answers the run's question. For the errors, see ``IntentConnection/answer(_:files:to:of:for:)``.
    public func answer(_ value: IntentValue, files: [RunFile] = [], to question: Question) async throws {
        try await subscription.link.answer(value, files, to: question.number, of: id)
    }
}
