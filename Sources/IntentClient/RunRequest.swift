internal import IntentLinux
internal import IntentWire

/// The wish to perform an intent.
public struct RunRequest: Sendable {
    /// The app's name.
    public var app: String
    /// The intent's name, with or without the suffix `Intent`.
    public var intent: String
    /// By parameter name, as declared.
    public var values: [String: RunValue]
    /// A limit instead of the intent's own; the operator's cap wins.
    public var limit: Duration?
    /// The same for the ceiling that progress cannot pass.
    public var ceiling: Duration?
    /// What becomes of the run when this connection ends.
    public var onDisconnect: DisconnectRule
    /// The language for texts of the app, as in `LANG`: `de_AT.UTF-8`; nil: as the app's source gives them.
    public var locale: String?
    /// Asks what a parameter can be chosen from instead of performing: the run's value is a list of options.
    public var query: OptionsQuestion?
    /// Makes the wish unique: performed again with the same key by the same user, it is the same run.
    public let key: RunKey
    /// Made by a person: the same wish by this name is the same run, for as long as it is on record.
    public var name: String?
    /// A run that this is another try of: it starts when nothing of that is left.
    public var retryOf: String?
    /// Somebody waits for it and sees that: of the caller's runs that wait for a place it goes first.
    public var isInteractive = false
    /// The way by which the wish came to this program.
    public var door: Door = .socket
    /// W3C Trace Context, handed to the worker's environment and recorded.
    public var traceparent: String?

    /// What is said beforehand to questions that the run may ask.
    public var answers: AnswersInAdvance = AnswersInAdvance()

    /// What is said beforehand to a run's questions.
    public struct AnswersInAdvance: Sendable {
        /// By parameter: each answers one question for a value or a choice, never a confirmation.
        public var values: [String: RunValue]
        /// Which confirmations are accepted.
        public var confirmations: Confirmations
        /// True: what none of this answers goes unanswered at once, instead of waiting for somebody.
        public var refusesOthers: Bool

        /// Which confirmations are accepted.
        public enum Confirmations: Hashable, Sendable {
            case none
            /// Those that are not destructive.
            case harmless
            case all
        }

        /// Says nothing, unless told.
        public init(
            values: [String: RunValue] = [:],
            confirmations: Confirmations = .none,
            refusesOthers: Bool = false
        ) {
            self.values = values
            self.confirmations = confirmations
            self.refusesOthers = refusesOthers
        }
    }

    /// The way by which a wish comes to a client.
    public enum Door: String, Hashable, Sendable {
        case commandLine
        case socket
        case mcp
    }

    /// Makes a wish with a key of its own.
    public init(
        app: String,
        intent: String,
        values: [String: RunValue] = [:],
        limit: Duration? = nil,
        ceiling: Duration? = nil,
        onDisconnect: DisconnectRule = .cancel,
        locale: String? = nil,
        query: OptionsQuestion? = nil,
        key: RunKey = RunKey()
    ) {
        self.app = app
        self.intent = intent
        self.values = values
        self.limit = limit
        self.ceiling = ceiling
        self.onDisconnect = onDisconnect
        self.locale = locale
        self.query = query
        self.key = key
    }

    /// The wish to know what a parameter can be chosen from.
    ///
    /// Each option is an object with `value`, `title`, and where there are some `subtitle` and `section`.
    public struct OptionsQuestion: Hashable, Sendable {
        /// The parameter's name as declared.
        public var parameter: String
        /// Only what this text may mean; nil: what the app suggests.
        public var text: String?
        /// Only what has such properties, where ``IntentParameter/search`` says that it can be asked for; nil: what the app
        /// suggests. Not together with a text.
        public var search: PropertyQuestion?

        /// Makes a question.
        public init(parameter: String, text: String? = nil, search: PropertyQuestion? = nil) {
            self.parameter = parameter
            self.text = text
            self.search = search
        }
    }

    /// Nil where nothing is said.
    func wireAnswers() throws(IntentClientError) -> IntentWire.AnswersInAdvance? {
        var files: [SharedFileDescriptor] = []
        var values: [String: IntentValue] = [:]
        for (name, value) in answers.values { values[name] = value.wireValue(collecting: &files) }
        guard files.isEmpty else {
            throw IntentClientError(
                .badParameter,
                "a file cannot be given as an answer",
                hint: "give it as the parameter's value."
            )
        }
        let confirmations: IntentWire.AnswersInAdvance.Confirmations? =
            switch answers.confirmations {
            case .none: nil
            case .harmless: .harmless
            case .all: .all
            }
        let wire = IntentWire.AnswersInAdvance(
            values: values.isEmpty ? nil : values,
            confirmations: confirmations,
            others: answers.refusesOthers ? .refuse : nil
        )
        return wire == IntentWire.AnswersInAdvance() ? nil : wire
    }

    func wireQuery() throws(IntentClientError) -> OptionsQuery? {
        guard let query else { return nil }
        return OptionsQuery(
            parameter: query.parameter,
            text: query.text,
            search: try query.search?.wireSearch()
        )
    }

    func predecessor() throws(IntentClientError) -> RunID? {
        guard let retryOf else { return nil }
        guard let run = RunID(retryOf) else {
            throw IntentClientError(
                .unknownRun,
                "there is no run '\(retryOf)'",
                hint: "'intentctl history' shows those on record."
            )
        }
        return run
    }

    /// What becomes of a run when the client that asked for it goes away.
    public enum DisconnectRule: String, Hashable, Sendable, CaseIterable {
        /// It is cancelled.
        case cancel
        /// It goes on; its end is kept for a while.
        case `continue`
    }
}

/// What makes a wish unique: 128 bits, chosen by the client.
public struct RunKey: Hashable, Sendable {
    let request: RequestID

    /// A random key.
    public init() {
        request = RequestID(randomBits: .random(in: 0 ... .max), .random(in: 0 ... .max))
    }

    /// A key that was made before, from its 32 hexadecimal digits in lower case; nil for other text.
    public init?(text: String) {
        guard let request = RequestID(text) else { return nil }
        self.request = request
    }

    /// The key's 32 hexadecimal digits.
    public var text: String { request.text }
}
