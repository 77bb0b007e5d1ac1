public import IntentProtocol

/// A handle for a run that a client observes without affecting it.
///
/// The handle keeps the connection open.
public struct RunWatch: Sendable {
    /// The state of the run when the watch began.
    public let start: WatchedRun
    let subscription: RunSubscription

    init(_ start: WatchedRun, _ subscription: RunSubscription) {
        self.start = start
        self.subscription = subscription
    }

    /// The run's identifier.
    public var id: RunID { start.run }

    /// The events of the run until its end, starting with the newest state and progress. The sequence supports one
    /// reader.
    ///
    /// If the reading task is cancelled, reading ends with `CancellationError`, and the run is not affected.
    public var events: RunEvents { RunEvents(subscription: subscription) }

    /// The result of the run, available when it has ended. The property does not require a reader of ``events``.
    ///
    /// If the waiting task is cancelled, waiting ends with `CancellationError`, and the run is not affected.
    ///
    /// - Throws: ``IntentClientError`` with the run's identifier when the connection is lost.
    public var result: RunResult {
        get async throws { try await subscription.result() }
    }

    /// The serial of the newest received event, for ``IntentConnection/watch(run:after:)`` on another connection.
    public var lastSerial: UInt64 { subscription.feed.lastSerial }
}
