internal import IntentWire

/// One execution of an intent, as its client follows it.
///
/// Keeps the connection open while it lives.
public struct IntentRun: Sendable {
    private let feed: RunFeed
    private let link: ServerLink
    private let connection: IntentConnection

    init(feed: RunFeed, link: ServerLink, connection: IntentConnection) {
        self.feed = feed
        self.link = link
        self.connection = connection
    }

    /// The run's identifier.
    public var id: String { feed.run.text }

    /// What happens to the run, in order, to its end; for one reader.
    ///
    /// Cancelling the task that reads cancels the run, and the updates go on until nothing of it is left.
    public var updates: RunUpdates { RunUpdates(feed: feed, link: link, connection: connection) }

    /// Waits for the end. Needs nobody to read ``updates``.
    ///
    /// Cancelling the task that waits cancels the run, and waits until nothing of it is left.
    ///
    /// - Throws: ``IntentClientError`` naming the run when the connection is lost.
    public func result() async throws -> RunResult {
        try await withTaskCancellationHandler {
            try await feed.result()
        } onCancel: {
            link.requestCancellation(of: feed.run)
        }
    }

    /// Cancels the run, and waits until nothing of it is left.
    public func cancel() async throws -> RunResult {
        link.requestCancellation(of: feed.run)
        return try await feed.result()
    }

    /// Cancels the run without waiting. The end comes as an update.
    public func requestCancellation() {
        link.requestCancellation(of: feed.run)
    }
}
