/// What a caller says beforehand to questions that a run may ask.
public struct AnswersInAdvance: Hashable, Sendable, Codable {
    /// By parameter; each answers one question for a value or a choice, never a confirmation. By ``choiceName``: the
    /// title of what is chosen where a choice is about no parameter.
    public var values: [String: IntentValue]?
    /// The name of a choice about no parameter: no parameter has it.
    public static let choiceName = ""
    /// The confirmations that are accepted; nil: none.
    public var confirmations: Confirmations?
    /// What becomes of questions that none of this answers; nil: they wait for somebody.
    public var others: Others?

    public enum Confirmations: String, Hashable, Sendable, Codable {
        /// Those that are not destructive.
        case harmless
        case all
    }

    public enum Others: String, Hashable, Sendable, Codable {
        /// They wait until their time is over.
        case wait
        /// They go unanswered at once.
        case refuse
    }

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
