/// The state of a run that has not ended.
public enum RunState: String, Hashable, Sendable, Codable {
    /// Accepted. The run waits for its app's catalogue or for a slot.
    case queued
    /// The run's process is starting.
    case starting
    /// `perform()` runs.
    case running
    /// The run waits for an answer. Its clock is stopped, and the question's own runs.
    case asking
    /// The run was told to stop, and its processes have not all exited.
    case stopping
}
