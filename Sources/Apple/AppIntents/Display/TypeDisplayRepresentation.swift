/// The representation of a type that is shown to people.
///
/// Source: Apple's TypeDisplayRepresentation page.
public struct TypeDisplayRepresentation: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The name of a single value of the type.
    public var name: LocalizedStringResource
    /// The name for several values, with a placeholder for the count: "\(placeholder: .int) soups".
    public var numericFormat: LocalizedStringResource?
    /// Alternative names for the type.
    public var synonyms: [LocalizedStringResource]

    /// Creates a representation with a name, a numeric format and alternative names.
    public init(
        name: LocalizedStringResource,
        numericFormat: LocalizedStringResource? = nil,
        synonyms: [LocalizedStringResource] = []
    ) {
        self.name = name
        self.numericFormat = numericFormat
        self.synonyms = synonyms
    }

    /// Creates a representation with only a name.
    public init(stringLiteral value: String) {
        self.init(name: LocalizedStringResource(stringLiteral: value))
    }

    /// Creates a representation with only a name.
    public init(stringInterpolation: String.LocalizationValue.StringInterpolation) {
        self.init(name: LocalizedStringResource(stringInterpolation: stringInterpolation))
    }
}
