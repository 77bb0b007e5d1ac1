import IntentWire

/// A parameter's declaration, without its type and its default.
struct ParameterTraits: Sendable {
    var title: LocalizedStringResource?
    var summary: LocalizedStringResource?
    /// The question when the value is missing.
    var question: IntentDialog?
    /// The question when several values match.
    var disambiguation: IntentDialog?
    /// The bounds of a number, or of each number of a list.
    var range: NumberRange?
    /// The permitted number of elements.
    var size: IntentCollectionSize?
    /// The catalogue's type, where it is narrower than the value type's own.
    var type: IntentWire.ValueType?
    /// The permitted types of files; empty: any.
    var contentTypes: [UTType] = []
    /// The part of a date that is asked for; nil: any.
    var dateKind: ParameterDeclaration.DateKind?
    /// Names for true and false.
    var boolNames: ParameterDeclaration.BoolNames?
    /// The unit of a number without one.
    var defaultUnit: String?
    /// Whether a measurement below zero is refused.
    var isNonNegative = false
    /// The values to choose from.
    var options: OptionsSource?
    /// The resolvers that convert values of other types.
    var resolvers: ResolverSource?
}
