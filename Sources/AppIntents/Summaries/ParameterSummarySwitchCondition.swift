/// One of several summaries, by a parameter's value; `Switch` inside an intent.
///
/// Source: Apple's ParameterSummarySwitchCondition page.
public struct ParameterSummarySwitchCondition<Intent: AppIntent>: ParameterSummary {
    public let _content: _ParameterSummaryContent

    public init<Value>(
        _ parameter: KeyPath<Intent, IntentParameter<Value>>,
        @ParameterSummaryCaseBuilder<Intent, Value> _ builder: () -> [_ParameterSummaryCase]
    ) {
        let cases = builder()
        _content = .choice(
            of: IntentInspection.name(of: parameter),
            cases: cases.filter { !$0.values.isEmpty },
            otherwise: cases.first { $0.values.isEmpty }?.content
        )
    }
}

/// The summary for some values; `Case` inside a `Switch`.
///
/// Source: Apple's ParameterSummaryCaseCondition page.
public struct ParameterSummaryCaseCondition<Intent: AppIntent, Value: _IntentValue> {
    let branch: _ParameterSummaryCase

    /// For one value.
    public init<Summary: ParameterSummary>(
        _ value: Value,
        @ParameterSummaryBuilder<Intent> _ summary: () -> Summary
    ) {
        self.init([value], summary)
    }

    /// For each of these values.
    public init<Summary: ParameterSummary>(
        _ values: [Value],
        @ParameterSummaryBuilder<Intent> _ summary: () -> Summary
    ) {
        branch = _ParameterSummaryCase(values: SummaryValues.wire(values), content: summary()._content)
    }
}

/// The summary for every other value; `DefaultCase` inside a `Switch`.
///
/// Source: Apple's ParameterSummaryDefaultCaseCondition page.
public struct ParameterSummaryDefaultCaseCondition<Intent: AppIntent> {
    let branch: _ParameterSummaryCase

    public init<Summary: ParameterSummary>(@ParameterSummaryBuilder<Intent> _ summary: () -> Summary) {
        branch = _ParameterSummaryCase(values: [], content: summary()._content)
    }
}

/// Collects the cases of a `Switch`.
///
/// Source: Apple's ParameterSummarySwitchCondition page.
@resultBuilder
public enum ParameterSummaryCaseBuilder<Intent: AppIntent, Value: _IntentValue> {
    public static func buildExpression(
        _ condition: ParameterSummaryCaseCondition<Intent, Value>
    ) -> _ParameterSummaryCase {
        condition.branch
    }

    public static func buildExpression(
        _ condition: ParameterSummaryDefaultCaseCondition<Intent>
    ) -> _ParameterSummaryCase {
        condition.branch
    }

    public static func buildBlock(_ cases: _ParameterSummaryCase...) -> [_ParameterSummaryCase] { cases }
}
