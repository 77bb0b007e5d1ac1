public import IntentProtocol

/// A run that a client only observes: whatever the observer does, the run is not affected.
///
/// Keeps the connection open while it lives.
public struct RunWatch: Sendable {
    /// The run as it was when the watch began.
    public let start: WatchedRun
    let bond: RunBond

    init(_ start: WatchedRun, _ bond: RunBond) {
        self.start = start
        self.bond = bond
    }

    /// The run's identifier.
    public var id: RunID { start.run }

    /// What happens to the run, to its end; for one reader. The newest state and progress come first.
    ///
    /// Cancelling the task that reads ends the reading with `CancellationError`, and does not affect the run.
    public var events: RunEvents { RunEvents(bond: bond) }

    /// The end of the run, as soon as there is one; ``events`` need no reader.
    ///
    /// Cancelling the task that waits ends the wait with `CancellationError`, and does not affect the run.
    ///
    /// - Throws: ``IntentClientError`` naming the run when the connection is lost.
    public var result: RunResult {
        get async throws { try await bond.result() }
    }

    /// The serial of the newest event received, for ``IntentConnection/watch(run:after:)`` over another connection.
    public var lastSerial: UInt64 { bond.feed.lastSerial }
}
