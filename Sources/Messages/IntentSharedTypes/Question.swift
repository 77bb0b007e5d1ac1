/// A question that a run asks while it performs its intent. A run has at most one open question at a time.
public struct Question: Hashable, Sendable, Codable {
    /// The question's number within the run, from 1 to 1000. An answer refers to the question by this number. `intentd`
    /// itself asks question 0, which requests approval for a run that an agent requested, and the questions from 1001,
    /// whether the run may connect to a host (`AllowHosts=ask`).
    public var number: UInt64
    /// The text of the question. The app chooses it, except for the questions of `intentd`.
    public var text: String
    /// The parameter for which the answer provides a value; nil when the question concerns no parameter.
    public var parameter: String?
    /// The type of the answer: `bool` for a confirmation, an enumeration for a choice.
    public var type: ValueType
    /// The kind of question; nil for ``Kind/value``.
    public var kind: Kind?
    /// The display name of the parameter; without a parameter, the display name of the intent.
    public var title: String?
    /// The bounds of a number, or of each number in a list.
    public var range: NumberRange?
    /// The permitted number of elements in a list.
    public var size: ElementCount?
    /// True when the answer may be ``IntentValue/null``.
    public var isOptional: Bool?
    /// The suggested answer.
    public var defaultValue: IntentValue?
    /// The label for accepting a confirmation, such as `Order`.
    public var acceptLabel: String?
    /// The label for declining a confirmation, such as `Cancel`.
    public var denyLabel: String?
    /// True when the action that a confirmation permits cannot be undone.
    public var isDestructive: Bool?
    /// True when the answer must not be recorded and must be hidden while the user types it. Set by `intentd`, never by
    /// the worker.
    public var isSecret: Bool?
    /// The reason why the previous answer was rejected.
    public var problem: String?
    /// The SHA-256 digest, in hexadecimal, of the intent, values and files that the answer to question 0 approves; nil
    /// for other questions.
    public var digest: String?
    /// The view to show before the question's text; nil for a question without a view.
    public var snippet: Snippet?

    /// The kind of answer that a question requests.
    public enum Kind: Hashable, Sendable, Codable {
        /// A value of the question's type.
        case value
        /// One of the type's cases.
        case choice
        /// A decision whether to continue.
        case confirmation
        /// A kind that a later release added. The question's type defines the valid answers.
        case unknown(String)
    }

    /// Creates a question.
    public init(
        number: UInt64,
        text: String,
        parameter: String? = nil,
        type: ValueType,
        kind: Kind? = nil,
        title: String? = nil
    ) {
        self.number = number
        self.text = text
        self.parameter = parameter
        self.type = type
        self.kind = kind
        self.title = title
    }
}

extension Question {
    /// The maximum number of questions that a run can ask.
    public static let countLimit: UInt64 = 1000
    /// The number of the first question about a host.
    package static let firstAboutHost = countLimit + 1
    /// The maximum size of a question, in bytes of JSON.
    public static let byteLimit = 32 << 10

    /// True when the answer permits an action: the question is a confirmation, or a choice with a destructive case.
    public var isConfirmation: Bool {
        if kind == .confirmation { return true }
        guard kind == .choice, case .enumeration(let cases) = type else { return false }
        return cases.contains { $0.style == .destructive }
    }

    /// Returns true if the answer declines the action or cancels the choice.
    public func isDeclined(by answer: IntentValue) -> Bool {
        switch (kind, type, answer) {
        case (.confirmation, _, .bool(let isConfirmed)): !isConfirmed
        case (.choice, .enumeration(let cases), .string(let value)):
            cases.first { $0.value == value }?.style == .cancel
        default: false
        }
    }

    /// The cases to choose from; empty unless the question is a choice.
    public var choices: [EnumerationCase] {
        if kind == .choice, case .enumeration(let cases) = type { cases } else { [] }
    }

    /// The question as history records it. The text of a question about a secret parameter is not recorded.
    public var onRecord: Question {
        guard isSecret == true else { return self }
        var kept = Question(number: number, text: "about the secret parameter '\(parameter ?? "")'", type: .string)
        kept.parameter = parameter
        kept.kind = kind
        kept.isSecret = true
        return kept
    }
}
