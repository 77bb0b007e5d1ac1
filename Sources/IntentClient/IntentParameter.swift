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

    /// Makes a description.
    public init(
        name: String,
        title: String,
        summary: String? = nil,
        type: ParameterType,
        isOptional: Bool = false,
        defaultValue: RunValue? = nil
    ) {
        self.name = name
        self.title = title
        self.summary = summary
        self.type = type
        self.isOptional = isOptional
        self.defaultValue = defaultValue
    }

    /// True when a caller must give a value.
    public var isRequired: Bool { !isOptional && defaultValue == nil }
}

/// The type of a parameter or result.
public enum ParameterType: String, Hashable, Sendable, CaseIterable {
    case string
    case int
    case double
    case bool
    case file
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
            defaultValue: parameter.defaultValue.map { RunValue($0, files: []) ?? .null }
        )
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
            }
    }
}
