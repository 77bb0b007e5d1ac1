import IntentWire

/// What a run would have to know to go on.
struct OpenQuestion: Sendable {
    /// The most that can be chosen from; the rest of a longer list is left out.
    static let choiceLimit = 200

    /// As it goes to whoever answers; its number is chosen when it goes.
    var question: Question
    /// The parameter that it is about.
    let parameter: (any AnyIntentParameter)?
    /// What can be chosen, as people read it.
    let choices: [String]
    /// Gives the parameter the answer, so that the intent can be performed again; nil for a question that was asked.
    var assign: (@Sendable (IntentWire.IntentValue) async throws -> Void)?

    init(
        _ kind: Question.Kind,
        of parameter: (any AnyIntentParameter)? = nil,
        _ text: String,
        title: String? = nil,
        type: IntentWire.ValueType,
        choices: [String] = []
    ) {
        question = Question(
            number: 0,
            text: text.bounded(to: ErrorMessage.limit),
            type: type,
            kind: kind,
            title: title?.bounded(to: 256)
        )
        self.parameter = parameter
        self.choices = choices
    }

    var kind: Question.Kind { question.kind ?? .value }

    /// The question with what can be chosen.
    var wholeText: String {
        switch kind {
        case .value, .confirmation: question.text
        case .choice:
            choices.isEmpty ? question.text : "\(question.text) (\(choices.prefix(20).joined(separator: ", ")))"
        }
    }

    /// Asks, until there is an answer that can be taken.
    ///
    /// - Parameter take: Makes of the answer what is wanted; ``UnfitValue`` has it asked again, with the reason.
    /// - Throws: This question when nobody answers it; `CancellationError` when the run is cancelled meanwhile.
    func asked<Answer>(_ take: (IntentWire.IntentValue) async throws -> Answer) async throws -> Answer {
        var question = question
        if let session = RunSession.now {
            question.parameter = parameter.flatMap(session.questions.name(of:))
            while let answer = try await session.questions.ask(question) {
                do {
                    return try await IncomingFiles.$ofAnswer.withValue(answer.files) {
                        try await take(answer.value)
                    }
                } catch let unfit as UnfitValue {
                    question.problem = unfit.text.bounded(to: ErrorMessage.limit)
                    question.number = 0
                }
            }
        }
        var unanswered = self
        // It is not asked once more when the run ends with it.
        unanswered.assign = nil
        throw AppIntentError(.unanswered(unanswered))
    }
}
