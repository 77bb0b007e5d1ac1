/// A choice between several summaries, based on a parameter's value. Intents refer to this type as `Switch`.
///
/// Source: Apple's ParameterSummarySwitchCondition page.
public struct ParameterSummarySwitchCondition<Intent: AppIntent>: ParameterSummary {
    public let _content: _ParameterSummaryContent

    /// Creates a switch that selects a branch based on a parameter's value.
    public init<Value>(
        _ parameter: KeyPath<Intent, IntentParameter<Value>>,
        @ParameterSummaryCaseBuilder<Intent, Value> _ builder: () -> [_ParameterSummaryCase]
    ) {
        let cases = builder()
        _content = .choice(
            of: IntentInspection.name(of: parameter),
            cases: cases.filter { $0.values?.isEmpty == false },
            otherwise: cases.first { $0.values == nil }?.content
        )
    }
}

/// A branch that is used for certain values: `Case` in a `Switch`.
///
/// Source: Apple's ParameterSummaryCaseCondition page.
public struct ParameterSummaryCaseCondition<Intent: AppIntent, Value: _IntentValue> {
    let branch: _ParameterSummaryCase

    /// Creates a branch for one value.
    public init<Summary: ParameterSummary>(
        _ value: Value,
        @ParameterSummaryBuilder<Intent> _ summary: () -> Summary
    ) {
        self.init([value], summary)
    }

    /// Creates a branch for several values.
    public init<Summary: ParameterSummary>(
        _ values: [Value],
        @ParameterSummaryBuilder<Intent> _ summary: () -> Summary
    ) {
        branch = _ParameterSummaryCase(values: SummaryValues.wire(values), content: summary()._content)
    }
}

/// The branch that is used for all other values: `DefaultCase` in a `Switch`.
///
/// Source: Apple's ParameterSummaryDefaultCaseCondition page.
public struct ParameterSummaryDefaultCaseCondition<Intent: AppIntent> {
    let branch: _ParameterSummaryCase

    /// Creates the branch that is used for all other values.
    public init<Summary: ParameterSummary>(@ParameterSummaryBuilder<Intent> _ summary: () -> Summary) {
        branch = _ParameterSummaryCase(values: nil, content: summary()._content)
    }
}

/// A result builder that collects the branches of a `Switch`.
///
/// Source: Apple's ParameterSummarySwitchCondition page.
@resultBuilder
public enum ParameterSummaryCaseBuilder<Intent: AppIntent, Value: _IntentValue> {
    /// Adds a branch for certain values.
    public static func buildExpression(
        _ condition: ParameterSummaryCaseCondition<Intent, Value>
    ) -> _ParameterSummaryCase {
        condition.branch
    }

    /// Adds the branch for all other values.
    public static func buildExpression(
        _ condition: ParameterSummaryDefaultCaseCondition<Intent>
    ) -> _ParameterSummaryCase {
        condition.branch
    }

    /// Combines the branches of a block.
    public static func buildBlock(_ cases: _ParameterSummaryCase...) -> [_ParameterSummaryCase] { cases }
}
