import IntentWire

/// A parameter's declaration, without its type and its default.
struct ParameterTraits: Sendable {
    var title: LocalizedStringResource?
    var summary: LocalizedStringResource?
    /// The question to ask if the value is missing.
    var question: IntentDialog?
    /// The question to ask if several values match.
    var disambiguation: IntentDialog?
    /// The bounds of a number, or of each number of a list.
    var range: NumberRange?
    /// The permitted number of elements.
    var size: IntentCollectionSize?
    /// The type in the catalogue, if it is narrower than that of the value type.
    var type: IntentWire.ValueType?
    /// The permitted types of files; empty permits all types.
    var contentTypes: [UTType] = []
    /// The part of a date that a question asks for; nil asks for any part.
    var dateKind: ParameterDeclaration.DateKind?
    /// The words for true and false.
    var boolNames: ParameterDeclaration.BoolNames?
    /// The unit of a number given without a unit.
    var defaultUnit: String?
    /// Whether a measurement below zero is refused.
    var isNonNegative = false
    /// The values to choose from.
    var options: OptionsSource?
    /// The resolvers that convert values of other types.
    var resolvers: ResolverSource?
}
