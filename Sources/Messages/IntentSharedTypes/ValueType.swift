/// The type of a parameter or a result.
///
/// In JSON, a simple type is a string. An enumeration is `{"enum":[{"value":"tomato","title":"Tomato"}]}`, a list is
/// `{"array":TYPE}`, an entity is `{"entity":{"name":"Book","title":"Book"}}`, an object is
/// `{"object":{"title":"Weather","properties":[…]}}`, a measurement is `{"measurement":["m","km"]}`, and an amount of
/// money is `{"currencyAmount":["EUR"]}`.
public indirect enum ValueType: Hashable, Sendable {
    /// A string.
    case string
    /// A signed 64-bit integer.
    case int
    /// A number that can have a fraction.
    case double
    /// True or false.
    case bool
    /// A file. Its descriptor is passed with the message.
    case file
    /// A decimal number, as a string: `12.50`.
    case decimal
    /// A point in time, as an RFC 3339 string: `2026-11-21T09:30:00Z`.
    case date
    /// A URL with a scheme, as a string.
    case url
    /// A number of seconds.
    case duration
    /// One of the listed cases, as a string.
    case enumeration([EnumerationCase])
    /// A list of elements of one type.
    case array(ValueType)
    /// An entity of the app, represented by its identifier. In a result, its title and properties are also present.
    case entity(EntityType)
    /// An object with named properties.
    case object(ObjectType)
    /// A number with one of the listed units, as a string: `5 km`.
    case measurement(units: [String])
    /// A number with a currency code, as a string: `12.50 EUR`. If the list is empty, every code is valid.
    case currencyAmount(codes: [String])
    /// A day, a time of day or both, without a time zone, as a string: `2026-11-21 09:30`.
    case dateComponents
    /// A type that a later release added, with its name in messages. No value of this type is valid.
    case unknown(String)
}

/// One case of an enumeration.
public struct EnumerationCase: Hashable, Sendable, Codable {
    /// The case's value in messages.
    public var value: String
    /// The case's display name.
    public var title: String
    /// The case's subtitle; nil when it has no subtitle.
    public var subtitle: String?
    /// The special meaning of the case in a question; nil for an ordinary case.
    public var style: Style?

    /// Creates a case.
    public init(value: String, title: String, subtitle: String? = nil, style: Style? = nil) {
        self.value = value
        self.title = title
        self.subtitle = subtitle
        self.style = style
    }

    /// The special meaning of a case in a question. Later releases can add others: ignore an unknown style.
    public struct Style: RawRepresentable, Hashable, Sendable, Codable {
        /// The style's name in messages.
        public let rawValue: String

        /// Creates a style from its name in messages.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Choosing the case cancels the run.
        public static let cancel = Style(rawValue: "cancel")
        /// Choosing the case permits an action that cannot be undone.
        public static let destructive = Style(rawValue: "destructive")
    }
}

/// The bounds of a number. Both bounds are inclusive.
public struct NumberRange: Hashable, Sendable, Codable {
    /// The smallest valid number; nil for no minimum.
    public var lowerBound: Double?
    /// The largest valid number; nil for no maximum.
    public var upperBound: Double?

    /// Creates bounds.
    public init(lowerBound: Double? = nil, upperBound: Double? = nil) {
        self.lowerBound = lowerBound
        self.upperBound = upperBound
    }

    /// Returns true if the number is within the bounds.
    public func contains(_ number: Double) -> Bool {
        (lowerBound.map { number >= $0 } ?? true) && (upperBound.map { number <= $0 } ?? true)
    }
}

extension ValueType {
    /// The type of a list's elements; for any other type, the type itself.
    package var element: ValueType {
        if case .array(let element) = self { return element }
        return self
    }
}

extension ValueType: Codable {
    /// The types without details, by their words.
    private static let plain = Dictionary(
        uniqueKeysWithValues: [
            ValueType.string, .int, .double, .bool, .file, .decimal, .date, .url, .duration, .dateComponents,
        ].map { ($0.word ?? "", $0) }
    )

    /// The word for a type without details; nil for a type with details.
    private var word: String? {
        switch self {
        case .string: "string"
        case .int: "int"
        case .double: "double"
        case .bool: "bool"
        case .file: "file"
        case .decimal: "decimal"
        case .date: "date"
        case .url: "url"
        case .duration: "duration"
        case .dateComponents: "dateComponents"
        case .unknown(let word): word
        case .enumeration, .array, .entity, .object, .measurement, .currencyAmount: nil
        }
    }

    public init(from decoder: any Decoder) throws {
        if let word = try? decoder.singleValueContainer().decode(String.self) {
            self = Self.plain[word] ?? .unknown(word)
            return
        }
        let members = try decoder.container(keyedBy: Key.self)
        func value<Value: Decodable>(_ key: Key) throws -> Value? {
            try members.decodeIfPresent(Value.self, forKey: key)
        }
        if let cases: [EnumerationCase] = try value(.enumeration) {
            self = .enumeration(cases)
        } else if let type: EntityType = try value(.entity) {
            self = .entity(type)
        } else if let type: ObjectType = try value(.object) {
            self = .object(type)
        } else if let units: [String] = try value(.measurement) {
            self = .measurement(units: units)
        } else if let codes: [String] = try value(.currencyAmount) {
            self = .currencyAmount(codes: codes)
        } else if let element: ValueType = try value(.array) {
            self = .array(element)
        } else {
            guard let word = try decoder.container(keyedBy: AnyKey.self).allKeys.first?.stringValue else {
                throw DecodingError.problem("expected a type, got an empty object", at: decoder.codingPath)
            }
            self = .unknown(word)
        }
    }

    private enum Key: String, CodingKey {
        case enumeration = "enum"
        case array, entity, object, measurement, currencyAmount
    }

    private struct AnyKey: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    public func encode(to encoder: any Encoder) throws {
        if let word { return try word.encode(to: encoder) }
        var members = encoder.container(keyedBy: Key.self)
        switch self {
        case .enumeration(let cases): try members.encode(cases, forKey: .enumeration)
        case .array(let element): try members.encode(element, forKey: .array)
        case .entity(let type): try members.encode(type, forKey: .entity)
        case .object(let type): try members.encode(type, forKey: .object)
        case .measurement(let units): try members.encode(units, forKey: .measurement)
        case .currencyAmount(let codes): try members.encode(codes, forKey: .currencyAmount)
        case .string, .int, .double, .bool, .file, .decimal, .date, .url, .duration, .dateComponents, .unknown: break
        }
    }
}

extension ValueType {
    /// Returns the value of a choice if the given value is the title of that choice; otherwise returns the given value.
    package func value(named value: IntentValue) -> IntentValue {
        guard case .enumeration(let cases) = self, case .string(let text) = value,
            !cases.contains(where: { $0.value == text }), let found = cases.first(where: { $0.title == text })
        else { return value }
        return .string(found.value)
    }
}
