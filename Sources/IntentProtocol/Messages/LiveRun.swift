/// A run that has not ended.
public struct LiveRun: Hashable, Sendable, Codable {
    public var run: RunID
    public var app: String
    public var intent: String
    public var state: RunState
    /// Since it was accepted.
    @Milliseconds public var age: Duration
    /// Until its clock ends it, unless progress advances; nil while no clock of its own runs.
    @OptionalMilliseconds public var remaining: Duration?
    public var progress: ProgressReport?
    /// Why it is stopping.
    public var reason: CancellationReason?
    /// True while a debugger holds its worker, and with it its clocks; absent otherwise.
    public var isHeld: Bool?
    /// What it does: the intent's sentence with the run's values.
    public var title: String?
    /// What it asks, while it waits for an answer; the whole question is the answer to `question`.
    public var asks: String?
    /// The owner's uid; nil for the caller's own run.
    public var user: UInt32?

    public init(
        run: RunID,
        app: String,
        intent: String,
        state: RunState,
        age: Duration,
        remaining: Duration? = nil,
        progress: ProgressReport? = nil,
        reason: CancellationReason? = nil,
        isHeld: Bool? = nil,
        title: String? = nil,
        asks: String? = nil,
        user: UInt32? = nil
    ) {
        self.run = run
        self.app = app
        self.intent = intent
        self.state = state
        self.age = age
        self.remaining = remaining
        self.progress = progress
        self.reason = reason
        self.isHeld = isHeld
        self.title = title
        self.asks = asks
        self.user = user
    }

    private enum CodingKeys: String, CodingKey {
        case run, app, intent, state
        case age = "ageMilliseconds"
        case remaining = "remainingMilliseconds"
        case progress, reason, isHeld, title, asks, user
    }
}

/// A run that a client begins to follow.
public struct WatchedRun: Hashable, Sendable, Codable {
    public var run: RunID
    public var app: String
    public var intent: String
    /// The run as it is; nil when it has ended, and `finished` is its only event to come.
    public var live: LiveRun?

    public init(run: RunID, app: String, intent: String, live: LiveRun?) {
        self.run = run
        self.app = app
        self.intent = intent
        self.live = live
    }
}
