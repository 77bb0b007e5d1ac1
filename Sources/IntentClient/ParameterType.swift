internal import IntentLinux
internal import IntentWire

/// The type of a parameter or result.
public indirect enum ParameterType: Hashable, Sendable {
    case string
    case int
    case double
    case bool
    case file
    /// A number in decimal digits; a text such as `12.50` in a ``RunValue``.
    case decimal
    /// An instant; a text of RFC 3339 such as `2026-11-21T09:30:00Z` in a ``RunValue``.
    case date
    /// A text in a ``RunValue``.
    case url
    /// A number of seconds in a ``RunValue``.
    case duration
    /// One of these; a text in a ``RunValue``.
    case enumeration([Choice])
    case array(ParameterType)
    /// A value of the app, named by its id: a text in a ``RunValue``. As a result it is an object.
    case entity(title: String)
    /// Named parts: an object in a ``RunValue``. Without any, the app alone knows which.
    case object(title: String, [Member])
    /// A number with one of these units; a text such as `5 km` in a ``RunValue``.
    case measurement(units: [String])
    /// A number with a currency's code; a text such as `12.50 EUR` in a ``RunValue``. No codes: any.
    case currencyAmount(codes: [String])
    /// A day, a time or both; a text such as `2026-11-21 09:30` in a ``RunValue``.
    case dateComponents

    /// One part of an object.
    public struct Member: Hashable, Sendable {
        public var name: String
        /// For people.
        public var title: String
        public var type: ParameterType

        /// Makes a part.
        public init(name: String, title: String, type: ParameterType) {
            self.name = name
            self.title = title
            self.type = type
        }
    }

    /// One value of an enumeration.
    public struct Choice: Hashable, Sendable {
        /// As in a ``RunValue``.
        public var value: String
        /// For people.
        public var title: String

        /// Makes a choice.
        public init(value: String, title: String) {
            self.value = value
            self.title = title
        }
    }
}

/// Bounds of a number, both included.
public struct ParameterRange: Hashable, Sendable {
    public var lowerBound: Double?
    public var upperBound: Double?

    /// Makes a range; nil for no bound on that side.
    public init(lowerBound: Double? = nil, upperBound: Double? = nil) {
        self.lowerBound = lowerBound
        self.upperBound = upperBound
    }
}

extension ParameterType {
    init(_ type: ValueType) {
        self =
            switch type {
            case .string: .string
            case .int: .int
            case .double: .double
            case .bool: .bool
            case .file: .file
            case .decimal: .decimal
            case .date: .date
            case .url: .url
            case .duration: .duration
            case .enumeration(let cases): .enumeration(cases.map { Choice(value: $0.value, title: $0.title) })
            case .array(let element): .array(ParameterType(element))
            case .entity(let type): .entity(title: type.title)
            case .object(let type):
                .object(
                    title: type.title,
                    type.properties.map { Member(name: $0.name, title: $0.title, type: ParameterType($0.type)) }
                )
            case .measurement(let units): .measurement(units: units)
            case .currencyAmount(let codes): .currencyAmount(codes: codes)
            case .dateComponents: .dateComponents
            }
    }

    var wireType: ValueType {
        switch self {
        case .string: .string
        case .int: .int
        case .double: .double
        case .bool: .bool
        case .file: .file
        case .decimal: .decimal
        case .date: .date
        case .url: .url
        case .duration: .duration
        case .enumeration(let choices):
            .enumeration(choices.map { EnumerationCase(value: $0.value, title: $0.title) })
        case .array(let element): .array(element.wireType)
        case .entity(let title): .entity(EntityType(name: title, title: title))
        case .object(let title, let members):
            .object(
                ObjectType(
                    title: title,
                    properties: members.map {
                        PropertyDeclaration(name: $0.name, title: $0.title, type: $0.type.wireType)
                    }
                )
            )
        case .measurement(let units): .measurement(units: units)
        case .currencyAmount(let codes): .currencyAmount(codes: codes)
        case .dateComponents: .dateComponents
        }
    }
}

extension ParameterType {
    /// Why a value does not fit, in words that go after "--quantity takes "; nil when it does.
    ///
    /// The same rule as the daemon's, for programs that would rather say it before they ask.
    package func mismatch(of value: RunValue, in range: ParameterRange?) -> (message: String, hint: String?)? {
        var files: [SharedFileDescriptor] = []
        let bounds = range.map { NumberRange(lowerBound: $0.lowerBound, upperBound: $0.upperBound) }
        do throws(ValueMismatch) {
            _ = try wireType.accept(value.wireValue(collecting: &files), in: bounds)
            return nil
        } catch {
            return (error.message, error.hint)
        }
    }
}
