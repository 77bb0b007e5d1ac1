/// Something an app can do for others: declared parameters in, a result out.
///
/// Every type that conforms is found by itself, wherever it is declared; a generic one is not. `intentd` makes the
/// intent with `init()`, sets its parameters, and calls ``perform()`` once, in a process of its own.
///
/// Source: Apple's AppIntent page.
@_alwaysEmitConformanceMetadata
public protocol AppIntent: PersistentlyIdentifiable, _SupportsAppDependencies, Sendable {
    /// What ``perform()`` returns.
    associatedtype PerformResult: IntentResult
    /// What ``parameterSummary`` is; never named by an app.
    associatedtype SummaryContent: ParameterSummary
    /// How ``description`` is spelled; never named by an app.
    associatedtype _Description: _IntentDescriptionValue = IntentDescription?

    /// An intent whose parameters have their defaults. Must not do anything: it runs for the catalogue too.
    init()

    /// The intent's name for people.
    static var title: LocalizedStringResource { get }
    /// What the intent is for; by default nothing.
    static var description: _Description { get }
    /// Without meaning on Linux, where no app is in the foreground; by default false.
    static var openAppWhenRun: Bool { get }
    /// False: the intent runs by its name and is not listed; by default true.
    static var isDiscoverable: Bool { get }
    /// Where the intent may run; without meaning on Linux; by default in the background.
    static var supportedModes: IntentModes { get }
    /// Which process may run it; without meaning on Linux; by default any.
    static var allowedExecutionTargets: IntentExecutionTargets { get }
    /// Whom the intent runs for; without meaning on Linux, where the socket decides; by default anybody.
    static var authenticationPolicy: IntentAuthenticationPolicy { get }
    /// Names of parameters whose values `intentd` puts on no record and hides while they are typed; by default none.
    ///
    /// This is `intentd`'s own, not Apple's: there the same line is a property that nobody reads. An operator adds to it
    /// with `Secret=`.
    static var secretParameters: Set<String> { get }
    /// The intent as a sentence with its parameters; by default none.
    @ParameterSummaryBuilder<Self> static var parameterSummary: SummaryContent { get }

    /// Does the work. What it throws becomes the run's failure; `CancellationError` its cancellation.
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
    public static var parameterSummary: _NoParameterSummary { _NoParameterSummary() }

    /// `@Parameter` inside an intent.
    public typealias Parameter = IntentParameter
    /// `Summary("Order \(\.$soup)")` inside an intent.
    public typealias Summary = IntentParameterSummary<Self>
    /// One of two summaries.
    public typealias When = ParameterSummaryWhenCondition<Self>
    /// One of several summaries.
    public typealias Switch = ParameterSummarySwitchCondition<Self>
    /// One summary of a `Switch`.
    public typealias Case<Value: _IntentValue> = ParameterSummaryCaseCondition<Self, Value>
    /// The last summary of a `Switch`.
    public typealias DefaultCase = ParameterSummaryDefaultCaseCondition<Self>
}

/// Stands where a result opens no other intent.
extension Never: AppIntent {
    public init() {
        preconditionFailure("there is no value of type Never")
    }

    public static var title: LocalizedStringResource { "Never" }

    public func perform() async throws -> IntentResultContainer<Never, Never, Never, Never> {
        switch self {}
    }
}
