/// Properties of an intent that are not needed to perform it.
public struct IntentDetails: Hashable, Sendable, Codable {
    /// The category under which the intent is listed.
    public var category: String?
    /// Additional keywords by which users can search for the intent.
    public var keywords: [String]?
    /// The display name of the returned value.
    public var resultTitle: String?
    /// The sentences from `parameterSummary`. The first sentence that meets all of its conditions is shown.
    public var sentences: [SummarySentence]?
    /// The names of the Apple protocols that the intent conforms to, except those in ``IntentTraits``.
    public var protocols: [String]?
    /// The reason why the intent is deprecated, and its replacement; nil when the intent is not deprecated.
    public var deprecation: Deprecation?
    /// The authentication that the intent requires: `requiresAuthentication` or `requiresLocalDeviceAuthentication`.
    public var authentication: String?
    /// The intent's effect on data; nil when the app does not declare it.
    public var effect: Effect?
    /// True when performing the intent twice has the same effect as performing it once.
    public var isIdempotent: Bool?
    /// False when the operator does not permit agents to perform the intent (`[Agents]`). Set by `intentd`.
    public var isForAgents: Bool?
    /// True when a person must approve each request from an agent. Set by `intentd`.
    public var needsApproval: Bool?
    /// A digest of the declaration that another program made, such as a tool of an MCP server; nil for an intent that the
    /// app itself declares. A run is refused if the declaration has changed since the catalogue was read.
    public var version: String?
    /// How a fleet of hosts may perform the intent; nil when the operator does not permit it. Set by `intentd`.
    public var fleet: FleetRule?

    /// Creates details in which no property is set.
    public init() {}

    /// True when no property is set.
    public var isEmpty: Bool { self == IntentDetails() }

    /// An intent's effect on data.
    public enum Effect: Hashable, Sendable, Codable {
        /// The intent only reads data.
        case reads
        /// The intent adds or changes data.
        case changes
        /// The intent removes or overwrites data.
        case destroys
        /// An effect that a later release added.
        case unknown(String)
    }

    /// The deprecation of an intent: its reason, and the intent to use instead.
    public struct Deprecation: Hashable, Sendable, Codable {
        /// The reason for the deprecation, as a message for users.
        public var message: String?
        /// The name of the intent to use instead.
        public var replacement: String?

        /// Creates a deprecation.
        public init(message: String?, replacement: String?) {
            self.message = message
            self.replacement = replacement
        }
    }
}

/// A sentence that describes an intent, and the conditions under which the sentence is shown.
public struct SummarySentence: Hashable, Sendable, Codable {
    /// Conditions that must all be true for the sentence to be shown. If empty, the sentence is always shown.
    public var conditions: [Condition]
    /// The sentence; nil to show no sentence. Clients replace `${name}` with the value of the parameter `name`.
    public var text: String?
    /// The names of further parameters to show next to the sentence.
    public var others: [String]

    /// Creates a sentence.
    public init(conditions: [Condition], text: String?, others: [String]) {
        self.conditions = conditions
        self.text = text
        self.others = others
    }

    /// A condition on the value of one parameter.
    public struct Condition: Hashable, Sendable, Codable {
        /// The parameter's name.
        public var parameter: String
        /// The comparison: `equalTo`, `notEqualTo`, `lessThan`, `lessThanOrEqualTo`, `greaterThan`,
        /// `greaterThanOrEqualTo`, `oneOf`, `contains`, `doesNotContain`, `hasPrefix`, `hasSuffix`, `hasAnyValue` or
        /// `hasNoValue`.
        public var comparison: String
        /// The values to compare with the parameter's value: any number for `oneOf`, none for `hasAnyValue` and
        /// `hasNoValue`, otherwise one.
        public var values: [IntentValue]

        /// Creates a condition.
        public init(parameter: String, comparison: String, values: [IntentValue]) {
            self.parameter = parameter
            self.comparison = comparison
            self.values = values
        }
    }
}

/// An app's shortcut: an intent with fixed values, and the phrases that start the intent.
public struct ShortcutDeclaration: Hashable, Sendable, Codable {
    /// The name of the intent that the shortcut performs.
    public var intent: String
    /// The shortcut's display name.
    public var title: String?
    /// The phrases that start the intent. `${applicationName}` stands for the app's name, and `${name}` for the value
    /// of the parameter `name`.
    public var phrases: [String]
    /// The fixed values by parameter name.
    public var values: [String: IntentValue]

    /// Creates a shortcut.
    public init(intent: String, title: String?, phrases: [String], values: [String: IntentValue]) {
        self.intent = intent
        self.title = title
        self.phrases = phrases
        self.values = values
    }
}

extension IntentDeclaration {
    /// Returns the title of a run: the intent's sentence with the values inserted, such as `Order tomato, 2 times`.
    ///
    /// Returns nil if the intent has no sentence or a value in the sentence is missing.
    public func title(with values: [String: IntentValue]) -> String? {
        func value(_ name: String) -> IntentValue? {
            values[name] ?? parameters.first { $0.name == name }?.defaultValue
        }
        let sentence = details?.sentences?.first { $0.conditions.allSatisfy { $0.holds(for: value($0.parameter)) } }
        guard var rest = (sentence?.text ?? self.sentence).map({ Substring($0) }) else { return nil }
        var title = ""
        while let (before, opened) = rest.cut(utf8: "${"), let (name, after) = opened.cut(utf8: "}") {
            guard let parameter = parameters.first(where: { $0.name == name }), let value = value(String(name)),
                let text = parameter.type.title(of: value)
            else { return nil }
            title += String(before) + text
            rest = after
        }
        return String((title + String(rest)).prefix(scalars: 200))
    }
}

extension SummarySentence.Condition {
    fileprivate func holds(for value: IntentValue?) -> Bool {
        let value = value == .null ? nil : value
        switch comparison {
        case "hasAnyValue": return value != nil
        case "hasNoValue": return value == nil
        case "equalTo", "oneOf": return values.contains { $0 == value ?? .null }
        case "notEqualTo": return !values.contains { $0 == value ?? .null }
        case "contains", "doesNotContain", "hasPrefix", "hasSuffix":
            guard case .string(let text)? = value, case .string(let part)? = values.first else {
                return comparison == "doesNotContain"
            }
            return switch comparison {
            case "hasPrefix": text.hasPrefix(utf8: part)
            case "hasSuffix": text.hasSuffix(utf8: part)
            default: text.contains(utf8: part) == (comparison == "contains")
            }
        default:
            guard let left = value?.number, let right = values.first?.number else { return false }
            return switch comparison {
            case "lessThan": left < right
            case "lessThanOrEqualTo": left <= right
            case "greaterThan": left > right
            case "greaterThanOrEqualTo": left >= right
            // Treat as false a comparison that only a newer release of the library supports.
            default: false
            }
        }
    }
}

extension IntentValue {
    fileprivate var number: Double? {
        switch self {
        case .int(let number): Double(number)
        case .double(let number): number
        case .string(let text): Double(text)
        case .null, .bool, .array, .file, .object: nil
        }
    }
}

extension ValueType {
    /// Returns the display name of a value, for use in a sentence; nil for a null value.
    fileprivate func title(of value: IntentValue) -> String? {
        switch (self, value) {
        case (_, .null): nil
        case (.enumeration(let cases), .string(let text)): cases.first { $0.value == text }?.title ?? text
        case (.array(let element), .array(let values)): values.compactMap(element.title).joined(separator: ", ")
        case (_, .string(let text)): text
        case (_, .bool(let flag)): flag ? "yes" : "no"
        case (_, .int(let number)): "\(number)"
        case (_, .double(let number)): Int64(exactly: number).map { "\($0)" } ?? "\(number)"
        case (_, .file(let file)): file.name
        case (_, .object(let members)): if case .string(let text)? = members["title"] { text } else { nil }
        case (_, .array): nil
        }
    }
}

extension IntentDeclaration {
    /// The intent's effect on data; ``IntentDetails/Effect/changes`` when the app does not declare an effect.
    public var effect: IntentDetails.Effect { details?.effect ?? .changes }

    /// True when a run of the intent can register an undo action.
    public var isUndoable: Bool { details?.protocols?.contains("UndoableIntent") == true }
}
