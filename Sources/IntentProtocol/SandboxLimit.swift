/// A limit of the sandbox. A run that exceeds the limit is killed.
public enum SandboxLimit: Hashable, Sendable, Codable {
    /// `MemoryMax=`: memory.
    case memory
    /// `TasksMax=`: processes and threads.
    case tasks
    /// `DiskMax=`: bytes in the run's folder.
    case disk
    /// `StateMax=`: bytes in the app's state folder.
    case state
    /// A limit that a later release added.
    case unknown(String)

    /// The key in `[Sandbox]` of the app's file.
    public var key: String {
        switch self {
        case .memory: "MemoryMax="
        case .tasks: "TasksMax="
        case .disk: "DiskMax="
        case .state: "StateMax="
        case .unknown(let word): word
        }
    }

    /// A text for users: what the run exceeded, and the next step.
    public var message: String {
        let cause =
            switch self {
            case .memory: "it used more memory than its \(key) allows"
            case .tasks: "it had more processes and threads than its \(key) allows"
            case .disk: "it wrote more than its \(key) allows"
            case .state: "its app's state folder had more bytes than its \(key) allows"
            case .unknown(let word): "it used more than its limit '\(word)' allows"
            }
        return "\(cause). If it needs more, raise \(key) in [Sandbox] of its app's .conf"
    }
}

extension SandboxLimit: RawRepresentable, CaseIterable {
    /// All limits except ``unknown(_:)``.
    public static let allCases: [SandboxLimit] = [.memory, .tasks, .disk, .state]

    /// Creates a limit from its name in messages; ``unknown(_:)`` for a name that a later release added.
    public init(rawValue: String) {
        self = Self.allCases.first { $0.rawValue == rawValue } ?? .unknown(rawValue)
    }

    /// The name in messages.
    public var rawValue: String {
        switch self {
        case .memory: "memory"
        case .tasks: "tasks"
        case .disk: "disk"
        case .state: "state"
        case .unknown(let word): word
        }
    }
}
