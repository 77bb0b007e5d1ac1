public import IntentProtocol

/// A run that a client observes without affecting it.
///
/// It keeps the connection open.
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

    /// What happens to the run, to its end. The newest state and progress come first. The sequence has one reader.
    ///
    /// If the task that reads is cancelled, reading ends with `CancellationError`, and the run is not affected.
    public var events: RunEvents { RunEvents(bond: bond) }

    /// The end of the run. It does not need a reader of ``events``.
    ///
    /// If the task that waits is cancelled, waiting ends with `CancellationError`, and the run is not affected.
    ///
    /// - Throws: ``IntentClientError`` that names the run when the connection is lost.
    public var result: RunResult {
        get async throws { try await bond.result() }
    }

    /// The serial of the newest event received, for ``IntentConnection/watch(run:after:)`` over another connection.
    public var lastSerial: UInt64 { bond.feed.lastSerial }
}
