internal import IntentLauncherMessages

/// A question that a run asks in a test.
public struct IntentTestQuestion: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The kind of answer that a question requires.
    public enum Kind: Hashable, Sendable {
        /// A value of the parameter's type.
        case value
        /// One of ``IntentTestQuestion/choices``.
        case choice
        /// A decision whether to continue.
        case confirmation
    }

    /// The text of the question, as the app wrote it.
    public let text: String
    /// The name of the parameter that the question is about; nil if the question is not about a parameter.
    public let parameter: String?
    /// The kind of answer that the question requires.
    public let kind: Kind
    /// The titles of the choices; empty unless the question is a choice.
    public let choices: [String]
    /// The label of the button that accepts a confirmation, such as `Order`; nil when the app set none.
    public let acceptLabel: String?
    /// True if the action to confirm cannot be undone.
    public let isDestructive: Bool
    /// The reason why the previous answer was rejected; nil when the question is asked for the first time.
    public let problem: String?
    /// The snippet that the run shows before the question; nil when it shows none.
    public let snippet: IntentTestSnippet?
    let question: Question

    init(_ question: Question) {
        self.question = question
        text = question.text
        parameter = question.parameter
        kind =
            switch question.kind {
            case .choice: .choice
            case .confirmation: .confirmation
            case .value, .unknown, nil: .value
            }
        choices = question.choices.map(\.title)
        acceptLabel = question.acceptLabel
        isDestructive = question.isDestructive ?? false
        problem = question.problem
        snippet = question.snippet.map(IntentTestSnippet.init)
    }

    /// The question as text, such as `"How many?" (parameter 'quantity')`.
    public var description: String {
        var text = "\"\(text)\""
        if let parameter { text += " (parameter '\(parameter)')" }
        if !choices.isEmpty { text += " [\(choices.joined(separator: ", "))]" }
        if let problem { text += "; the previous answer \(problem)" }
        return text
    }

    /// An empty mirror. A failed expectation therefore shows only the text.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
