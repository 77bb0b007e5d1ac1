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
