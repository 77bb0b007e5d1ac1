/// The type of a parameter or result.
///
/// On the wire the plain ones are words; an enumeration is `{"enum":[{"value":"tomato","title":"Tomato"}]}`
/// and a list `{"array":TYPE}`.
package indirect enum ValueType: Hashable, Sendable {
    case string
    case int
    case double
    case bool
    case file
    /// A number in decimal digits, as text: `12.50`.
    case decimal
    /// An instant as text of RFC 3339: `2026-11-21T09:30:00Z`.
    case date
    /// A URL as text.
    case url
    /// Seconds, as a number.
    case duration
    /// One of these values, as text.
    case enumeration([EnumerationCase])
    case array(ValueType)
}

/// One value of an enumeration.
package struct EnumerationCase: Hashable, Sendable, Codable {
    package var value: String
    /// For people.
    package var title: String

    package init(value: String, title: String) {
        self.value = value
        self.title = title
    }
}

/// Bounds of a number, both included.
package struct NumberRange: Hashable, Sendable, Codable {
    package var lowerBound: Double?
    package var upperBound: Double?

    package init(lowerBound: Double? = nil, upperBound: Double? = nil) {
        self.lowerBound = lowerBound
        self.upperBound = upperBound
    }

    package func contains(_ number: Double) -> Bool {
        (lowerBound.map { number >= $0 } ?? true) && (upperBound.map { number <= $0 } ?? true)
    }
}

extension ValueType: Codable {
    private enum Word: String, Codable, CaseIterable {
        case string, int, double, bool, file, decimal, date, url, duration
    }
    private enum Key: String, CodingKey {
        case enumeration = "enum"
        case array
    }

    package init(from decoder: any Decoder) throws {
        if let word = try? decoder.singleValueContainer().decode(Word.self) {
            self =
                switch word {
                case .string: .string
                case .int: .int
                case .double: .double
                case .bool: .bool
                case .file: .file
                case .decimal: .decimal
                case .date: .date
                case .url: .url
                case .duration: .duration
                }
            return
        }
        let container = try decoder.container(keyedBy: Key.self)
        if let cases = try container.decodeIfPresent([EnumerationCase].self, forKey: .enumeration) {
            self = .enumeration(cases)
        } else {
            self = .array(try container.decode(ValueType.self, forKey: .array))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .string: try Word.string.encode(to: encoder)
        case .int: try Word.int.encode(to: encoder)
        case .double: try Word.double.encode(to: encoder)
        case .bool: try Word.bool.encode(to: encoder)
        case .file: try Word.file.encode(to: encoder)
        case .decimal: try Word.decimal.encode(to: encoder)
        case .date: try Word.date.encode(to: encoder)
        case .url: try Word.url.encode(to: encoder)
        case .duration: try Word.duration.encode(to: encoder)
        case .enumeration(let cases):
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(cases, forKey: .enumeration)
        case .array(let element):
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(element, forKey: .array)
        }
    }
}
