internal import IntentWire

/// Why a run was told to stop.
public enum StopReason: Hashable, Sendable {
    /// It used up its time without progress that advances, or reached its ceiling.
    case timeout
    /// Somebody asked for it.
    case userCancelled
    /// `intentd` stops.
    case serviceStopping
    /// The client that asked for the run went away.
    case clientDisconnected
    /// A reason of a newer daemon, by its name.
    case other(String)

    /// The reason's word, as in the journal.
    public var name: String {
        switch self {
        case .timeout: CancellationReason.timeout.name
        case .userCancelled: CancellationReason.userCancelled.name
        case .serviceStopping: CancellationReason.serviceStopping.name
        case .clientDisconnected: CancellationReason.clientDisconnected.name
        case .other(let name): name
        }
    }

    init(_ reason: CancellationReason) {
        self =
            switch reason {
            case .timeout: .timeout
            case .userCancelled: .userCancelled
            case .serviceStopping: .serviceStopping
            case .clientDisconnected: .clientDisconnected
            case .unknown(let name): .other(name)
            }
    }
}
