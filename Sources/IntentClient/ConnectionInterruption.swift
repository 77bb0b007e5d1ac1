/// An event of the connection to the daemon: it was lost or restored. Runs continue in the meantime, and requests are
/// repeated after the connection has been restored.
public enum ConnectionInterruption: Hashable, Sendable {
    /// The daemon exited. The client tries to reconnect for the given time. If that fails, every pending request fails
    /// with the code `connectionLost`.
    case lost(patience: Duration)
    /// The connection has been restored.
    case regained
}
