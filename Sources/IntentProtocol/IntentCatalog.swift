/// An app's intents and shortcuts. The app reports them in its sandbox before any of its intents runs.
public struct IntentCatalog: Hashable, Sendable, Codable {
    /// The intents, in the order in which the app lists them.
    public var intents: [IntentDeclaration]
    /// The app's shortcuts; nil when it has none.
    public var shortcuts: [ShortcutDeclaration]?
    /// Problems in how the app was compiled, each with the next step; nil when none is known.
    public var warnings: [String]?

    /// Creates a catalogue.
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
    /// The result of a search for an intent by name.
    public enum Match {
        /// One intent.
        case intent(IntentDeclaration)
        /// No intent has the name.
        case unknown
        /// Several intents match the name, and none of them exactly. The value is their sorted names.
        case ambiguous([String])
    }

    /// Returns the intent with exactly this name, or the only intent that matches it.
    public func intent(named text: String) -> Match {
        if let exact = intents.first(where: { $0.name == text }) { return .intent(exact) }
        let aliases = intents.filter { $0.answers(to: text) }
        guard let alias = aliases.first else { return .unknown }
        let names = Set(aliases.map(\.name))
        return names.count == 1 ? .intent(alias) : .ambiguous(names.sorted())
    }
}

/// One intent, as its type declares it.
public struct IntentDeclaration: Hashable, Sendable, Codable {
    /// The name that clients use: `persistentIdentifier`, by default the type's name.
    public var name: String
    /// The intent's display name.
    public var title: String
    /// A description of what the intent does; nil when its type has none.
    public var summary: String?
    /// The parameters, in the order of declaration.
    public var parameters: [ParameterDeclaration]
    /// The sentence of `parameterSummary`, with `${name}` in place of each value.
    public var sentence: String?
    /// The type of the value that `perform()` returns; nil when it returns none.
    public var result: ValueType?
    /// The intent's protocols that affect its time limits.
    public var traits: IntentTraits
    /// False when the intent can run but is not listed.
    public var isDiscoverable: Bool
    /// Further properties; nil when the type declares nothing else.
    public var details: IntentDetails?

    /// Creates a declaration.
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

    /// Returns true if `text` is the name of this intent, with or without the suffix `Intent`.
    public func answers(to text: String) -> Bool {
        name == text || aliases.contains(text)
    }

    /// Alternative names of the intent.
    public var aliases: [String] {
        [name + "Intent"] + (name.hasSuffix("Intent") ? [String(name.dropLast("Intent".count))] : [])
    }
}

/// One `@Parameter` of an intent.
public struct ParameterDeclaration: Hashable, Sendable, Codable {
    /// The property's name.
    public var name: String
    /// The parameter's display name.
    public var title: String
    /// A description of the value's purpose; nil when the parameter has none.
    public var summary: String?
    /// The type of the value.
    public var type: ValueType
    /// True when the parameter can have no value.
    public var isOptional: Bool
    /// The value used when the caller provides none.
    public var defaultValue: IntentValue?
    /// The bounds of a number, or of each number in a list.
    public var range: NumberRange?
    /// The question that asks for a missing value.
    public var question: String?
    /// The number of elements that a list can have.
    public var size: ElementCount?
    /// True when the app can list values to choose from, in answer to an ``OptionsQuery``.
    public var hasOptions: Bool?
    /// The properties by which the parameter's values can be searched; nil when no search is possible.
    public var search: PropertySearchDeclaration?
    /// True when the value is never recorded; nil otherwise.
    public var isSecret: Bool?
    /// The part of a date that the parameter requires; nil for no restriction.
    public var dateKind: DateKind?
    /// Names for true and false; nil without names.
    public var boolNames: BoolNames?

    /// Creates a declaration.
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

    /// True when the caller must provide a value.
    public var isRequired: Bool { !isOptional && defaultValue == nil }

    /// A part of a date. Later releases can add others: treat an unknown part as a whole date and time.
    public struct DateKind: RawRepresentable, Hashable, Sendable, Codable {
        /// The kind in messages.
        public let rawValue: String

        /// Creates a kind from its text in messages.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A day, without a time.
        public static let date = DateKind(rawValue: "date")
        /// A time of day. For an instant, the day is today.
        public static let time = DateKind(rawValue: "time")
    }

    /// Names for true and false.
    public struct BoolNames: Hashable, Sendable, Codable {
        /// The name for true.
        public var `true`: String
        /// The name for false.
        public var `false`: String

        /// Creates names.
        public init(true: String, false: String) {
            self.true = `true`
            self.false = `false`
        }
    }
}

/// The minimum and maximum number of elements of a list, both inclusive.
public struct ElementCount: Hashable, Sendable, Codable {
    /// The minimum number of elements; nil for no lower bound.
    public var minimum: Int?
    /// The maximum number of elements; nil for no upper bound.
    public var maximum: Int?

    /// Creates bounds.
    public init(minimum: Int? = nil, maximum: Int? = nil) {
        self.minimum = minimum
        self.maximum = maximum
    }

    /// Returns true if a list can have this number of elements.
    public func contains(_ count: Int) -> Bool {
        (minimum.map { count >= $0 } ?? true) && (maximum.map { count <= $0 } ?? true)
    }
}

/// The protocols besides `AppIntent` that affect an intent's time limits.
public struct IntentTraits: OptionSet, Hashable, Sendable {
    /// The traits as bits. JSON contains their names instead.
    public let rawValue: Int

    /// Creates traits from bits.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// `ProgressReportingIntent`: progress that advances extends the limit.
    public static let progressReporting = IntentTraits(rawValue: 1 << 0)
    /// `LongRunningIntent`: the long ceiling applies inside `performBackgroundTask`.
    public static let longRunning = IntentTraits(rawValue: 1 << 1)
    /// `CancellableIntent`: the intent has the longer grace period.
    public static let cancellable = IntentTraits(rawValue: 1 << 2)
}

extension IntentTraits: Codable {
    private static let names: [(String, IntentTraits)] = [
        ("progressReporting", .progressReporting), ("longRunning", .longRunning), ("cancellable", .cancellable),
    ]

    /// Decodes names from JSON. Names that this release does not know are ignored.
    public init(from decoder: any Decoder) throws {
        let words = try decoder.singleValueContainer().decode([String].self)
        self.init(Self.names.filter { words.contains($0.0) }.map(\.1))
    }

    public func encode(to encoder: any Encoder) throws {
        try words.encode(to: encoder)
    }

    /// The names of the traits, in a fixed order.
    public var words: [String] { Self.names.filter { contains($0.1) }.map(\.0) }
}

extension IntentCatalog {
    /// Removes every ``ParameterDeclaration/search``.
    ///
    /// - Returns: True if the catalogue had any.
    @discardableResult
    public mutating func leaveOutSearches() -> Bool {
        var hasAny = false
        for index in intents.indices {
            for parameter in intents[index].parameters.indices where intents[index].parameters[parameter].search != nil
            {
                intents[index].parameters[parameter].search = nil
                hasAny = true
            }
        }
        return hasAny
    }
}
