internal import IntentLinux
public import IntentProtocol
internal import IntentWire

/// Runs that wait for an answer.
extension IntentConnection {
    /// The open question of a run, for a user who is permitted to answer it.
    ///
    /// - Throws: ``IntentClientError`` with code `noQuestion` when no question is open, `unknownRun` when the run is
    ///   unknown or the caller may not see it.
    public func question(of run: RunID) async throws -> AskingRun {
        let answer = try await link.request(.question(run: run.text)).answer
        guard case .asking(let asking) = answer else { throw IntentClientError.wrongAnswer }
        return asking
    }

    /// Answers a question. The first valid answer counts.
    ///
    /// - Parameters:
    ///   - question: The question's number; nil for the open question, unless it is a confirmation.
    ///   - value: The answer, of the question's type.
    ///   - files: The files that the value names by index.
    /// - Throws: ``IntentClientError`` with code `badAnswer` when the value does not fit or the number of a
    ///   confirmation is missing, and the question stays open; `noQuestion` when the question is no longer open;
    ///   `notPermitted` when another user must answer.
    public func answer(
        _ value: IntentValue,
        files: [RunFile] = [],
        to question: UInt64? = nil,
        of run: RunID
    ) async throws {
        try await link.answer(value, files, to: question, of: run)
    }

    /// Issues a ticket for an open question, for a client that receives the answer with another request of its own
    /// caller. The ticket outlives this connection.
    ///
    /// - Parameter digest: Text that identifies the call that the question interrupts: 1 to 200 bytes.
    /// - Throws: ``IntentClientError`` with code `noQuestion` or `unknownRun`.
    public func ticket(for question: UInt64, of run: RunID, digest: String) async throws -> String {
        let request = TicketRequest(run: run.text, question: question, digest: digest)
        guard case .ticket(let text) = try await link.request(.ticket(request)).answer else {
            throw IntentClientError.wrongAnswer
        }
        return text
    }

    /// Redeems a ticket, once. Returns its question, which waits for an answer.
    ///
    /// - Parameter digest: The text with which the ticket was issued.
    /// - Throws: ``IntentClientError`` with code `badTicket` when the ticket was not issued to this user for this digest,
    ///   or was redeemed before; `noQuestion` when the question is no longer open.
    public func redeem(ticket: String, digest: String) async throws -> AskingRun {
        let request = RedeemRequest(ticket: ticket, digest: digest)
        guard case .asking(let asking) = try await link.request(.redeem(request)).answer else {
            throw IntentClientError.wrongAnswer
        }
        return asking
    }
}

extension ServerLink {
    func answer(_ value: IntentValue, _ files: [RunFile] = [], to question: UInt64?, of run: RunID) async throws {
        guard files.count <= Frame.descriptorLimit else {
            throw IntentClientError(
                .tooLarge,
                "\(files.count) files are too many for one answer: the limit is \(Frame.descriptorLimit)",
                hint: "pack them into one (tar)."
            )
        }
        var request = AnswerRequest(
            run: run.text,
            question: question,
            value: value,
            files: files.isEmpty ? nil : files.count
        )
        request.entryPoint = entryPoint
        guard case .answerAccepted = try await self.request(.answer(request), files: files.map(\.shared)).answer else {
            throw IntentClientError.wrongAnswer
        }
    }
}

extension IntentRun {
    /// Answers the run's question. ``IntentConnection/answer(_:files:to:of:)`` lists the errors.
    public func answer(_ value: IntentValue, files: [RunFile] = [], to question: Question) async throws {
        try await bond.link.answer(value, files, to: question.number, of: id)
    }

    /// Waits for the end, and passes the run's questions to a closure. No other task may read ``events`` meanwhile.
    ///
    /// - Parameter answer: Returns the answer, or nil to leave the question to another subscriber. The closure's task
    ///   is cancelled when another client answers or the run stops. When an answer does not fit, the closure is called
    ///   again, with the reason in ``Question/problem``. When the closure throws, the run is cancelled.
    /// - Throws: ``IntentClientError`` that names the run when the connection is lost; the error of `answer`.
    public func result(
        answering answer: @escaping @Sendable (OpenQuestion) async throws -> IntentValue?
    ) async throws -> RunResult {
        try await AnsweringReader(bond: bond, answer: answer).result()
    }
}

extension RunWatch {
    /// Answers the run's question. ``IntentConnection/answer(_:files:to:of:)`` lists the errors.
    public func answer(_ value: IntentValue, files: [RunFile] = [], to question: Question) async throws {
        try await bond.link.answer(value, files, to: question.number, of: id)
    }
}
