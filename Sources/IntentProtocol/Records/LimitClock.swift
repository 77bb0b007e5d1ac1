/// Which of a run's clocks ran out.
public enum LimitClock: String, Hashable, Sendable, Codable {
    /// `QueueTimeout=`: no place became free.
    case queue
    /// `Runtime=` before `perform()` began.
    case start
    /// `Runtime=` of an intent whose progress moves nothing.
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
