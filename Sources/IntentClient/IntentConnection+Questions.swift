internal import IntentLinux
internal import IntentWire

/// Runs that wait for answers.
extension IntentConnection {
    /// The question with which a run waits, for the one who may answer it.
    ///
    /// - Throws: ``IntentClientError`` with code `noQuestion` when it waits with none, `unknownRun` when there is no such
    ///   run for the caller's eyes.
    public func question(of run: String) async throws -> WaitingRun {
        let answer = try await link.request(.question(run: run)).answer
        guard case .asking(let asking) = answer else { throw IntentClientError.wrongAnswer }
        return WaitingRun(asking)
    }

    /// Answers a question. The first answer that fits is the one that counts.
    ///
    /// - Parameters:
    ///   - question: Its number; nil: the one that is open, unless that is a confirmation.
    ///   - value: Of the question's type.
    /// - Throws: ``IntentClientError`` with code `badAnswer` when the value does not fit or the number of a confirmation
    ///   is missing, and the question stays open;
    ///   `noQuestion` when it is not open any more; `notPermitted` when another must answer.
    public func answer(_ value: RunValue, to question: UInt64? = nil, of run: String) async throws {
        try await link.answer(value, to: question, of: run)
    }
}

extension ServerLink {
    func answer(_ value: RunValue, to question: UInt64?, of run: String) async throws {
        var files: [SharedFileDescriptor] = []
        var request = AnswerRequest(run: run, question: question, value: value.wireValue(collecting: &files))
        guard files.count <= Frame.descriptorLimit else {
            throw IntentClientError(
                .tooLarge,
                "\(files.count) files are too many for one answer: the limit is \(Frame.descriptorLimit)",
                hint: "pack them into one (tar)."
            )
        }
        if !files.isEmpty { request.files = files.count }
        guard case .answerTaken = try await self.request(.answer(request), files: files).answer else {
            throw IntentClientError.wrongAnswer
        }
    }
}

extension IntentRun {
    /// Answers the run's question; ``IntentConnection/answer(_:to:of:)`` says what can go wrong.
    public func answer(_ value: RunValue, to question: RunQuestion) async throws {
        try await bond.link.answer(value, to: question.number, of: id)
    }

    /// Waits for the end, and has the run's questions answered; nobody else may read ``updates`` meanwhile.
    ///
    /// - Parameter answer: Gives the answer to a question, or nil to leave it to others. Its task is cancelled when
    ///   somebody else answered, or the run stops. It is called again with the reason in ``RunQuestion/problem`` when
    ///   what it gave does not fit. When it throws, the run is cancelled.
    /// - Throws: ``IntentClientError`` naming the run when the connection is lost; what `answer` throws.
    public func result(
        answering answer: @escaping @Sendable (RunQuestion) async throws -> RunValue?
    ) async throws -> RunResult {
        try await AnsweringReader(bond: bond, answer: answer).result()
    }
}

extension RunWatch {
    /// Answers the run's question; ``IntentConnection/answer(_:to:of:)`` says what can go wrong.
    public func answer(_ value: RunValue, to question: RunQuestion) async throws {
        try await bond.link.answer(value, to: question.number, of: run)
    }
}
