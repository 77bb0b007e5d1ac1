/// What a run asks somebody in its middle. One at a time is open.
package struct Question: Hashable, Sendable, Codable {
    /// Chosen by the worker, rising from 1: an answer names the question that it is for.
    package var number: UInt64
    /// What a person is asked.
    package var text: String
    /// The parameter whose value is asked for; nil for another kind of question.
    package var parameter: String?
    /// What an answer must be: of a confirmation yes or no, of a choice one of its cases.
    package var type: ValueType
    /// Nil for a value.
    package var kind: Kind?
    /// What the parameter is called; of a question without one, what the intent is called.
    package var title: String?
    /// Bounds of a number, of each number where the answer is a list.
    package var range: NumberRange?
    /// How many elements a list may have.
    package var size: ElementCount?
    /// True when nothing is an answer too.
    package var isOptional: Bool?
    /// The answer of who just says yes to the question.
    package var defaultValue: IntentValue?
    /// What saying yes to a confirmation does: `Order`.
    package var acceptLabel: String?
    /// What saying no to it is called: `Cancel`.
    package var denyLabel: String?
    /// True when saying yes to a confirmation cannot be undone.
    package var isDestructive: Bool?
    /// True when the answer goes on no record, and is not shown while it is typed. intentd's word, not the worker's.
    package var isSecret: Bool?
    /// Why the answer before was not taken.
    package var problem: String?

    /// What an answer is.
    package enum Kind: String, Hashable, Sendable, Codable {
        /// A value of the type.
        case value
        /// One of the type's cases.
        case choice
        /// Whether to go on.
        case confirmation
    }

    package init(
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
    package static let countLimit: UInt64 = 1000
    /// The most bytes that one may have as JSON.
    package static let byteLimit = 32 << 10

    /// True when somebody decides by it whether something is done: a confirmation, or a choice with an answer that
    /// cannot be undone.
    package var isConfirmation: Bool {
        if kind == .confirmation { return true }
        guard kind == .choice, case .enumeration(let cases) = type else { return false }
        return cases.contains { $0.style == .destructive }
    }

    /// True when the answer says that the person does not want to go on.
    package func isDeclined(by answer: IntentValue) -> Bool {
        switch (kind, type, answer) {
        case (.confirmation, _, .bool(let isConfirmed)): !isConfirmed
        case (.choice, .enumeration(let cases), .string(let value)):
            cases.first { $0.value == value }?.style == .cancel
        default: false
        }
    }

    /// As it may be kept: without the words around a secret.
    package var onRecord: Question {
        guard isSecret == true else { return self }
        var kept = Question(number: number, text: "about '\(parameter ?? "")', which is secret", type: .string)
        kept.parameter = parameter
        kept.kind = kind
        kept.isSecret = true
        return kept
    }
}

/// A question as clients see it.
package struct OpenQuestion: Hashable, Sendable {
    package var question: Question
    /// Until it counts as unanswered, sleep of the machine included.
    package var remainingMilliseconds: Int64
    /// True: who asked for the run may not answer this one (`Confirm=`).
    package var needsOther: Bool?

    package init(_ question: Question, remainingMilliseconds: Int64, needsOther: Bool? = nil) {
        self.question = question
        self.remainingMilliseconds = remainingMilliseconds
        self.needsOther = needsOther
    }
}

extension OpenQuestion: Codable {
    private enum Key: String, CodingKey { case remainingMilliseconds, needsOther }

    package init(from decoder: any Decoder) throws {
        question = try Question(from: decoder)
        let container = try decoder.container(keyedBy: Key.self)
        remainingMilliseconds = try container.decode(Int64.self, forKey: .remainingMilliseconds)
        needsOther = try container.decodeIfPresent(Bool.self, forKey: .needsOther)
    }

    package func encode(to encoder: any Encoder) throws {
        try question.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(remainingMilliseconds, forKey: .remainingMilliseconds)
        try container.encodeIfPresent(needsOther, forKey: .needsOther)
    }
}

/// A run that waits for an answer, for the one who may give it.
package struct AskingRun: Hashable, Sendable, Codable {
    package var run: RunID
    package var app: String
    package var intent: String
    /// Who asked for the run.
    package var user: UInt32
    /// What the run does: the intent's sentence with its values; nil where it has none.
    package var title: String?
    package var question: OpenQuestion

    package init(run: RunID, app: String, intent: String, user: UInt32, title: String?, question: OpenQuestion) {
        self.run = run
        self.app = app
        self.intent = intent
        self.user = user
        self.title = title
        self.question = question
    }
}

/// Who answered a question, without what he said.
package struct AnswerNotice: Hashable, Sendable, Codable {
    /// The number of the question, which is not open any more.
    package var question: UInt64
    package var user: UInt32
    package var process: Int32
    package var software: String
    /// True when the answer came with the wish to perform.
    package var isInAdvance: Bool?

    package init(question: UInt64, by caller: CallerProcess, isInAdvance: Bool? = nil) {
        self.question = question
        user = caller.user
        process = caller.process
        software = caller.software
        self.isInAdvance = isInAdvance
    }
}
