internal import IntentWire

/// One execution of an intent, as its client follows it.
///
/// Keeps the connection open while it lives.
public struct IntentRun: Sendable {
    let bond: RunBond

    init(_ bond: RunBond) {
        self.bond = bond
    }

    /// The run's identifier.
    public var id: String { bond.feed.run.text }

    /// What happens to the run, in order, to its end; for one reader.
    ///
    /// Cancelling the task that reads cancels the run, and the updates go on until nothing of it is left.
    public var updates: RunUpdates { RunUpdates(bond: bond) }

    /// Waits for the end. Needs nobody to read ``updates``.
    ///
    /// Cancelling the task that waits cancels the run, and waits until nothing of it is left.
    ///
    /// - Throws: ``IntentClientError`` naming the run when the connection is lost.
    public func result() async throws -> RunResult {
        try await bond.result()
    }

    /// Cancels the run, and waits until nothing of it is left.
    public func cancel() async throws -> RunResult {
        requestCancellation()
        return try await bond.result()
    }

    /// Cancels the run without waiting. The end comes as an update.
    public func requestCancellation() {
        bond.link.requestCancellation(of: bond.feed.run)
    }

    /// The place of the newest event that came, for ``IntentConnection/watch(run:after:)`` over another connection.
    public var lastSerial: UInt64 { bond.feed.lastSerial }
}
