/// How `When` compares a parameter's value with another.
///
/// Source: Apple's ParameterSummaryWhenCondition page.
public struct ParameterSummaryComparison: Sendable, Hashable {
    let word: String

    public static let equalTo = ParameterSummaryComparison(word: "equalTo")
    public static let notEqualTo = ParameterSummaryComparison(word: "notEqualTo")
    public static let lessThan = ParameterSummaryComparison(word: "lessThan")
    public static let lessThanOrEqualTo = ParameterSummaryComparison(word: "lessThanOrEqualTo")
    public static let greaterThan = ParameterSummaryComparison(word: "greaterThan")
    public static let greaterThanOrEqualTo = ParameterSummaryComparison(word: "greaterThanOrEqualTo")
}

/// The name of the comparisons for equality on Apple's systems.
public typealias EquatableComparisonOperator = ParameterSummaryComparison

/// The name of the comparisons for order on Apple's systems.
public typealias ComparableComparisonOperator = ParameterSummaryComparison

/// How `When` compares a parameter's value with several.
///
/// Source: Apple's ParameterSummaryWhenCondition page.
public struct ParameterSummaryMembership: Sendable, Hashable {
    let word: String

    public static let oneOf = ParameterSummaryMembership(word: "oneOf")
}

/// How `When` asks whether a parameter has a value.
///
/// Source: Apple's ParameterSummaryWhenCondition page.
public struct ParameterSummaryPresence: Sendable, Hashable {
    let word: String

    public static let hasAnyValue = ParameterSummaryPresence(word: "hasAnyValue")
    public static let hasNoValue = ParameterSummaryPresence(word: "hasNoValue")
}
