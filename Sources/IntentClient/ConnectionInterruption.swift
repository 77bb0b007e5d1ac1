/// The connection to the daemon was interrupted, or has returned. Runs continue meanwhile, and requests are repeated.
public enum ConnectionInterruption: Hashable, Sendable {
    /// The daemon exited. The connection waits this long for it; then everything that waits fails with the code
    /// `connectionLost`.
    case lost(patience: Duration)
    /// The connection has been restored.
    case regained
}
