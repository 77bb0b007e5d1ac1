internal import IntentProtocol

/// A client's relation to a run. It decides what happens when a waiting task is cancelled.
struct RunBond: Sendable {
    enum Kind: Sendable {
        /// The run is cancelled, and the task waits for its end.
        case owner
        /// The wait ends, and the run is not affected.
        case watcher
    }

    let kind: Kind
    let feed: RunFeed
    let link: ServerLink
    /// Retained so that the connection stays open.
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
        case .watcher: feed.giveUp(ticket)
        }
    }
}
