public import IntentProtocol

/// One execution of an intent, as the client that requested it follows it.
///
/// Keeps the connection open while it lives.
public struct IntentRun: Sendable {
    let bond: RunBond

    init(_ bond: RunBond) {
        self.bond = bond
    }

    /// The run's identifier.
    public var id: RunID { bond.feed.run }

    /// What happens to the run, in order, to its end; for one reader.
    ///
    /// Cancelling the task that reads cancels the run, and the events go on until nothing of it is left.
    public var events: RunEvents { RunEvents(bond: bond) }

    /// The end of the run, as soon as there is one; ``events`` need no reader.
    ///
    /// Cancelling the task that waits cancels the run, and waits until nothing of it is left.
    ///
    /// - Throws: ``IntentClientError`` naming the run when the connection is lost.
    public var result: RunResult {
        get async throws { try await bond.result() }
    }

    /// Cancels the run, and waits until nothing of it is left.
    public func cancel() async throws -> RunResult {
        requestCancellation()
        return try await bond.result()
    }

    /// Cancels the run without waiting. The end comes as an event.
    public func requestCancellation() {
        bond.link.requestCancellation(of: bond.feed.run)
    }

    /// The serial of the newest event received, for ``IntentConnection/watch(run:after:)`` over another connection.
    public var lastSerial: UInt64 { bond.feed.lastSerial }
}
