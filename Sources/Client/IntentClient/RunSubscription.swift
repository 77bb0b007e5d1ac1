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

    func next() async throws -> RunEvent? { try await wait(feed.next) }

    func result() async throws -> RunResult { try await wait(feed.result) }

    private func wait<Value: Sendable>(_ body: (_ ticket: UInt64) async throws -> Value) async throws -> Value {
        let ticket = feed.makeTicket()
        return try await withTaskCancellationHandler {
            try await body(ticket)
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
