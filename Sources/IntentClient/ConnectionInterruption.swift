/// An interruption of the connection to the daemon, or its end. Runs continue meanwhile, and requests are repeated.
public enum ConnectionInterruption: Hashable, Sendable {
    /// The daemon exited. The connection waits this long for the daemon to return; then every pending request fails
    /// with the code `connectionLost`.
    case lost(patience: Duration)
    /// The connection has been restored.
    case regained
}
