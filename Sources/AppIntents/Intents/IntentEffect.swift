/// What performing an intent does to data: see ``AppIntent/effect``.
public enum IntentEffect: String, Hashable, Sendable, CaseIterable {
    /// It only reads.
    case reads
    /// It adds or changes something.
    case changes
    /// It removes or overwrites something.
    case destroys
}
