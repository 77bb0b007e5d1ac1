import IntentWire

/// Everything that a parameter's declaration says beside its type and its default.
struct ParameterTraits: Sendable {
    var title: LocalizedStringResource?
    var summary: LocalizedStringResource?
    /// What a person is asked when the value is missing.
    var question: IntentDialog?
    /// What a person is asked when several values may be meant.
    var disambiguation: IntentDialog?
    /// Bounds of the number, or of each number of a list.
    var range: NumberRange?
    /// How many elements a list has.
    var size: IntentCollectionSize?
    /// The catalogue's type where it is narrower than that of the values.
    var type: IntentWire.ValueType?
    /// The kinds of files that are taken; empty: any.
    var contentTypes: [UTType] = []
    /// The unit of a number without one.
    var defaultUnit: String?
    /// True: a measurement below zero is refused.
    var isNonNegative = false
    /// What can be chosen from.
    var options: OptionsSource?
    /// Make a value of another one that does not fit.
    var resolvers: ResolverSource?
}
