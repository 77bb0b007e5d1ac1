public import IntentProtocol

/// A handle on a run, for the client that requested the run.
///
/// The handle keeps the connection open.
public struct IntentRun: Sendable {
    let bond: RunBond

    init(_ bond: RunBond) {
        self.bond = bond
    }

    /// The run's identifier.
    public var id: RunID { bond.feed.run }

    /// What happens to the run, in order, to its end. The sequence has one reader.
    ///
    /// If the task that reads is cancelled, the run is cancelled, and the events continue until all its processes have
    /// exited.
    public var events: RunEvents { RunEvents(bond: bond) }

    /// The end of the run. It does not need a reader of ``events``.
    ///
    /// If the task that waits is cancelled, the run is cancelled, and the task waits until all its processes have
    /// exited.
    ///
    /// - Throws: ``IntentClientError`` that names the run when the connection is lost.
    public var result: RunResult {
        get async throws { try await bond.result() }
    }

    /// Cancels the run, and waits until all its processes have exited.
    public func cancel() async throws -> RunResult {
        requestCancellation()
        return try await bond.result()
    }

    /// Cancels the run without waiting. The end follows as an event.
    public func requestCancellation() {
        bond.link.requestCancellation(of: bond.feed.run)
    }

    /// The serial of the newest event received, for ``IntentConnection/watch(run:after:)`` over another connection.
    public var lastSerial: UInt64 { bond.feed.lastSerial }
}
