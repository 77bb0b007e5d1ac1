/// An action that an app offers to callers, with declared parameters and a result.
///
/// `intentd` discovers every conforming type without registration, unless the type is generic. For each run, a new
/// worker process creates the intent with `init()`, sets its parameters and calls ``perform()``.
///
/// Source: Apple's AppIntent page.
@_alwaysEmitConformanceMetadata
public protocol AppIntent: PersistentlyIdentifiable, _SupportsAppDependencies, Sendable {
    /// The type of the result that ``perform()`` returns.
    associatedtype PerformResult: IntentResult
    /// The type of ``parameterSummary``, inferred by Swift.
    associatedtype SummaryContent: ParameterSummary
    /// The type of ``description``, inferred by Swift.
    associatedtype _Description: _IntentDescriptionValue = IntentDescription?

    /// Creates an intent in which every parameter has its default value. The initialiser must have no side effects,
    /// because it is also called to create the catalogue.
    init()

    /// The intent's display name.
    static var title: LocalizedStringResource { get }
    /// A description of what the intent does. The default is nil.
    static var description: _Description { get }
    /// True if the app is opened for a run. The default is false. Ignored on Linux, where apps have no foreground.
    static var openAppWhenRun: Bool { get }
    /// True if the intent is listed. The default is true. An intent that is not listed can still be run by name.
    static var isDiscoverable: Bool { get }
    /// The modes in which the intent may run. The default is the background. Ignored on Linux.
    static var supportedModes: IntentModes { get }
    /// The kinds of process in which the intent may run. The default is all kinds. Ignored on Linux.
    static var allowedExecutionTargets: IntentExecutionTargets { get }
    /// The authentication that the intent requires. By default, it requires no authentication.
    static var authenticationPolicy: IntentAuthenticationPolicy { get }
    /// The names of the parameters with secret values, which are neither recorded nor echoed on a terminal. The default
    /// is an empty set.
    ///
    /// Specific to Linux: on Apple's systems, a property with this name has no effect. Operators can add names with
    /// `Secret=`.
    static var secretParameters: Set<String> { get }
    /// The intent's effect on data. By default, an ``OpenIntent`` or a ``ShowInAppSearchResultsIntent`` reads data, a
    /// ``DeleteIntent`` destroys data, and any other intent changes data. An agent with read-only access can use only
    /// intents that read data. To run an intent that destroys data, an agent needs a person's approval.
    ///
    /// Specific to Linux: on Apple's systems, a property with this name has no effect. Operators can override it with
    /// `Effect=`.
    static var effect: IntentEffect { get }
    /// True if performing the intent twice has the same effect as performing it once. By default, this is true only for
    /// a ``SetValueIntent``.
    ///
    /// Specific to Linux. Operators can override it with `Idempotent=`.
    static var isIdempotent: Bool { get }
    /// A sentence that describes the intent and contains its parameters. The default is an empty summary.
    @ParameterSummaryBuilder<Self> static var parameterSummary: SummaryContent { get }

    /// Performs the action. If this method throws `CancellationError`, the run is cancelled; if it throws any other
    /// error, the run fails.
    func perform() async throws -> PerformResult
}

extension AppIntent {
    public static var description: IntentDescription? { nil }
    public static var openAppWhenRun: Bool { false }
    public static var isDiscoverable: Bool { true }
    public static var supportedModes: IntentModes { .background }
    public static var allowedExecutionTargets: IntentExecutionTargets { [.main, .appIntentsExtension] }
    public static var authenticationPolicy: IntentAuthenticationPolicy { .alwaysAllowed }
    public static var secretParameters: Set<String> { [] }
    public static var effect: IntentEffect {
        if Self.self is any DeleteIntent.Type { return .destroys }
        let isReading = Self.self is any OpenIntent.Type || Self.self is any ShowInAppSearchResultsIntent.Type
        return isReading ? .reads : .changes
    }
    public static var isIdempotent: Bool { Self.self is any SetValueIntent.Type }
    public static var parameterSummary: _NoParameterSummary { _NoParameterSummary() }

    /// The `@Parameter` property wrapper for an intent.
    public typealias Parameter = IntentParameter
    /// The summary of an intent: `Summary("Order \(\.$soup)")`.
    public typealias Summary = IntentParameterSummary<Self>
    /// A choice between two summaries.
    public typealias When = ParameterSummaryWhenCondition<Self>
    /// A choice between several summaries.
    public typealias Switch = ParameterSummarySwitchCondition<Self>
    /// One branch of a `Switch`.
    public typealias Case<Value: _IntentValue> = ParameterSummaryCaseCondition<Self, Value>
    /// The branch of a `Switch` that is used when no other branch matches.
    public typealias DefaultCase = ParameterSummaryDefaultCaseCondition<Self>
}

/// This conformance exists because a result without a next intent has `Never` as the type of its next intent.
extension Never: AppIntent {
    public init() {
        preconditionFailure("a value of type Never cannot exist")
    }

    public static var title: LocalizedStringResource { "Never" }

    public func perform() async throws -> IntentResultContainer<Never, Never, Never, Never> {
        switch self {}
    }
}
