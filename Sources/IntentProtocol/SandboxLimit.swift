/// A limit of the sandbox that ends a run which goes beyond it.
public enum SandboxLimit: String, Hashable, CaseIterable, Sendable, Codable {
    /// `MemoryMax=`.
    case memory
    /// `TasksMax=`.
    case tasks
    /// `DiskMax=`.
    case disk
    /// `StateMax=`.
    case state

    /// The key of `[Sandbox]` in an app's file, as it stands there.
    public var key: String {
        switch self {
        case .memory: "MemoryMax="
        case .tasks: "TasksMax="
        case .disk: "DiskMax="
        case .state: "StateMax="
        }
    }

    /// What a run did that this limit ended, and the next step.
    public var message: String {
        let deed =
            switch self {
            case .memory: "it used more memory than its \(key) allows"
            case .tasks: "it had more processes and threads than its \(key) allows"
            case .disk: "it wrote more than its \(key) allows"
            case .state: "its app's state folder had more bytes than its \(key) allows"
            }
        return "\(deed). Where it needs that much, raise \(key) in [Sandbox] of its app's .conf"
    }
}
