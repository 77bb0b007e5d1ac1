/// What a run asks somebody in its middle. One at a time is open.
public struct Question: Hashable, Sendable, Codable {
    /// Chosen by the worker, rising from 1: an answer names the question that it is for.
    public var number: UInt64
    /// What a person is asked.
    public var text: String
    /// The parameter whose value is asked for; nil for another kind of question.
    public var parameter: String?
    /// What an answer must be: of a confirmation yes or no, of a choice one of its cases.
    public var type: ValueType
    /// Nil for a value.
    public var kind: Kind?
    /// What the parameter is called; of a question without one, what the intent is called.
    public var title: String?
    /// Bounds of a number, of each number where the answer is a list.
    public var range: NumberRange?
    /// How many elements a list may have.
    public var size: ElementCount?
    /// True when nothing is an answer too.
    public var isOptional: Bool?
    /// The answer of who just says yes to the question.
    public var defaultValue: IntentValue?
    /// What saying yes to a confirmation does: `Order`.
    public var acceptLabel: String?
    /// What saying no to it is called: `Cancel`.
    public var denyLabel: String?
    /// True when saying yes to a confirmation cannot be undone.
    public var isDestructive: Bool?
    /// True when the answer goes on no record, and is not shown while it is typed. intentd's word, not the worker's.
    public var isSecret: Bool?
    /// Why the answer before was not taken.
    public var problem: String?

    /// What an answer is.
    public enum Kind: String, Hashable, Sendable, Codable {
        /// A value of the type.
        case value
        /// One of the type's cases.
        case choice
        /// Whether to go on.
        case confirmation
    }

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
    /// The most that a run may ask.
    public static let countLimit: UInt64 = 1000
    /// The most bytes that one may have as JSON.
    public static let byteLimit = 32 << 10

    /// True when somebody decides by it whether something is done: a confirmation, or a choice with an answer that
    /// cannot be undone.
    public var isConfirmation: Bool {
        if kind == .confirmation { return true }
        guard kind == .choice, case .enumeration(let cases) = type else { return false }
        return cases.contains { $0.style == .destructive }
    }

    /// True when the answer says that the person does not want to go on.
    public func isDeclined(by answer: IntentValue) -> Bool {
        switch (kind, type, answer) {
        case (.confirmation, _, .bool(let isConfirmed)): !isConfirmed
        case (.choice, .enumeration(let cases), .string(let value)):
            cases.first { $0.value == value }?.style == .cancel
        default: false
        }
    }

    /// What can be chosen; empty for a question of another kind.
    public var choices: [EnumerationCase] {
        if kind == .choice, case .enumeration(let cases) = type { cases } else { [] }
    }

    /// As it may be kept: without the words around a secret.
    public var onRecord: Question {
        guard isSecret == true else { return self }
        var kept = Question(number: number, text: "about '\(parameter ?? "")', which is secret", type: .string)
        kept.parameter = parameter
        kept.kind = kind
        kept.isSecret = true
        return kept
    }
}

/// A question as clients see it.
public struct OpenQuestion: Hashable, Sendable {
    public var question: Question
    /// Until it counts as unanswered, sleep of the machine included.
    public var remaining: Duration
    /// True: who asked for the run may not answer this one (`Confirm=`).
    public var needsOther: Bool?

    public init(_ question: Question, remaining: Duration, needsOther: Bool? = nil) {
        self.question = question
        self.remaining = remaining
        self.needsOther = needsOther
    }
}

extension OpenQuestion: Codable {
    private enum Key: String, CodingKey { case remainingMilliseconds, needsOther }

    public init(from decoder: any Decoder) throws {
        question = try Question(from: decoder)
        let container = try decoder.container(keyedBy: Key.self)
        remaining = .milliseconds(try container.decode(Int64.self, forKey: .remainingMilliseconds))
        needsOther = try container.decodeIfPresent(Bool.self, forKey: .needsOther)
    }

    public func encode(to encoder: any Encoder) throws {
        try question.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(remaining.wholeMilliseconds, forKey: .remainingMilliseconds)
        try container.encodeIfPresent(needsOther, forKey: .needsOther)
    }
}

/// A run that waits for an answer, for the one who may give it.
public struct AskingRun: Hashable, Sendable, Codable {
    public var run: RunID
    public var app: String
    public var intent: String
    /// Who asked for the run.
    public var user: UInt32
    /// What the run does: the intent's sentence with its values; nil where it has none.
    public var title: String?
    public var question: OpenQuestion

    public init(run: RunID, app: String, intent: String, user: UInt32, title: String?, question: OpenQuestion) {
        self.run = run
        self.app = app
        self.intent = intent
        self.user = user
        self.title = title
        self.question = question
    }
}

/// Who answered a question, without what he said.
public struct AnswerNotice: Hashable, Sendable, Codable {
    /// The number of the question, which is not open any more.
    public var question: UInt64
    public var user: UInt32
    public var process: Int32
    public var software: String
    /// True when the answer came with the wish to perform.
    public var isInAdvance: Bool?

    public init(question: UInt64, by caller: CallerProcess, isInAdvance: Bool? = nil) {
        self.question = question
        user = caller.user
        process = caller.process
        software = caller.software
        self.isInAdvance = isInAdvance
    }
}
