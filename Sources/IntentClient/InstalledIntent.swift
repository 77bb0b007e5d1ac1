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
    }
}
