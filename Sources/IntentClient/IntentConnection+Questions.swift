internal import IntentLinux
public import IntentProtocol
internal import IntentWire

/// Runs that wait for answers.
extension IntentConnection {
    /// The open question of a run, for a user permitted to answer it.
    ///
    /// - Throws: ``IntentClientError`` with code `noQuestion` when it waits with none, `unknownRun` when there is no such
    ///   run for the caller's eyes.
    public func question(of run: RunID) async throws -> AskingRun {
        let answer = try await link.request(.question(run: run.text)).answer
        guard case .asking(let asking) = answer else { throw IntentClientError.wrongAnswer }
        return asking
    }

    /// Answers a question. The first answer that fits is the one that counts.
    ///
    /// - Parameters:
    ///   - question: Its number; nil: the one that is open, unless that is a confirmation.
    ///   - value: Of the question's type.
    ///   - files: The files that the value names by index.
    /// - Throws: ``IntentClientError`` with code `badAnswer` when the value does not fit or the number of a confirmation
    ///   is missing, and the question stays open;
    ///   `noQuestion` when it is not open any more; `notPermitted` when another must answer.
    public func answer(
        _ value: IntentValue,
        files: [RunFile] = [],
        to question: UInt64? = nil,
        of run: RunID
    ) async throws {
        try await link.answer(value, files, to: question, of: run)
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
        let request = AnswerRequest(
            run: run.text,
            question: question,
            value: value,
            files: files.isEmpty ? nil : files.count
        )
        guard case .answerTaken = try await self.request(.answer(request), files: files.map(\.shared)).answer else {
            throw IntentClientError.wrongAnswer
        }
    }
}

extension IntentRun {
    /// Answers the run's question; ``IntentConnection/answer(_:files:to:of:)`` says what can go wrong.
    public func answer(_ value: IntentValue, files: [RunFile] = [], to question: Question) async throws {
        try await bond.link.answer(value, files, to: question.number, of: id)
    }

    /// Waits for the end, and has the run's questions answered. No other task may read ``events`` meanwhile.
    ///
    /// - Parameter answer: Gives the answer to a question, or nil to leave it to others. Its task is cancelled when
    ///   another client answered, or the run stops. It is called again with the reason in ``Question/problem`` when
    ///   what it gave does not fit. When it throws, the run is cancelled.
    /// - Throws: ``IntentClientError`` naming the run when the connection is lost; what `answer` throws.
    public func result(
        answering answer: @escaping @Sendable (OpenQuestion) async throws -> IntentValue?
    ) async throws -> RunResult {
        try await AnsweringReader(bond: bond, answer: answer).result()
    }
}

extension RunWatch {
    /// Answers the run's question; ``IntentConnection/answer(_:files:to:of:)`` says what can go wrong.
    public func answer(_ value: IntentValue, files: [RunFile] = [], to question: Question) async throws {
        try await bond.link.answer(value, files, to: question.number, of: id)
    }
}
