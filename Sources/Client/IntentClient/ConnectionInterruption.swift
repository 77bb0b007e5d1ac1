/// A change in the connection to the daemon: it was lost or restored. Runs continue while the connection is lost. The
/// client repeats unanswered requests after it has reconnected.
public enum ConnectionInterruption: Hashable, Sendable {
    /// The connection to the daemon was lost. The client tries to reconnect for the given time. If no attempt succeeds,
    /// every pending request fails with the code `connectionLost`.
    case lost(patience: Duration)
    /// The client has reconnected.
    case regained
}
