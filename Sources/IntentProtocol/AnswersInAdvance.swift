/// Answers, sent with a request, to questions that its run may ask.
public struct AnswersInAdvance: Hashable, Sendable, Codable {
    /// Answers by parameter name. Each answers one question for a value or a choice, never a confirmation.
    ///
    /// The answer under ``choiceName`` is the title of the case to choose when a choice belongs to no parameter.
    public var values: [String: IntentValue]?
    /// The key in ``values`` for a choice that belongs to no parameter. No parameter has an empty name.
    public static let choiceName = ""
    /// The confirmations to accept in advance; nil to accept none.
    public var confirmations: Confirmations?
    /// The handling of questions that have no answer here; nil to leave them open.
    public var others: Others?

    /// Selects the confirmations to accept in advance.
    public enum Confirmations: String, Hashable, Sendable, Codable {
        /// Confirmations that are not destructive.
        case harmless
        /// Every confirmation.
        case all
    }

    /// The handling of a question without an answer in advance.
    public enum Others: String, Hashable, Sendable, Codable {
        /// The question stays open until its time runs out.
        case wait
        /// The question is refused at once.
        case refuse
    }

    /// Creates answers. Without arguments, every question waits for a user.
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
