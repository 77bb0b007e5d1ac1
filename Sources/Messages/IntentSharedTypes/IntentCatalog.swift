/// An app's intents and shortcuts. The app reports them from its sandbox before it performs its first intent.
public struct IntentCatalog: Hashable, Sendable, Codable {
    /// The intents, in the order in which the app lists them.
    public var intents: [IntentDeclaration]
    /// The app's shortcuts; nil when the app has no shortcuts.
    public var shortcuts: [ShortcutDeclaration]?
    /// The app's skills; nil when the app has no skills.
    public var skills: [SkillDeclaration]?
    /// The translations of the catalogue's texts, by language and text; nil when the app has none.
    public var translations: [String: [String: String]]?
    /// Problems with how the app was compiled, each with the next step; nil when no problem is known.
    public var warnings: [String]?

    /// Creates a catalogue.
    public init(
        intents: [IntentDeclaration],
        shortcuts: [ShortcutDeclaration]? = nil,
        skills: [SkillDeclaration]? = nil,
        translations: [String: [String: String]]? = nil,
        warnings: [String]? = nil
    ) {
        self.intents = intents
        self.shortcuts = shortcuts
        self.skills = skills
        self.translations = translations
        self.warnings = warnings
    }
}

extension IntentCatalog {
    /// The result of ``intent(named:)``.
    public enum Match {
        /// Exactly one intent was found.
        case intent(IntentDeclaration)
        /// No intent has this name.
        case unknown
        /// Several intents match the name, and none of them exactly. The associated value is the sorted list of their
        /// names.
        case ambiguous([String])
    }

    /// Looks up an intent by name. If no name matches exactly, names that differ only in the suffix `Intent` match.
    public func intent(named text: String) -> Match {
        if let exact = intents.first(where: { $0.name == text }) { return .intent(exact) }
        let aliases = intents.filter { $0.answers(to: text) }
        guard let alias = aliases.first else { return .unknown }
        let names = Set(aliases.map(\.name))
        return names.count == 1 ? .intent(alias) : .ambiguous(names.sorted())
    }
}

/// The declaration of an intent, derived from its Swift type.
public struct IntentDeclaration: Hashable, Sendable, Codable {
    /// The name that clients use: the intent's `persistentIdentifier`, by default the name of its type.
    public var name: String
    /// The intent's display name.
    public var title: String
    /// A description of what the intent does; nil when the intent has no description.
    public var summary: String?
    /// The intent's parameters, in the order of their declaration.
    public var parameters: [ParameterDeclaration]
    /// The sentence from `parameterSummary`. Clients replace `${name}` with the value of the parameter `name`.
    public var sentence: String?
    /// The type of the value that `perform()` returns; nil when `perform()` returns no value.
    public var result: ValueType?
    /// The intent's protocols that affect its time limits.
    public var traits: IntentTraits
    /// False when the intent can be run but is hidden from lists.
    public var isDiscoverable: Bool
    /// Properties that are not needed to perform the intent; nil when none of them is set.
    public var details: IntentDetails?

    /// Creates an intent declaration.
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

    /// Returns true if `text` is the intent's name, with or without the suffix `Intent`.
    public func answers(to text: String) -> Bool {
        name == text || aliases.contains(text)
    }

    /// The other names that ``answers(to:)`` accepts: the name with and without the suffix `Intent`.
    public var aliases: [String] {
        [name + "Intent"] + (name.hasSuffix(utf8: "Intent") ? [String(name.dropLast(scalars: 6))] : [])
    }
}

/// The declaration of an `@Parameter` in an intent.
public struct ParameterDeclaration: Hashable, Sendable, Codable {
    /// The name of the Swift property.
    public var name: String
    /// The parameter's display name.
    public var title: String
    /// A description of what the value is used for; nil when the parameter has no description.
    public var summary: String?
    /// The type of the value.
    public var type: ValueType
    /// True when the parameter's value can be nil.
    public var isOptional: Bool
    /// The value that is used when the caller provides no value.
    public var defaultValue: IntentValue?
    /// The bounds of a number, or of each number in a list.
    public var range: NumberRange?
    /// The question to ask the user when the value is missing.
    public var question: String?
    /// The permitted number of elements in a list.
    public var size: ElementCount?
    /// True when the app can suggest values for this parameter in response to an ``OptionsQuery``.
    public var hasOptions: Bool?
    /// The properties by which the parameter's values can be searched; nil when the values cannot be searched.
    public var search: PropertySearchDeclaration?
    /// True when the value must never be recorded; nil otherwise.
    public var isSecret: Bool?
    /// The part of a date that the parameter requires; nil when any date is valid.
    public var dateKind: DateKind?
    /// The display names for the values true and false; nil when the app declares no names.
    public var boolNames: BoolNames?

    /// Creates a parameter declaration.
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

    /// The part of a date that a parameter requires. Later releases can add others: treat an unknown part as a complete
    /// date and time.
    public struct DateKind: RawRepresentable, Hashable, Sendable, Codable {
        /// The part's name in messages.
        public let rawValue: String

        /// Creates a part from its name in messages.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A day, without a time.
        public static let date = DateKind(rawValue: "date")
        /// A time of day. For a parameter of the type `Date`, the client adds the current day.
        public static let time = DateKind(rawValue: "time")
    }

    /// The display names for the values true and false.
    public struct BoolNames: Hashable, Sendable, Codable {
        /// The display name for true.
        public var `true`: String
        /// The display name for false.
        public var `false`: String

        /// Creates display names.
        public init(true: String, false: String) {
            self.true = `true`
            self.false = `false`
        }
    }
}

/// The permitted number of elements in a list. Both bounds are inclusive.
public struct ElementCount: Hashable, Sendable, Codable {
    /// The minimum number of elements; nil for no minimum.
    public var minimum: Int?
    /// The maximum number of elements; nil for no maximum.
    public var maximum: Int?

    /// Creates bounds.
    public init(minimum: Int? = nil, maximum: Int? = nil) {
        self.minimum = minimum
        self.maximum = maximum
    }

    /// The permitted number in words, such as `2 to 5 elements`.
    package var phrase: String {
        switch (minimum, maximum) {
        case (let low?, let high?): low == high ? "exactly \(Self.elements(low))" : "\(low) to \(high) elements"
        case (let low?, nil): "at least \(Self.elements(low))"
        case (nil, let high?): "at most \(Self.elements(high))"
        case (nil, nil): "a list"
        }
    }

    private static func elements(_ count: Int) -> String { count == 1 ? "1 element" : "\(count) elements" }

    /// Returns true if a list may have the given number of elements.
    public func contains(_ count: Int) -> Bool {
        (minimum.map { count >= $0 } ?? true) && (maximum.map { count <= $0 } ?? true)
    }
}

/// The protocols, other than `AppIntent`, that affect an intent's time limits.
public struct IntentTraits: OptionSet, Hashable, Sendable {
    /// The traits as a bit mask. JSON contains the names of the traits instead.
    public let rawValue: Int

    /// Creates traits from a bit mask.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The intent is a `ProgressReportingIntent`: each advance of its progress extends its time limit.
    public static let progressReporting = IntentTraits(rawValue: 1 << 0)
    /// The intent is a `LongRunningIntent`: the long ceiling applies inside `performBackgroundTask`.
    public static let longRunning = IntentTraits(rawValue: 1 << 1)
    /// The intent is a `CancellableIntent`: its grace period is longer.
    public static let cancellable = IntentTraits(rawValue: 1 << 2)
}

extension IntentTraits: Codable {
    private static let names: [(String, IntentTraits)] = [
        ("progressReporting", .progressReporting), ("longRunning", .longRunning), ("cancellable", .cancellable),
    ]

    /// Decodes an array of trait names. Names that are unknown to this release are ignored.
    public init(from decoder: any Decoder) throws {
        let names = try decoder.singleValueContainer().decode([String].self)
        self.init(Self.names.filter { names.contains($0.0) }.map(\.1))
    }

    public func encode(to encoder: any Encoder) throws {
        try words.encode(to: encoder)
    }

    /// The names of the traits, in a fixed order.
    public var words: [String] { Self.names.filter { contains($0.1) }.map(\.0) }
}

extension IntentCatalog {
    /// Makes the catalogue smaller by removing the ``ParameterDeclaration/search`` of every parameter.
    ///
    /// - Returns: True if a search was removed.
    @discardableResult
    public mutating func omitSearches() -> Bool {
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
