internal import IntentProtocol

/// A client's subscription to a run. The kind determines what happens when a waiting task is cancelled.
struct RunSubscription: Sendable {
    enum Kind: Sendable {
        /// Cancelling the task cancels the run, and the task waits for the run's end.
        case owner
        /// Cancelling the task ends the wait and does not affect the run.
        case watcher
    }

    let kind: Kind
    let feed: RunFeed
    let link: ServerLink
    /// The connection, which stays open while this reference exists.
    let connection: IntentConnection

    func next() async throws -> RunEvent? {
        let ticket = feed.makeTicket()
        return try await withTaskCancellationHandler {
            try await feed.next(ticket)
        } onCancel: {
            cancelled(ticket)
        }
    }

    func result() async throws -> RunResult {
        let ticket = feed.makeTicket()
        return try await withTaskCancellationHandler {
            try await feed.result(ticket)
        } onCancel: {
            cancelled(ticket)
        }
    }

    private func cancelled(_ ticket: UInt64) {
        switch kind {
        case .owner: link.requestCancellation(of: feed.run)
        case .watcher: feed.cancelWait(ticket)
        }
    }
}
