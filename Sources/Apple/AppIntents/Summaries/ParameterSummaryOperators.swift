/// An operator that compares a parameter's value with a given value, for use in `When`.
///
/// Source: Apple's ParameterSummaryWhenCondition page.
public struct ParameterSummaryComparison: Sendable, Hashable {
    let name: String

    /// The parameter's value equals the given value.
    public static let equalTo = ParameterSummaryComparison(name: "equalTo")
    /// The parameter's value differs from the given value.
    public static let notEqualTo = ParameterSummaryComparison(name: "notEqualTo")
    /// The parameter's value is less than the given value.
    public static let lessThan = ParameterSummaryComparison(name: "lessThan")
    /// The parameter's value is less than or equal to the given value.
    public static let lessThanOrEqualTo = ParameterSummaryComparison(name: "lessThanOrEqualTo")
    /// The parameter's value is greater than the given value.
    public static let greaterThan = ParameterSummaryComparison(name: "greaterThan")
    /// The parameter's value is greater than or equal to the given value.
    public static let greaterThanOrEqualTo = ParameterSummaryComparison(name: "greaterThanOrEqualTo")
}

/// Apple's name for the type of an operator that tests equality.
public typealias EquatableComparisonOperator = ParameterSummaryComparison

/// Apple's name for the type of an operator that tests order.
public typealias ComparableComparisonOperator = ParameterSummaryComparison

/// An operator that compares a parameter's value with several given values, for use in `When`.
///
/// Source: Apple's ParameterSummaryWhenCondition page.
public struct ParameterSummaryMembership: Sendable, Hashable {
    let name: String

    /// The parameter's value is one of the given values.
    public static let oneOf = ParameterSummaryMembership(name: "oneOf")
}

/// Apple's name for the type of an operator that tests membership.
public typealias OneOfComparisonOperator = ParameterSummaryMembership

/// An operator that tests whether a parameter has a value, for use in `When`.
///
/// Source: Apple's ParameterSummaryWhenCondition page.
public struct ParameterSummaryPresence: Sendable, Hashable {
    let name: String

    /// The parameter has a value.
    public static let hasAnyValue = ParameterSummaryPresence(name: "hasAnyValue")
    /// The parameter has no value.
    public static let hasNoValue = ParameterSummaryPresence(name: "hasNoValue")
}

/// Apple's name for the type of an operator that tests for a value.
public typealias HasValueComparisonOperator = ParameterSummaryPresence

/// An operator that compares an entity's id with a string, for use in `When`.
///
/// Source: Apple's StringComparisonOperator page.
public enum StringComparisonOperator: String, Sendable, Hashable {
    /// The id contains the string.
    case contains
    /// The id does not contain the string.
    case doesNotContain
    /// The id starts with the string.
    case hasPrefix
    /// The id ends with the string.
    case hasSuffix
}
