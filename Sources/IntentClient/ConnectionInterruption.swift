/// The loss or the restoration of the connection to the daemon. Runs continue while the connection is lost, and
/// requests are repeated after the connection has been restored.
public enum ConnectionInterruption: Hashable, Sendable {
    /// The daemon exited. The client tries to reconnect for the given time. If no attempt succeeds, every pending
    /// request fails with the code `connectionLost`.
    case lost(patience: Duration)
    /// The connection has been restored.
    case regained
}
