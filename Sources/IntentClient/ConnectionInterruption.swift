/// The daemon went away, or is there again. Runs go on meanwhile, and nothing that was asked is lost.
public enum ConnectionInterruption: Hashable, Sendable {
    /// It is waited for so long; then whatever waits fails with code `connectionLost`.
    case lost(patience: Duration)
    case regained
}
