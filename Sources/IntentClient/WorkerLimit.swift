internal import IntentWire

/// A limit of the sandbox that ends a run which goes beyond it.
public enum WorkerLimit: String, CaseIterable, Hashable, Sendable {
    /// `MemoryMax=`.
    case memory
    /// `TasksMax=`: processes and threads.
    case tasks
    /// `DiskMax=`.
    case disk
    /// `StateMax=`: the app's state folder.
    case state

    /// What the run did and which key of its app's file sets the limit, for people.
    public var message: String { wireValue.message }
    /// The key of `[Sandbox]` in the app's file: `MemoryMax=`.
    public var key: String { wireValue.key }

    private var wireValue: SandboxLimit {
        switch self {
        case .memory: .memory
        case .tasks: .tasks
        case .disk: .disk
        case .state: .state
        }
    }

    init(_ limit: SandboxLimit) {
        self =
            switch limit {
            case .memory: .memory
            case .tasks: .tasks
            case .disk: .disk
            case .state: .state
            }
    }
}
