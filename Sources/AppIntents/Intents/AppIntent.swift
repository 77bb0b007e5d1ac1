/// An action that an app offers to callers, with declared parameters and a result.
///
/// `intentd` finds every conforming type without registration, unless the type is generic. For each run, a new worker
/// process creates the intent with `init()`, sets its parameters, and calls ``perform()``.
///
/// Source: Apple's AppIntent page.
@_alwaysEmitConformanceMetadata
public protocol AppIntent: PersistentlyIdentifiable, _SupportsAppDependencies, Sendable {
    /// The type of the result of ``perform()``.
    associatedtype PerformResult: IntentResult
    /// The type of ``parameterSummary``, which Swift infers.
    associatedtype SummaryContent: ParameterSummary
    /// The type of ``description``, which Swift infers.
    associatedtype _Description: _IntentDescriptionValue = IntentDescription?

    /// Creates an intent with the defaults of its parameters. It must have no side effects: the catalogue calls it too.
    init()

    /// The intent's display name.
    static var title: LocalizedStringResource { get }
    /// A description of what the intent does. Nil by default.
    static var description: _Description { get }
    /// Whether the app opens for a run. False by default; ignored on Linux, where no app is in the foreground.
    static var openAppWhenRun: Bool { get }
    /// Whether listings show the intent. True by default; a hidden intent can still be run by its name.
    static var isDiscoverable: Bool { get }
    /// The modes in which the intent may run. The background by default; ignored on Linux.
    static var supportedModes: IntentModes { get }
    /// The processes that may run the intent. All by default; ignored on Linux.
    static var allowedExecutionTargets: IntentExecutionTargets { get }
    /// The authentication that the intent requires. None by default.
    static var authenticationPolicy: IntentAuthenticationPolicy { get }
    /// The names of secret parameters, with values that are neither recorded nor echoed on a terminal. Empty by
    /// default.
    ///
    /// This is specific to Linux; on Apple's systems, a property of this name has no effect. An operator adds names
    /// with `Secret=`.
    static var secretParameters: Set<String> { get }
    /// The effect of the intent on data. By default, an ``OpenIntent`` or a ``ShowInAppSearchResultsIntent`` reads
    /// data, a ``DeleteIntent`` destroys data, and any other intent changes data. An agent with read-only access sees
    /// only intents that read. An agent needs a person's approval to run an intent that destroys.
    ///
    /// This is specific to Linux; on Apple's systems, a property of this name has no effect. An operator overrides it
    /// with `Effect=`.
    static var effect: IntentEffect { get }
    /// Whether performing the intent twice has the same effect as performing it once. By default, true only for a
    /// ``SetValueIntent``.
    ///
    /// This is specific to Linux. An operator overrides it with `Idempotent=`.
    static var isIdempotent: Bool { get }
    /// A sentence that describes the intent with its parameters. Empty by default.
    @ParameterSummaryBuilder<Self> static var parameterSummary: SummaryContent { get }

    /// Performs the action. If it throws an error, the run fails; if it throws `CancellationError`, the run is
    /// cancelled.
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

    /// `@Parameter` in an intent.
    public typealias Parameter = IntentParameter
    /// `Summary("Order \(\.$soup)")` in an intent.
    public typealias Summary = IntentParameterSummary<Self>
    /// A choice between two summaries.
    public typealias When = ParameterSummaryWhenCondition<Self>
    /// A choice between several summaries.
    public typealias Switch = ParameterSummarySwitchCondition<Self>
    /// A branch of a `Switch`.
    public typealias Case<Value: _IntentValue> = ParameterSummaryCaseCondition<Self, Value>
    /// The last branch of a `Switch`.
    public typealias DefaultCase = ParameterSummaryDefaultCaseCondition<Self>
}

/// The type of the next intent for a result that has no next intent.
extension Never: AppIntent {
    public init() {
        preconditionFailure("a value of type Never cannot exist")
    }

    public static var title: LocalizedStringResource { "Never" }

    public func perform() async throws -> IntentResultContainer<Never, Never, Never, Never> {
        switch self {}
    }
}
