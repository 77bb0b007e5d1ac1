/// The clock that ended a run.
public enum LimitClock: String, Hashable, Sendable, Codable {
    /// `QueueTimeout=`: no slot became free in time.
    case queue
    /// `Runtime=`: `perform()` did not begin in time.
    case start
    /// `Runtime=`: the total time of an intent that reports no progress.
    case total
    /// `Runtime=`: the time since progress last advanced.
    case silence
    /// `Ceiling=`: the total time.
    case ceiling
    /// `LongCeiling=`: the total time inside `performBackgroundTask`.
    case longCeiling
    /// `QuestionTimeout=`: the time without an answer.
    case question
}
