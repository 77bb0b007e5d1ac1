/// A comparison of a parameter's value with another, for `When`.
///
/// Source: Apple's ParameterSummaryWhenCondition page.
public struct ParameterSummaryComparison: Sendable, Hashable {
    let word: String

    /// The value equals the other.
    public static let equalTo = ParameterSummaryComparison(word: "equalTo")
    /// The value differs from the other.
    public static let notEqualTo = ParameterSummaryComparison(word: "notEqualTo")
    /// The value is less than the other.
    public static let lessThan = ParameterSummaryComparison(word: "lessThan")
    /// The value is less than or equal to the other.
    public static let lessThanOrEqualTo = ParameterSummaryComparison(word: "lessThanOrEqualTo")
    /// The value is greater than the other.
    public static let greaterThan = ParameterSummaryComparison(word: "greaterThan")
    /// The value is greater than or equal to the other.
    public static let greaterThanOrEqualTo = ParameterSummaryComparison(word: "greaterThanOrEqualTo")
}

/// Apple's name for the comparisons by equality.
public typealias EquatableComparisonOperator = ParameterSummaryComparison

/// Apple's name for the comparisons by order.
public typealias ComparableComparisonOperator = ParameterSummaryComparison

/// A comparison of a parameter's value with several others, for `When`.
///
/// Source: Apple's ParameterSummaryWhenCondition page.
public struct ParameterSummaryMembership: Sendable, Hashable {
    let word: String

    /// The value is one of the others.
    public static let oneOf = ParameterSummaryMembership(word: "oneOf")
}

/// Whether a parameter has a value, for `When`.
///
/// Source: Apple's ParameterSummaryWhenCondition page.
public struct ParameterSummaryPresence: Sendable, Hashable {
    let word: String

    /// The parameter has a value.
    public static let hasAnyValue = ParameterSummaryPresence(word: "hasAnyValue")
    /// The parameter has no value.
    public static let hasNoValue = ParameterSummaryPresence(word: "hasNoValue")
}
