/// A handle for a run that a client observes without affecting it.
///
/// The handle keeps the connection open.
public struct RunWatch: Sendable {
    /// The state of the run at the beginning of the watch.
    public let start: WatchedRun
    let subscription: RunSubscription

    init(_ start: WatchedRun, _ subscription: RunSubscription) {
        self.start = start
        self.subscription = subscription
    }

    /// The run's identifier.
    public var id: RunID { start.run }

    /// The events of the run, starting with the newest state and progress. Only one task can read the sequence.
    ///
    /// If the reading task is cancelled, the sequence throws `CancellationError`, and the run continues.
    public var events: RunEvents { RunEvents(subscription: subscription) }

    /// The result of the run. Waits until the run has ended, even if no task reads ``events``.
    ///
    /// If the waiting task is cancelled, the property throws `CancellationError`, and the run continues.
    ///
    /// - Throws: ``IntentClientError`` with the run's identifier when the connection is lost.
    public var result: RunResult {
        get async throws { try await subscription.result() }
    }

    /// The serial of the newest event received, to pass to ``IntentConnection/watch(run:after:)`` on another
    /// connection.
    public var lastSerial: UInt64 { subscription.feed.lastSerial }
}
