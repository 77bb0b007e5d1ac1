import IntentSharedTypes

/// A question that must be answered before the run can continue.
struct AskedQuestion: Sendable {
    /// The maximum number of choices in a question. Additional choices are omitted.
    static let choiceLimit = 200

    /// The question to send. Its number is assigned when it is sent.
    var question: Question
    /// The parameter that the question asks about; nil if the question concerns the run as a whole.
    let parameter: (any AnyIntentParameter)?
    /// The display names of the choices.
    let choices: [String]
    /// The closure that assigns the answer to the parameter so that the intent can be performed again; nil if the
    /// question has already been asked.
    var assign: (@Sendable (IntentValue) async throws -> Void)?

    init(
        _ kind: Question.Kind,
        of parameter: (any AnyIntentParameter)? = nil,
        _ text: String,
        title: String? = nil,
        type: IntentSharedTypes.ValueType,
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

    /// The text of the question. If it is a choice, its first 20 choices follow in parentheses.
    var textWithChoices: String {
        switch kind {
        case .value, .confirmation, .unknown: question.text
        case .choice:
            choices.isEmpty ? question.text : "\(question.text) (\(choices.prefix(20).joined(separator: ", ")))"
        }
    }

    /// Asks the question repeatedly until the answer is valid, and returns the converted answer.
    ///
    /// - Parameter convert: A closure that converts the answer. If it throws ``InvalidValue``, the question is repeated
    ///   with the reason.
    /// - Throws: An error that contains the question when no client can answer the question; `CancellationError` when
    ///   the run is cancelled while the question is open.
    func ask<Answer>(_ convert: (IntentValue) async throws -> Answer) async throws -> Answer {
        var question = question
        if let session = RunSession.now {
            question.parameter = parameter.flatMap(session.questions.name(of:))
            while let answer = try await session.questions.ask(question) {
                do {
                    return try await IncomingFiles.$ofAnswer.withValue(answer.files) {
                        try await convert(answer.value)
                    }
                } catch let invalid as InvalidValue {
                    question.problem = invalid.text.bounded(to: ErrorMessage.limit)
                    question.number = 0
                }
            }
        }
        var unanswered = self
        // If this error ends the run, the question must not be asked a second time.
        unanswered.assign = nil
        throw AppIntentError(.unanswered(unanswered))
    }
}
