internal import IntentProtocol

/// How a client is related to a run, which decides what the cancellation of a waiting task does.
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
    /// Referenced so that it stays open.
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
