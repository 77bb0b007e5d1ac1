internal import IntentWire

/// An app and what it can do, or why that is not known.
public struct InstalledApp: Hashable, Sendable {
    public var name: String
    /// The executable's path.
    public var executable: String
    /// Nil when the app could not give its catalogue.
    public var intents: [InstalledIntent]?
    /// Why there is no catalogue.
    public var problem: String?
    public var limits: AppLimits
    /// How its newest worker was isolated; nil when there was none.
    public var isolation: WorkerIsolation?
    /// Intents with fixed values, and the phrases that ask for them.
    public var shortcuts: [Shortcut] = []
    /// What the app may have lost when it was compiled, in words with the next step.
    public var warnings: [String] = []

    /// An intent with fixed values.
    public struct Shortcut: Hashable, Sendable {
        /// The intent's name.
        public var intent: String
        public var title: String?
        /// With `${applicationName}` and `${parameter}`.
        public var phrases: [String]
        /// By parameter name.
        public var values: [String: RunValue]
    }

    /// Makes a description.
    public init(
        name: String,
        executable: String,
        intents: [InstalledIntent]?,
        problem: String? = nil,
        limits: AppLimits,
        isolation: WorkerIsolation? = nil
    ) {
        self.name = name
        self.executable = executable
        self.intents = intents
        self.problem = problem
        self.limits = limits
        self.isolation = isolation
    }

    /// The intent of exactly that name, else the only one whose name differs by the suffix `Intent`.
    public func intent(named name: String) -> InstalledIntent? {
        let intents = intents ?? []
        if let exact = intents.first(where: { $0.name == name }) { return exact }
        let aliases = intents.filter { $0.name == name + "Intent" || $0.name + "Intent" == name }
        return aliases.count == 1 ? aliases[0] : nil
    }
}

/// The clocks that hold for an app's runs.
public struct AppLimits: Hashable, Sendable {
    /// The time of a plain intent, and of silence of one that reports progress.
    public var runtime: Duration
    /// The most that a caller may ask for instead of ``runtime``.
    public var runtimeMax: Duration
    /// Progress cannot move the end past this.
    public var ceiling: Duration
    /// The same inside `performBackgroundTask`.
    public var longCeiling: Duration
    /// From the cancellation to the first signal.
    public var grace: Duration
    /// The same for a `CancellableIntent`.
    public var graceCancellable: Duration

    /// Makes limits.
    public init(
        runtime: Duration,
        runtimeMax: Duration,
        ceiling: Duration,
        longCeiling: Duration,
        grace: Duration,
        graceCancellable: Duration
    ) {
        self.runtime = runtime
        self.runtimeMax = runtimeMax
        self.ceiling = ceiling
        self.longCeiling = longCeiling
        self.grace = grace
        self.graceCancellable = graceCancellable
    }
}

extension InstalledApp {
    init(_ app: AppDescription) {
        self.init(
            name: app.name,
            executable: app.executable,
            intents: app.catalog?.intents.map(InstalledIntent.init),
            problem: app.problem,
            limits: AppLimits(app.limits),
            isolation: app.isolation.map(WorkerIsolation.init)
        )
        warnings = app.catalog?.warnings ?? []
        shortcuts = (app.catalog?.shortcuts ?? []).map { shortcut in
            Shortcut(
                intent: shortcut.intent,
                title: shortcut.title,
                phrases: shortcut.phrases,
                values: shortcut.values.compactMapValues { RunValue($0, files: []) }
            )
        }
    }
}

extension AppLimits {
    init(_ limits: RunLimits) {
        self.init(
            runtime: limits.runtime,
            runtimeMax: limits.grantableRuntime,
            ceiling: limits.ceiling,
            longCeiling: limits.longCeiling,
            grace: limits.grace,
            graceCancellable: limits.graceCancellable
        )
    }
}
