internal import IntentWire

/// A run that somebody looks on at: whatever the watcher does, the run goes its way.
///
/// Keeps the connection open while it lives.
public struct RunWatch: Sendable {
    /// The run's identifier.
    public let run: String
    /// The app's name.
    public let app: String
    /// The intent's name.
    public let intent: String
    /// The run as it was when the watch began; nil when it had ended.
    public let live: LiveRun?
    let bond: RunBond

    init(_ watched: WatchedRun, _ bond: RunBond) {
        self.run = watched.run.text
        self.app = watched.app
        self.intent = watched.intent
        self.live = watched.live.map(LiveRun.init)
        self.bond = bond
    }

    /// What happens to the run, to its end; for one reader. The newest phase and progress come first.
    ///
    /// Cancelling the task that reads ends the reading with `CancellationError`, and leaves the run alone.
    public var updates: RunUpdates { RunUpdates(bond: bond) }

    /// Waits for the end. Needs nobody to read ``updates``.
    ///
    /// Cancelling the task that waits ends the waiting with `CancellationError`, and leaves the run alone.
    ///
    /// - Throws: ``IntentClientError`` naming the run when the connection is lost.
    public func result() async throws -> RunResult {
        try await bond.result()
    }

    /// The place of the newest event that came, for ``IntentConnection/watch(run:after:)`` over another connection.
    public var lastSerial: UInt64 { bond.feed.lastSerial }
}
