/// The state of a run that has not ended.
public enum RunState: Hashable, Sendable, Codable {
    /// The run was accepted and waits for its app's catalogue or for a slot.
    case queued
    /// The run's process is starting.
    case starting
    /// The worker executes `perform()`.
    case running
    /// The run waits for an answer. The run's clock is paused, and the question's clock runs.
    case asking
    /// The run is being cancelled, and some of its processes have not exited.
    case stopping
    /// A state that a later release added.
    case unknown(String)
}

extension RunState: RawRepresentable, CaseIterable {
    /// All states except ``unknown(_:)``.
    public static let allCases: [RunState] = [.queued, .starting, .running, .asking, .stopping]

    /// Creates a state from its name in messages; ``unknown(_:)`` for a name that a later release added.
    public init(rawValue: String) {
        self = Self.allCases.first { $0.rawValue == rawValue } ?? .unknown(rawValue)
    }

    /// The name in messages.
    public var rawValue: String {
        switch self {
        case .queued: "queued"
        case .starting: "starting"
        case .running: "running"
        case .asking: "asking"
        case .stopping: "stopping"
        case .unknown(let word): word
        }
    }
}
