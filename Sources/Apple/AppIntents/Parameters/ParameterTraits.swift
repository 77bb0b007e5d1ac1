import IntentSharedTypes

/// A parameter's declaration, except for its type and default value.
struct ParameterTraits: Sendable {
    var title: LocalizedStringResource?
    var summary: LocalizedStringResource?
    /// The question to ask when the value is missing.
    var question: IntentDialog?
    /// The question to ask when several values match.
    var disambiguation: IntentDialog?
    /// The bounds of a number, or of each number in a list.
    var range: NumberRange?
    /// The permitted number of elements in a list.
    var size: IntentCollectionSize?
    /// The type in the catalogue, if it is more specific than the value type; otherwise nil.
    var type: IntentSharedTypes.ValueType?
    /// The permitted types of files. If empty, all types are permitted.
    var contentTypes: [UTType] = []
    /// Whether a question requests a date or a time; nil for both.
    var dateKind: ParameterDeclaration.DateKind?
    /// The display names for true and false.
    var boolNames: ParameterDeclaration.BoolNames?
    /// The unit that applies to a number without a unit.
    var defaultUnit: String?
    /// True if negative measurements are rejected.
    var isNonNegative = false
    /// The source of the values from which to choose; nil when any value may be entered.
    var options: OptionsSource?
    /// The source of the resolvers, which convert values of other types; nil when there are no resolvers.
    var resolvers: ResolverSource?
}
