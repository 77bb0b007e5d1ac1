/// What an app can do: told by the app itself, in its sandbox, before anything of it runs.
public struct IntentCatalog: Hashable, Sendable, Codable {
    public var intents: [IntentDeclaration]
    /// Nil: the app has none.
    public var shortcuts: [ShortcutDeclaration]?
    /// What the app may have lost when it was compiled, in words with the next step; nil: nothing is known.
    public var warnings: [String]?

    public init(
        intents: [IntentDeclaration],
        shortcuts: [ShortcutDeclaration]? = nil,
        warnings: [String]? = nil
    ) {
        self.intents = intents
        self.shortcuts = shortcuts
        self.warnings = warnings
    }
}

extension IntentCatalog {
    /// Which intent a name means.
    public enum Match {
        case intent(IntentDeclaration)
        case unknown
        /// More than one answers to the name, and none has exactly it; their names, sorted.
        case ambiguous([String])
    }

    /// The intent of exactly that name, else the only one that answers to it.
    public func intent(named text: String) -> Match {
        if let exact = intents.first(where: { $0.name == text }) { return .intent(exact) }
        let aliases = intents.filter { $0.answers(to: text) }
        guard let alias = aliases.first else { return .unknown }
        let names = Set(aliases.map(\.name))
        return names.count == 1 ? .intent(alias) : .ambiguous(names.sorted())
    }
}

/// One intent as its type declares it.
public struct IntentDeclaration: Hashable, Sendable, Codable {
    /// The name that clients use: `persistentIdentifier`, by default the type's name.
    public var name: String
    public var title: String
    public var summary: String?
    public var parameters: [ParameterDeclaration]
    /// The sentence of `parameterSummary`, with `${name}` where a parameter's value stands.
    public var sentence: String?
    /// What `perform()` returns; nil when it returns no value.
    public var result: ValueType?
    public var traits: IntentTraits
    /// False: runnable by name, and not listed.
    public var isDiscoverable: Bool
    /// Nil when there is nothing to add.
    public var details: IntentDetails?

    public init(
        name: String,
        title: String,
        summary: String? = nil,
        parameters: [ParameterDeclaration] = [],
        sentence: String? = nil,
        result: ValueType? = nil,
        traits: IntentTraits = [],
        isDiscoverable: Bool = true,
        details: IntentDetails? = nil
    ) {
        self.name = name
        self.title = title
        self.summary = summary
        self.parameters = parameters
        self.sentence = sentence
        self.result = result
        self.traits = traits
        self.isDiscoverable = isDiscoverable
        self.details = details
    }

    /// True when `text` names this intent: its name with or without the suffix `Intent`.
    public func answers(to text: String) -> Bool {
        name == text || aliases.contains(text)
    }

    /// The other names that it answers to.
    public var aliases: [String] {
        [name + "Intent"] + (name.hasSuffix("Intent") ? [String(name.dropLast("Intent".count))] : [])
    }
}

/// One `@Parameter` of an intent.
public struct ParameterDeclaration: Hashable, Sendable, Codable {
    /// The property's name.
    public var name: String
    public var title: String
    public var summary: String?
    public var type: ValueType
    public var isOptional: Bool
    /// Used when the caller gives no value.
    public var defaultValue: IntentValue?
    /// Bounds of a number, of each element where the parameter is a list.
    public var range: NumberRange?
    /// What a person is asked when the value is missing.
    public var question: String?
    /// How many elements a list may have.
    public var size: ElementCount?
    /// True: the app can be asked for the values to choose from.
    public var hasOptions: Bool?
    /// How the values to choose from can be looked for by their properties; nil: they cannot.
    public var search: PropertySearchDeclaration?
    /// True when its value goes on no record; absent otherwise.
    public var isSecret: Bool?

    public init(
        name: String,
        title: String,
        summary: String? = nil,
        type: ValueType,
        isOptional: Bool = false,
        defaultValue: IntentValue? = nil,
        range: NumberRange? = nil,
        question: String? = nil,
        size: ElementCount? = nil,
        hasOptions: Bool? = nil,
        search: PropertySearchDeclaration? = nil
    ) {
        self.name = name
        self.title = title
        self.summary = summary
        self.type = type
        self.isOptional = isOptional
        self.defaultValue = defaultValue
        self.range = range
        self.question = question
        self.size = size
        self.hasOptions = hasOptions
        self.search = search
    }

    /// True when a caller must give a value.
    public var isRequired: Bool { !isOptional && defaultValue == nil }
}

/// How many elements a list may have, both numbers included; nil for no bound.
public struct ElementCount: Hashable, Sendable, Codable {
    public var minimum: Int?
    public var maximum: Int?

    public init(minimum: Int? = nil, maximum: Int? = nil) {
        self.minimum = minimum
        self.maximum = maximum
    }

    public func contains(_ count: Int) -> Bool {
        (minimum.map { count >= $0 } ?? true) && (maximum.map { count <= $0 } ?? true)
    }
}

/// Which protocols beside `AppIntent` an intent conforms to, as far as the clocks care.
public struct IntentTraits: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    public static let progressReporting = IntentTraits(rawValue: 1 << 0)
    public static let longRunning = IntentTraits(rawValue: 1 << 1)
    public static let cancellable = IntentTraits(rawValue: 1 << 2)
}

extension IntentTraits: Codable {
    private static let names: [(String, IntentTraits)] = [
        ("progressReporting", .progressReporting), ("longRunning", .longRunning), ("cancellable", .cancellable),
    ]

    /// The words on the wire; one that is not known here belongs to a newer library and is passed over.
    public init(from decoder: any Decoder) throws {
        let words = try decoder.singleValueContainer().decode([String].self)
        self.init(Self.names.filter { words.contains($0.0) }.map(\.1))
    }

    public func encode(to encoder: any Encoder) throws {
        try words.encode(to: encoder)
    }

    /// The traits by name, in a fixed order.
    public var words: [String] { Self.names.filter { contains($0.1) }.map(\.0) }
}

extension IntentCatalog {
    /// Leaves out what parameters can be looked for by.
    ///
    /// - Returns: True when there was any of that.
    @discardableResult
    public mutating func leaveOutSearches() -> Bool {
        var hasAny = false
        for index in intents.indices {
            for place in intents[index].parameters.indices where intents[index].parameters[place].search != nil {
                intents[index].parameters[place].search = nil
                hasAny = true
            }
        }
        return hasAny
    }
}
