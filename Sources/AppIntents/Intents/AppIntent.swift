/// An action that an app offers to others, with declared parameters and a result.
///
/// Every conforming type is found without registration, wherever it is declared, unless it is generic. For a run, the
/// worker creates the intent with `init()`, sets its parameters, and calls ``perform()``, in a process that serves only
/// this run.
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

    /// The intent's name for people.
    static var title: LocalizedStringResource { get }
    /// What the intent does. Nil by default.
    static var description: _Description { get }
    /// Whether the app opens for the run. False by default; ignored on Linux, where no app is in the foreground.
    static var openAppWhenRun: Bool { get }
    /// Whether the intent is listed. True by default; an intent that is not listed still runs by its name.
    static var isDiscoverable: Bool { get }
    /// Where the intent may run. The background by default; ignored on Linux.
    static var supportedModes: IntentModes { get }
    /// The processes that may run the intent. All by default; ignored on Linux.
    static var allowedExecutionTargets: IntentExecutionTargets { get }
    /// The authentication that the intent requires. None by default; ignored on Linux, where access to the socket
    /// decides.
    static var authenticationPolicy: IntentAuthenticationPolicy { get }
    /// The names of secret parameters: their values are never recorded, and not echoed while they are typed. Empty by
    /// default.
    ///
    /// This is specific to Linux; on Apple's systems, a property of this name has no effect. An operator adds names
    /// with `Secret=`.
    static var secretParameters: Set<String> { get }
    /// What performing the intent does to data. By default, an ``OpenIntent`` and a ``ShowInAppSearchResultsIntent``
    /// read, a ``DeleteIntent`` destroys, and others change something. Agents that may only read get no other intents, and
    /// a person approves what destroys something.
    ///
    /// This is specific to Linux; on Apple's systems, a property of this name has no effect. An operator overrides it
    /// with `Effect=`.
    static var effect: IntentEffect { get }
    /// Whether performing the intent twice has the same effect as performing it once. By default, only
    /// of a ``SetValueIntent``.
    ///
    /// This is specific to Linux. An operator overrides it with `Idempotent=`.
    static var isIdempotent: Bool { get }
    /// The intent as a sentence with its parameters. Empty by default.
    @ParameterSummaryBuilder<Self> static var parameterSummary: SummaryContent { get }

    /// Performs the action. An error that it throws fails the run; `CancellationError` marks it as cancelled.
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
