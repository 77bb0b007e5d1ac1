/// A run that has not ended.
package struct RunDescription: Hashable, Sendable, Codable {
    package var run: RunID
    package var app: String
    package var intent: String
    package var state: RunState
    /// Since it was accepted.
    package var ageMilliseconds: Int64
    /// Until its clock ends it, unless progress advances; nil while no clock of its own runs.
    package var remainingMilliseconds: Int64?
    package var progress: ProgressReport?
    /// Why it is stopping.
    package var reason: CancellationReason?
    /// True while a debugger holds its worker, and with it its clocks; absent otherwise.
    package var isHeld: Bool?
    /// What it does: the intent's sentence with the run's values.
    package var title: String?
    /// What it asks, while it waits for an answer; the whole question is the answer to `question`.
    package var asks: String?
    /// Whose run it is, where it is not the caller's own.
    package var user: UInt32?

    package init(
        run: RunID,
        app: String,
        intent: String,
        state: RunState,
        ageMilliseconds: Int64,
        remainingMilliseconds: Int64? = nil,
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
        self.ageMilliseconds = ageMilliseconds
        self.remainingMilliseconds = remainingMilliseconds
        self.progress = progress
        self.reason = reason
        self.isHeld = isHeld
        self.title = title
        self.asks = asks
        self.user = user
    }
}

/// A run that a client begins to follow.
package struct WatchedRun: Hashable, Sendable, Codable {
    package var run: RunID
    package var app: String
    package var intent: String
    /// The run as it is; nil when it has ended, and `finished` is its only event to come.
    package var live: RunDescription?

    package init(run: RunID, app: String, intent: String, live: RunDescription?) {
        self.run = run
        self.app = app
        self.intent = intent
        self.live = live
    }
}
