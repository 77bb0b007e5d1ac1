/// What a type is called by people.
///
/// Source: Apple's TypeDisplayRepresentation page.
public struct TypeDisplayRepresentation: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The name of one value of the type.
    public var name: LocalizedStringResource
    /// The name after a number: "\(placeholder: .int) soups".
    public var numericFormat: LocalizedStringResource?
    /// Further names of the type.
    public var synonyms: [LocalizedStringResource]

    public init(
        name: LocalizedStringResource,
        numericFormat: LocalizedStringResource? = nil,
        synonyms: [LocalizedStringResource] = []
    ) {
        self.name = name
        self.numericFormat = numericFormat
        self.synonyms = synonyms
    }

    public init(stringLiteral value: String) {
        self.init(name: LocalizedStringResource(stringLiteral: value))
    }

    public init(stringInterpolation: String.LocalizationValue.StringInterpolation) {
        self.init(name: LocalizedStringResource(stringInterpolation: stringInterpolation))
    }
}
