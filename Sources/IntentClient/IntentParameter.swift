internal import IntentWire

/// One parameter of an intent.
public struct IntentParameter: Hashable, Sendable {
    public var name: String
    public var title: String
    public var summary: String?
    public var type: ParameterType
    public var isOptional: Bool
    /// Used when the caller gives no value.
    public var defaultValue: RunValue?
    /// Bounds of a number, of each element where the parameter is a list.
    public var range: ParameterRange?
    /// What a person is asked when the value is missing.
    public var question: String?
    /// How many elements a list may have.
    public var minimumCount: Int?
    public var maximumCount: Int?
    /// True: the app can be asked what to choose from.
    public var hasOptions: Bool = false
    /// How what there is to choose from can be looked for by its properties; nil: it cannot.
    public var search: ParameterSearch?
    /// True where its app says that its value goes on no record; an operator may say so of others too.
    public var isSecret: Bool = false

    /// Makes a description.
    public init(
        name: String,
        title: String,
        summary: String? = nil,
        type: ParameterType,
        isOptional: Bool = false,
        defaultValue: RunValue? = nil,
        range: ParameterRange? = nil,
        question: String? = nil
    ) {
        self.name = name
        self.title = title
        self.summary = summary
        self.type = type
        self.isOptional = isOptional
        self.defaultValue = defaultValue
        self.range = range
        self.question = question
    }

    /// True when a caller must give a value.
    public var isRequired: Bool { !isOptional && defaultValue == nil }
}

extension IntentParameter {
    init(_ parameter: ParameterDeclaration) {
        self.init(
            name: parameter.name,
            title: parameter.title,
            summary: parameter.summary,
            type: ParameterType(parameter.type),
            isOptional: parameter.isOptional,
            // A default that is a file has no descriptor here: it is known to exist, and no more.
            defaultValue: parameter.defaultValue.map { RunValue($0, files: []) ?? .null },
            range: parameter.range.map { ParameterRange(lowerBound: $0.lowerBound, upperBound: $0.upperBound) },
            question: parameter.question
        )
        isSecret = parameter.isSecret == true
        minimumCount = parameter.size?.minimum
        maximumCount = parameter.size?.maximum
        hasOptions = parameter.hasOptions ?? false
        search = parameter.search.map { ParameterSearch($0) }
    }
}
