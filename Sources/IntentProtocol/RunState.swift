/// The state of a run that has not ended.
public enum RunState: Hashable, Sendable, Codable {
    /// Accepted. The run waits for its app's catalogue or for a slot.
    case queued
    /// The run's process is starting.
    case starting
    /// `perform()` runs.
    case running
    /// The run waits for an answer. Its clock stands still, and the question's clock runs.
    case asking
    /// The run was told to stop, and its processes have not all exited.
    case stopping
    /// A state that a later release added.
    case unknown(String)
}

extension RunState: RawRepresentable, CaseIterable {
    /// The states of this release.
    public static let allCases: [RunState] = [.queued, .starting, .running, .asking, .stopping]

    /// Returns the state with this name in messages; ``unknown(_:)`` for a name that this release does not know.
    public init(rawValue: String) {
        self = Self.allCases.first { $0.rawValue == rawValue } ?? .unknown(rawValue)
    }

    /// The word in messages.
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
