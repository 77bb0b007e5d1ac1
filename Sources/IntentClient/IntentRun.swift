public import IntentProtocol

/// A handle for a run, for the client that requested it.
///
/// The handle keeps the connection open.
public struct IntentRun: Sendable {
    let subscription: RunSubscription

    init(_ subscription: RunSubscription) {
        self.subscription = subscription
    }

    /// The run's identifier.
    public var id: RunID { subscription.feed.run }

    /// The events of the run, in order, until its end. The sequence supports one reader.
    ///
    /// If the reading task is cancelled, the run is cancelled, and the events continue until all processes of the run
    /// have exited.
    public var events: RunEvents { RunEvents(subscription: subscription) }

    /// The result of the run, available when it has ended. The property does not require a reader of ``events``.
    ///
    /// If the waiting task is cancelled, the run is cancelled, and the task waits until all processes of the run have
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

    /// Cancels the run without waiting for its end, which follows as an event.
    public func requestCancellation() {
        subscription.link.requestCancellation(of: subscription.feed.run)
    }

    /// The serial of the newest received event, for ``IntentConnection/watch(run:after:)`` on another connection.
    public var lastSerial: UInt64 { subscription.feed.lastSerial }
}
