internal import IntentWire

/// What a run asks in its middle. Its clock stands still until somebody answers.
public struct RunQuestion: Hashable, Sendable {
    /// The run that asks.
    public var run: String
    /// Rises within a run.
    public var number: UInt64
    /// What a person is asked: an app's words, so clean them before a terminal sees them.
    public var text: String
    /// What an answer is.
    public var kind: Kind
    /// What an answer must be: of a confirmation yes or no, of a choice the value of one of ``choices``.
    public var type: ParameterType
    /// What can be chosen; empty for other kinds.
    public var choices: [Choice]
    /// The parameter whose value is asked for; nil for another question.
    public var parameter: String?
    /// What the parameter is called, or the intent.
    public var title: String?
    /// Bounds of a number, of each number where the answer is a list.
    public var range: ParameterRange?
    /// How many elements a list may have.
    public var minimumCount: Int?
    public var maximumCount: Int?
    /// True: nothing, which is ``RunValue/null``, is an answer too.
    public var isOptional: Bool
    /// The answer to suggest.
    public var defaultValue: RunValue?
    /// What saying yes to a confirmation does: `Order`.
    public var acceptLabel: String?
    /// What saying no to it is called: `Cancel`.
    public var denyLabel: String?
    /// True: saying yes to a confirmation cannot be undone.
    public var isDestructive: Bool
    /// True: do not show the answer while it is typed, and keep it nowhere.
    public var isSecret: Bool
    /// True: who asked for the run may not answer, another must.
    public var needsOther: Bool
    /// Why the answer before was not taken.
    public var problem: String?
    /// How long it stays open.
    public var timeLeft: Duration

    /// What an answer is.
    public enum Kind: String, Hashable, Sendable {
        /// A value of the type.
        case value
        /// One of the choices.
        case choice
        /// Whether to go on.
        case confirmation
    }

    /// One of several answers.
    public struct Choice: Hashable, Sendable {
        /// The answer, as a text in a ``RunValue``.
        public var value: String
        /// What it is called.
        public var title: String
        /// A second line.
        public var subtitle: String?
        /// True: it ends the run.
        public var isCancelling: Bool
        /// True: it cannot be undone.
        public var isDestructive: Bool

        /// Makes a choice.
        public init(
            value: String,
            title: String,
            subtitle: String? = nil,
            isCancelling: Bool = false,
            isDestructive: Bool = false
        ) {
            self.value = value
            self.title = title
            self.subtitle = subtitle
            self.isCancelling = isCancelling
            self.isDestructive = isDestructive
        }
    }

    /// Makes a question, with all else as for a plain one.
    public init(
        run: String,
        number: UInt64,
        text: String,
        kind: Kind = .value,
        type: ParameterType,
        choices: [Choice] = [],
        timeLeft: Duration = .seconds(3600)
    ) {
        self.run = run
        self.number = number
        self.text = text
        self.kind = kind
        self.type = type
        self.choices = choices
        self.timeLeft = timeLeft
        isOptional = false
        isDestructive = false
        isSecret = false
        needsOther = false
    }
}

/// Who answered a question of a run.
public struct QuestionAnswer: Hashable, Sendable {
    /// The question's number.
    public var question: UInt64
    public var user: UInt32
    public var process: Int32
    /// What the program called itself.
    public var software: String
    /// True: the answer came with the wish to perform.
    public var isInAdvance: Bool
}

/// A run that waits for an answer.
public struct WaitingRun: Hashable, Sendable {
    public var run: String
    public var app: String
    public var intent: String
    /// Who asked for the run.
    public var user: UInt32
    /// What the run does, as a sentence with its values; nil when the intent has none.
    public var title: String?
    public var question: RunQuestion
}

extension RunQuestion {
    init(_ open: OpenQuestion, of run: RunID) {
        let question = open.question
        self.init(
            run: run.text,
            number: question.number,
            text: question.text,
            kind: question.kind.map(Kind.init) ?? .value,
            type: ParameterType(question.type),
            timeLeft: open.remaining
        )
        if kind == .choice, case .enumeration(let cases) = question.type { choices = cases.map(Choice.init) }
        parameter = question.parameter
        title = question.title
        range = question.range.map { ParameterRange(lowerBound: $0.lowerBound, upperBound: $0.upperBound) }
        minimumCount = question.size?.minimum
        maximumCount = question.size?.maximum
        isOptional = question.isOptional ?? false
        defaultValue = question.defaultValue.flatMap { RunValue($0, files: []) }
        acceptLabel = question.acceptLabel
        denyLabel = question.denyLabel
        isDestructive = question.isDestructive ?? false
        isSecret = question.isSecret ?? false
        needsOther = open.needsOther ?? false
        problem = question.problem
    }
}

extension RunQuestion.Kind {
    init(_ kind: Question.Kind) {
        self =
            switch kind {
            case .value: .value
            case .choice: .choice
            case .confirmation: .confirmation
            }
    }
}

extension RunQuestion.Choice {
    init(_ choice: EnumerationCase) {
        value = choice.value
        title = choice.title
        subtitle = choice.subtitle
        isCancelling = choice.style == .cancel
        isDestructive = choice.style == .destructive
    }
}

extension QuestionAnswer {
    init(_ notice: AnswerNotice) {
        question = notice.question
        user = notice.user
        process = notice.process
        software = notice.software
        isInAdvance = notice.isInAdvance ?? false
    }
}

extension WaitingRun {
    init(_ asking: AskingRun) {
        run = asking.run.text
        app = asking.app
        intent = asking.intent
        user = asking.user
        title = asking.title
        question = RunQuestion(asking.question, of: asking.run)
    }
}
