/// The time limit that ended a run.
public enum LimitClock: String, Hashable, Sendable, Codable {
    /// `QueueTimeout=`: the run waited too long for a slot.
    case queue
    /// `Runtime=`: `perform()` did not begin in time.
    case start
    /// `Runtime=`: a run that does not report progress exceeded its total time.
    case total
    /// `Runtime=`: the run's progress did not advance in time.
    case silence
    /// `Ceiling=`: the run exceeded its maximum time, although it made progress.
    case ceiling
    /// `LongCeiling=`: the run exceeded its maximum time in `performBackgroundTask`, although it made progress.
    case longCeiling
    /// `QuestionTimeout=`: a question was not answered in time.
    case question
}
