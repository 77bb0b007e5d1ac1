/// Answers that a client sends with a `perform` request, to questions that the run may ask.
public struct AnswersInAdvance: Hashable, Sendable, Codable {
    /// The answers by parameter name. Each answers one question for a value or a choice, never a confirmation. A list
    /// can instead answer several questions for single elements, with one element each.
    ///
    /// For a choice that belongs to no parameter, the name is ``choiceName`` and the value is the title of a case.
    public var values: [String: IntentValue]?
    /// The key in ``values`` for a choice that belongs to no parameter. No parameter has an empty name.
    public static let choiceName = ""
    /// The actions that the caller confirms in advance; nil if the caller confirms no action in advance.
    public var confirmations: Confirmations?
    /// What happens to a question without an answer in advance; nil for ``Others/wait``.
    public var others: Others?

    /// The actions that the caller confirms in advance.
    public enum Confirmations: String, Hashable, Sendable, Codable {
        /// Actions that are not destructive.
        case harmless
        /// All actions, including destructive actions.
        case all
    }

    /// What happens to a question without an answer in advance.
    public enum Others: String, Hashable, Sendable, Codable {
        /// The question stays open until it is answered or `QuestionTimeout=` expires.
        case wait
        /// The question is closed immediately, without an answer.
        case refuse
    }

    /// Creates answers in advance. Without arguments, every question stays open until a user answers it.
    public init(
        values: [String: IntentValue]? = nil,
        confirmations: Confirmations? = nil,
        others: Others? = nil
    ) {
        self.values = values
        self.confirmations = confirmations
        self.others = others
    }
}
