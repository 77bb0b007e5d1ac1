/// The reason why a run is cancelled. The app's cancellation handler receives the reason, and the outcome contains it.
/// If several reasons apply, only the first is kept.
public enum CancellationReason: Hashable, Sendable {
    /// The run exceeded its limit without progress, or reached its ceiling.
    case timeout
    /// A user cancelled the run, or declined its confirmation.
    case userCancelled
    /// `intentd` is stopping.
    case serviceStopping
    /// The client disconnected, and its request specified `DisconnectRule.cancel`.
    case clientDisconnected
    /// A newer run from the same user replaced the run (`Concurrency=` with `replace`).
    case replaced
    /// A reason that a newer release added.
    case unknown(String)

    /// Creates a reason from its name. An unrecognized name becomes ``unknown(_:)``.
    public init(name: String) {
        self = Self.known.first { $0.name == name } ?? .unknown(name)
    }

    private static let known: [CancellationReason] = [
        .timeout, .userCancelled, .serviceStopping, .clientDisconnected, .replaced,
    ]

    /// The reason's name in messages and in the journal field INTENT_REASON.
    public var name: String {
        switch self {
        case .timeout: "timeout"
        case .userCancelled: "userCancelled"
        case .serviceStopping: "serviceStopping"
        case .clientDisconnected: "clientDisconnected"
        case .replaced: "replaced"
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
