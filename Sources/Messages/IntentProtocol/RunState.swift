/// The state of a run that has not ended.
public enum RunState: Hashable, Sendable, Codable {
    /// The run was accepted and is waiting for the app's catalogue or for a slot.
    case queued
    /// The worker is starting.
    case starting
    /// The worker is executing `perform()`.
    case running
    /// The run is waiting for an answer. All of its time limits are paused except `QuestionTimeout=`.
    case asking
    /// The run is ending, because it was cancelled or has returned its result. Some of its processes have not exited
    /// yet.
    case stopping
    /// A state that a later release added.
    case unknown(String)
}

extension RunState: RawRepresentable, CaseIterable {
    /// All states except ``unknown(_:)``.
    public static let allCases: [RunState] = [.queued, .starting, .running, .asking, .stopping]

    /// Creates a state from its name in messages. An unrecognized name becomes ``unknown(_:)``.
    public init(rawValue: String) {
        self = Self.allCases.first { $0.rawValue == rawValue } ?? .unknown(rawValue)
    }

    /// The state's name in messages.
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
