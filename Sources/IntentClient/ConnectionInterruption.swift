/// The loss of the connection to the daemon, or its recovery. Runs continue without the connection, and requests are
/// repeated.
public enum ConnectionInterruption: Hashable, Sendable {
    /// The daemon exited. The connection waits for the daemon to return until this time has passed; then every pending
    /// request fails with the code `connectionLost`.
    case lost(patience: Duration)
    /// The connection has been restored.
    case regained
}
