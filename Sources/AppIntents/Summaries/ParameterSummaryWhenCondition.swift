import IntentWire

/// One of two summaries, by a parameter's value; `When` inside an intent.
///
/// ```swift
/// When(\.$kind, .equalTo, .large) { Summary("Order a large \(\.$soup)") } otherwise: { Summary("Order \(\.$soup)") }
/// ```
///
/// Source: Apple's ParameterSummaryWhenCondition page.
public struct ParameterSummaryWhenCondition<Intent: AppIntent>: ParameterSummary {
    public let _content: _ParameterSummaryContent

    /// By comparing with one value.
    public init<Value, Then: ParameterSummary, Otherwise: ParameterSummary>(
        _ parameter: KeyPath<Intent, IntentParameter<Value>>,
        _ comparison: ParameterSummaryComparison,
        _ value: Value,
        @ParameterSummaryBuilder<Intent> _ then: () -> Then,
        @ParameterSummaryBuilder<Intent> otherwise: () -> Otherwise
    ) {
        self.init(parameter, comparison.word, SummaryValues.wire([value]), then()._content, otherwise()._content)
    }

    /// By comparing with one value, with a summary for nothing else.
    public init<Value, Then: ParameterSummary>(
        _ parameter: KeyPath<Intent, IntentParameter<Value>>,
        _ comparison: ParameterSummaryComparison,
        _ value: Value,
        @ParameterSummaryBuilder<Intent> _ then: () -> Then
    ) {
        self.init(parameter, comparison.word, SummaryValues.wire([value]), then()._content, nil)
    }

    /// By comparing with several values.
    public init<Value, Then: ParameterSummary, Otherwise: ParameterSummary>(
        _ parameter: KeyPath<Intent, IntentParameter<Value>>,
        _ membership: ParameterSummaryMembership,
        _ values: [Value],
        @ParameterSummaryBuilder<Intent> _ then: () -> Then,
        @ParameterSummaryBuilder<Intent> otherwise: () -> Otherwise
    ) {
        self.init(parameter, membership.word, SummaryValues.wire(values), then()._content, otherwise()._content)
    }

    /// By comparing with several values, with a summary for nothing else.
    public init<Value, Then: ParameterSummary>(
        _ parameter: KeyPath<Intent, IntentParameter<Value>>,
        _ membership: ParameterSummaryMembership,
        _ values: [Value],
        @ParameterSummaryBuilder<Intent> _ then: () -> Then
    ) {
        self.init(parameter, membership.word, SummaryValues.wire(values), then()._content, nil)
    }

    /// By whether there is a value.
    public init<Value, Then: ParameterSummary, Otherwise: ParameterSummary>(
        _ parameter: KeyPath<Intent, IntentParameter<Value>>,
        _ presence: ParameterSummaryPresence,
        @ParameterSummaryBuilder<Intent> _ then: () -> Then,
        @ParameterSummaryBuilder<Intent> otherwise: () -> Otherwise
    ) {
        self.init(parameter, presence.word, [], then()._content, otherwise()._content)
    }

    /// By whether there is a value, with a summary for nothing else.
    public init<Value, Then: ParameterSummary>(
        _ parameter: KeyPath<Intent, IntentParameter<Value>>,
        _ presence: ParameterSummaryPresence,
        @ParameterSummaryBuilder<Intent> _ then: () -> Then
    ) {
        self.init(parameter, presence.word, [], then()._content, nil)
    }

    /// By the size of a widget: on Linux there is none, and the other summary holds.
    public init<Then: ParameterSummary, Otherwise: ParameterSummary>(
        widgetFamily comparison: ParameterSummaryComparison,
        _ family: IntentWidgetFamily,
        @ParameterSummaryBuilder<Intent> _ then: () -> Then,
        @ParameterSummaryBuilder<Intent> otherwise: () -> Otherwise
    ) {
        _content = otherwise()._content
    }

    /// By the sizes of a widget: on Linux there is none, and the other summary holds.
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
        _ values: [IntentWire.IntentValue],
        _ then: _ParameterSummaryContent,
        _ otherwise: _ParameterSummaryContent?
    ) {
        let condition = _ParameterSummaryCondition(
            parameter: IntentInspection.name(of: parameter),
            comparison: comparison,
            values: values
        )
        _content = .when(condition, then: then, otherwise: otherwise)
    }
}
