/// Why a run must stop, told to the app's handler and kept in the outcome. The first reason of a run wins.
public enum CancellationReason: Hashable, Sendable {
    /// The run used up its time without reporting progress that advances, or reached its ceiling.
    case timeout
    /// Somebody asked for it.
    case userCancelled
    /// `intentd` stops.
    case serviceStopping
    /// The client that asked for the run went away, and had asked that the run go with it.
    case clientDisconnected
    /// A reason of a newer peer.
    case unknown(String)

    public init(name: String) {
        self =
            switch name {
            case "timeout": .timeout
            case "userCancelled": .userCancelled
            case "serviceStopping": .serviceStopping
            case "clientDisconnected": .clientDisconnected
            default: .unknown(name)
            }
    }

    /// The word on the wire and in the journal's INTENT_REASON.
    public var name: String {
        switch self {
        case .timeout: "timeout"
        case .userCancelled: "userCancelled"
        case .serviceStopping: "serviceStopping"
        case .clientDisconnected: "clientDisconnected"
        case .unknown(let name): name
        }
    }
}

extension CancellationReason: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(name: try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws { try name.encode(to: encoder) }
}
