/// A limit of the sandbox. A run that exceeds it is killed.
public enum SandboxLimit: String, Hashable, CaseIterable, Sendable, Codable {
    /// `MemoryMax=`: memory.
    case memory
    /// `TasksMax=`: processes and threads.
    case tasks
    /// `DiskMax=`: bytes in the run's folder.
    case disk
    /// `StateMax=`: bytes in the app's state folder.
    case state

    /// The key of `[Sandbox]` in the app's file.
    public var key: String {
        switch self {
        case .memory: "MemoryMax="
        case .tasks: "TasksMax="
        case .disk: "DiskMax="
        case .state: "StateMax="
        }
    }

    /// What the run exceeded, and the next step.
    public var message: String {
        let cause =
            switch self {
            case .memory: "it used more memory than its \(key) allows"
            case .tasks: "it had more processes and threads than its \(key) allows"
            case .disk: "it wrote more than its \(key) allows"
            case .state: "its app's state folder had more bytes than its \(key) allows"
            }
        return "\(cause). If it needs more, raise \(key) in [Sandbox] of its app's .conf"
    }
}
