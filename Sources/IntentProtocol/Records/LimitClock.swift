/// The clock of a run that ended it.
public enum LimitClock: String, Hashable, Sendable, Codable {
    /// `QueueTimeout=`: no slot became free.
    case queue
    /// `Runtime=`: `perform()` did not begin.
    case start
    /// `Runtime=` of an intent that reports no progress.
    case total
    /// `Runtime=` without progress that advances.
    case silence
    /// `Ceiling=`.
    case ceiling
    /// `LongCeiling=`.
    case longCeiling
    /// `QuestionTimeout=`.
    case question
}
