internal import IntentWire

/// One intent as its app declares it.
public struct InstalledIntent: Hashable, Sendable {
    public var name: String
    public var title: String
    public var summary: String?
    public var parameters: [IntentParameter]
    /// What it does with its parameters, `${name}` standing for the value of one: `Order ${quantity} bowls`.
    public var sentence: String?
    /// Nil when it returns no value.
    public var result: ParameterType?
    /// Reports progress, which moves its deadline.
    public var reportsProgress: Bool
    /// Has parts under the long ceiling.
    public var isLongRunning: Bool
    /// Has a handler for its cancellation, and the long grace.
    public var isCancellable: Bool
    /// False: runnable by name, and not listed.
    public var isDiscoverable: Bool

    /// The group that it is shown in.
    public var category: String?
    /// Further words to find it by.
    public var keywords: [String] = []
    /// What the returned value is called.
    public var resultTitle: String?
    /// What it does, by its parameters' values: the first sentence whose conditions hold is the one.
    public var sentences: [Sentence] = []
    /// Apple's protocols that it conforms to, by name, beside those that the properties above tell.
    public var protocols: [String] = []
    /// It is not to be used any more: why.
    public var deprecation: Deprecation?

    /// One of several sentences.
    public struct Sentence: Hashable, Sendable {
        /// In words: `cup is large`; empty when it always holds.
        public var conditions: [String]
        /// With `${name}` for a parameter's value; nil when there is none.
        public var text: String?
        /// The parameters beside it, by name.
        public var others: [String]
    }

    /// Why an intent is not to be used any more.
    public struct Deprecation: Hashable, Sendable {
        public var message: String?
        /// The name of the intent to use instead.
        public var replacement: String?
    }

    /// Makes a description.
    public init(
        name: String,
        title: String,
        summary: String? = nil,
        parameters: [IntentParameter] = [],
        sentence: String? = nil,
        result: ParameterType? = nil,
        reportsProgress: Bool = false,
        isLongRunning: Bool = false,
        isCancellable: Bool = false,
        isDiscoverable: Bool = true
    ) {
        self.name = name
        self.title = title
        self.summary = summary
        self.parameters = parameters
        self.sentence = sentence
        self.result = result
        self.reportsProgress = reportsProgress
        self.isLongRunning = isLongRunning
        self.isCancellable = isCancellable
        self.isDiscoverable = isDiscoverable
    }
}

extension InstalledIntent {
    init(_ intent: IntentDeclaration) {
        self.init(
            name: intent.name,
            title: intent.title,
            summary: intent.summary,
            parameters: intent.parameters.map(IntentParameter.init),
            sentence: intent.sentence,
            result: intent.result.map(ParameterType.init),
            reportsProgress: intent.traits.contains(.progressReporting),
            isLongRunning: intent.traits.contains(.longRunning),
            isCancellable: intent.traits.contains(.cancellable),
            isDiscoverable: intent.isDiscoverable
        )
        guard let details = intent.details else { return }
        category = details.category
        keywords = details.keywords ?? []
        resultTitle = details.resultTitle
        protocols = details.protocols ?? []
        deprecation = details.deprecation.map { Deprecation(message: $0.message, replacement: $0.replacement) }
        sentences = (details.sentences ?? []).map { sentence in
            Sentence(conditions: sentence.conditions.map(\.words), text: sentence.text, others: sentence.others)
        }
    }
}

extension SummarySentence.Condition {
    fileprivate var words: String {
        let shown = values.map { value in
            switch value {
            case .null: "nothing"
            case .bool(let flag): flag ? "true" : "false"
            case .int(let number): "\(number)"
            case .double(let number): "\(number)"
            case .string(let text): text
            case .array, .file, .object: "a value"
            }
        }
        .joined(separator: " or ")
        return switch comparison {
        case "hasAnyValue": "\(parameter) is given"
        case "hasNoValue": "\(parameter) is not given"
        case "equalTo", "oneOf": "\(parameter) is \(shown)"
        case "notEqualTo": "\(parameter) is not \(shown)"
        case "lessThan": "\(parameter) is less than \(shown)"
        case "lessThanOrEqualTo": "\(parameter) is at most \(shown)"
        case "greaterThan": "\(parameter) is more than \(shown)"
        case "greaterThanOrEqualTo": "\(parameter) is at least \(shown)"
        default: "\(parameter) \(comparison) \(shown)"
        }
    }
}
