/// A limit of the sandbox. `intentd` kills a run that exceeds it.
public enum SandboxLimit: Hashable, Sendable, Codable {
    /// `MemoryMax=`: the memory that the run uses.
    case memory
    /// `TasksMax=`: the number of processes and threads.
    case tasks
    /// `DiskMax=`: the number of bytes in the run folder.
    case disk
    /// `StateMax=`: the number of bytes in the app's state folder.
    case state
    /// A limit that a later release added.
    case unknown(String)

    /// The key of this limit in the `[Sandbox]` section of the app's configuration file.
    public var key: String {
        switch self {
        case .memory: "MemoryMax="
        case .tasks: "TasksMax="
        case .disk: "DiskMax="
        case .state: "StateMax="
        case .unknown(let word): word
        }
    }

    /// The error message for users: which limit was exceeded, and the next step.
    public var message: String {
        let cause =
            switch self {
            case .memory: "the app used more memory than \(key) allows"
            case .tasks: "the app had more processes and threads than \(key) allows"
            case .disk: "the app wrote more to the run folder than \(key) allows"
            case .state: "the app's state folder grew larger than \(key) allows"
            case .unknown(let word): "the app exceeded its limit '\(word)'"
            }
        return "\(cause). To permit more, raise \(key) in [Sandbox] of the app's .conf file"
    }
}
