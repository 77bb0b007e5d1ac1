import IntentSharedTypes

/// A choice between two summaries, based on a parameter's value. Intents refer to this type as `When`.
///
/// ```swift
/// When(\.$kind, .equalTo, .large) { Summary("Order a large \(\.$soup)") } otherwise: { Summary("Order \(\.$soup)") }
/// ```
///
/// Source: Apple's ParameterSummaryWhenCondition page.
public struct ParameterSummaryWhenCondition<Intent: AppIntent>: ParameterSummary {
    public let _content: _ParameterSummaryContent

    /// Creates a condition that compares a parameter with one value.
    public init<Value, Then: ParameterSummary, Otherwise: ParameterSummary>(
        _ parameter: KeyPath<Intent, IntentParameter<Value>>,
        _ comparison: ParameterSummaryComparison,
        _ value: Value,
        @ParameterSummaryBuilder<Intent> _ then: () -> Then,
        @ParameterSummaryBuilder<Intent> otherwise: () -> Otherwise
    ) {
        self.init(parameter, comparison.name, SummaryValues.wire([value]), then()._content, otherwise()._content)
    }

    /// Creates a condition that compares a parameter with one value. If the condition is false, the intent has no
    /// summary.
    public init<Value, Then: ParameterSummary>(
        _ parameter: KeyPath<Intent, IntentParameter<Value>>,
        _ comparison: ParameterSummaryComparison,
        _ value: Value,
        @ParameterSummaryBuilder<Intent> _ then: () -> Then
    ) {
        self.init(parameter, comparison.name, SummaryValues.wire([value]), then()._content, nil)
    }

    /// Creates a condition that compares a parameter with several values.
    public init<Value, Then: ParameterSummary, Otherwise: ParameterSummary>(
        _ parameter: KeyPath<Intent, IntentParameter<Value>>,
        _ membership: ParameterSummaryMembership,
        _ values: [Value],
        @ParameterSummaryBuilder<Intent> _ then: () -> Then,
        @ParameterSummaryBuilder<Intent> otherwise: () -> Otherwise
    ) {
        self.init(parameter, membership.name, SummaryValues.wire(values), then()._content, otherwise()._content)
    }

    /// Creates a condition that compares a parameter with several values. If the condition is false, the intent has no
    /// summary.
    public init<Value, Then: ParameterSummary>(
        _ parameter: KeyPath<Intent, IntentParameter<Value>>,
        _ membership: ParameterSummaryMembership,
        _ values: [Value],
        @ParameterSummaryBuilder<Intent> _ then: () -> Then
    ) {
        self.init(parameter, membership.name, SummaryValues.wire(values), then()._content, nil)
    }

    /// Creates a condition that tests whether a parameter has a value.
    public init<Value, Then: ParameterSummary, Otherwise: ParameterSummary>(
        _ parameter: KeyPath<Intent, IntentParameter<Value>>,
        _ presence: ParameterSummaryPresence,
        @ParameterSummaryBuilder<Intent> _ then: () -> Then,
        @ParameterSummaryBuilder<Intent> otherwise: () -> Otherwise
    ) {
        self.init(parameter, presence.name, [], then()._content, otherwise()._content)
    }

    /// Creates a condition that tests whether a parameter has a value. If the condition is false, the intent has no
    /// summary.
    public init<Value, Then: ParameterSummary>(
        _ parameter: KeyPath<Intent, IntentParameter<Value>>,
        _ presence: ParameterSummaryPresence,
        @ParameterSummaryBuilder<Intent> _ then: () -> Then
    ) {
        self.init(parameter, presence.name, [], then()._content, nil)
    }

    /// Creates a condition that compares an entity's id with one id.
    public init<Value, Then: ParameterSummary, Otherwise: ParameterSummary>(
        _ parameter: KeyPath<Intent, IntentParameter<Value>>,
        identifier comparison: ParameterSummaryComparison,
        _ value: Value.ValueType.ID,
        @ParameterSummaryBuilder<Intent> _ then: () -> Then,
        @ParameterSummaryBuilder<Intent> otherwise: () -> Otherwise = { IntentParameterSummary<Intent>() }
    ) where Value.ValueType: AppEntity {
        let values = [IntentValue.string(value.entityIdentifierString)]
        self.init(parameter, comparison.name, values, then()._content, otherwise()._content)
    }

    /// Creates a condition that compares an entity's id with several ids.
    public init<Value, Then: ParameterSummary, Otherwise: ParameterSummary>(
        _ parameter: KeyPath<Intent, IntentParameter<Value>>,
        identifier membership: ParameterSummaryMembership,
        _ values: [Value.ValueType.ID],
        @ParameterSummaryBuilder<Intent> _ then: () -> Then,
        @ParameterSummaryBuilder<Intent> otherwise: () -> Otherwise = { IntentParameterSummary<Intent>() }
    ) where Value.ValueType: AppEntity {
        let values = values.map { IntentValue.string($0.entityIdentifierString) }
        self.init(parameter, membership.name, values, then()._content, otherwise()._content)
    }

    /// Creates a condition that compares an entity's id with a string.
    public init<Value, Then: ParameterSummary, Otherwise: ParameterSummary>(
        _ parameter: KeyPath<Intent, IntentParameter<Value>>,
        identifier comparison: StringComparisonOperator,
        _ value: String,
        @ParameterSummaryBuilder<Intent> _ then: () -> Then,
        @ParameterSummaryBuilder<Intent> otherwise: () -> Otherwise = { IntentParameterSummary<Intent>() }
    ) where Value.ValueType: AppEntity {
        let values = [IntentValue.string(value)]
        self.init(parameter, comparison.rawValue, values, then()._content, otherwise()._content)
    }

    /// Creates a condition on the size of a widget. Linux has no widgets, so the summary in `otherwise` is used.
    public init<Then: ParameterSummary, Otherwise: ParameterSummary>(
        widgetFamily comparison: ParameterSummaryComparison,
        _ family: IntentWidgetFamily,
        @ParameterSummaryBuilder<Intent> _ then: () -> Then,
        @ParameterSummaryBuilder<Intent> otherwise: () -> Otherwise
    ) {
        _content = otherwise()._content
    }

    /// Creates a condition on several widget sizes. Linux has no widgets, so the summary in `otherwise` is used.
    public init<Then: ParameterSummary, Otherwise: ParameterSummary>(
        widgetFamily membership: ParameterSummaryMembership,
        _ families: [IntentWidgetFamily],
        @ParameterSummaryBuilder<Intent> _ then: () -> Then,
        @ParameterSummaryBuilder<Intent> otherwise: () -> Otherwise
    ) {
        _content = otherwise()._content
    }

    private init(
        _ parameter: KeyPath<Intent, IntentParameter<some Any>>,
        _ comparison: String,
        _ values: [IntentValue],
        _ then: _ParameterSummaryContent,
        _ otherwise: _ParameterSummaryContent?
    ) {
        let condition = SummarySentence.Condition(
            parameter: IntentInspection.name(of: parameter),
            comparison: comparison,
            values: values
        )
        _content = .when(_ParameterSummaryCondition(condition: condition), then: then, otherwise: otherwise)
    }
}
