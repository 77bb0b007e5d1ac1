/// A run that has not ended.
public struct LiveRun: Hashable, Sendable, Codable {
    /// The run's identifier.
    public var run: RunID
    /// The app's name.
    public var app: String
    /// The intent's name.
    public var intent: String
    /// The run's state.
    public var state: RunState
    /// The time since the run was accepted.
    @Milliseconds public var age: Duration
    /// The time until the run exceeds its limit if progress does not advance; nil in every state except `running`.
    @OptionalMilliseconds public var remaining: Duration?
    /// The newest progress; nil before the first report.
    public var progress: ProgressReport?
    /// The reason why the run is being stopped; nil in every state except `stopping`.
    public var reason: CancellationReason?
    /// The reason why the run stays in the backlog, as a message for users; nil when nothing keeps it there.
    public var waitsFor: String?
    /// True while a debugger has stopped the worker and the run's clocks are therefore paused; nil otherwise.
    public var isHeld: Bool?
    /// The title of the run: the intent's sentence with the values; nil when the intent has no sentence.
    public var title: String?
    /// The beginning of the open question's text. The `question` request returns the complete question.
    public var asks: String?
    /// The owner's uid; nil for the caller's own run.
    public var user: UInt32?
    /// The run from which a standing approval remains that covers this run; nil if none does.
    public var standingApproval: RunID?

    /// Creates a description of a run that has not ended.
    public init(
        run: RunID,
        app: String,
        intent: String,
        state: RunState,
        age: Duration,
        remaining: Duration? = nil,
        progress: ProgressReport? = nil,
        reason: CancellationReason? = nil,
        waitsFor: String? = nil,
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
        self.waitsFor = waitsFor
        self.isHeld = isHeld
        self.title = title
        self.asks = asks
        self.user = user
    }

    private enum CodingKeys: String, CodingKey {
        case run, app, intent, state
        case age = "ageMilliseconds"
        case remaining = "remainingMilliseconds"
        case progress, reason, waitsFor, isHeld, title, asks, user, standingApproval
    }
}

/// A run to which a client has subscribed.
public struct WatchedRun: Hashable, Sendable, Codable {
    /// The run's identifier.
    public var run: RunID
    /// The app's name.
    public var app: String
    /// The intent's name.
    public var intent: String
    /// The run's current state; nil when the run has ended. Its `finished` event then follows.
    public var live: LiveRun?

    /// Creates a description.
    public init(run: RunID, app: String, intent: String, live: LiveRun?) {
        self.run = run
        self.app = app
        self.intent = intent
        self.live = live
    }
}
