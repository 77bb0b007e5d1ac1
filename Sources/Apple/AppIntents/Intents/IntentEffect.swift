/// An intent's effect on data; see ``AppIntent/effect``.
public enum IntentEffect: String, Hashable, Sendable, CaseIterable {
    /// The intent only reads data.
    case reads
    /// The intent adds or changes data.
    case changes
    /// The intent removes or overwrites data.
    case destroys
}
