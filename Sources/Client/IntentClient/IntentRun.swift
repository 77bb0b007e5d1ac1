/// A handle for a run that this client requested.
///
/// The handle keeps the connection open.
public struct IntentRun: Sendable {
    let subscription: RunSubscription

    init(_ subscription: RunSubscription) {
        self.subscription = subscription
    }

    /// The run's identifier.
    public var id: RunID { subscription.feed.run }

    /// The events of the run, in order, until its end. Only one task can read the sequence.
    ///
    /// If the reading task is cancelled, the run is cancelled, and the events continue until all of the run's processes
    /// have exited.
    public var events: RunEvents { RunEvents(subscription: subscription) }

    /// The result of the run. Waits until the run has ended, even if no task reads ``events``.
    ///
    /// If the waiting task is cancelled, the run is cancelled, and the task waits until all of the run's processes have
    /// exited.
    ///
    /// - Throws: ``IntentClientError`` with the run's identifier when the connection is lost.
    public var result: RunResult {
        get async throws { try await subscription.result() }
    }

    /// Cancels the run and waits until all its processes have exited.
    public func cancel() async throws -> RunResult {
        requestCancellation()
        return try await subscription.result()
    }

    /// Requests cancellation without waiting for the run to end. An event reports the end.
    public func requestCancellation() {
        subscription.link.requestCancellation(of: subscription.feed.run)
    }

    /// The serial of the newest event received, to pass to ``IntentConnection/watch(run:after:)`` on another
    /// connection.
    public var lastSerial: UInt64 { subscription.feed.lastSerial }
}
