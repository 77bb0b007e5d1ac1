internal import IntentWire

/// What a test can ask about a run that has ended, beside its outcome.
struct RunFacts: Sendable {
    var progress: ProgressReport?
    var duration: Duration
    var isKilled: Bool
    /// The limit that ended the run; nil when no limit did.
    var expiredClock: LimitClock?
    var details: RunDetails?
    var error: (any Error)?
}

extension LimitClock {
    /// What exceeded the limit, for the text of a test.
    var phrase: String {
        switch self {
        case .queue: "no slot became free"
        case .start: "perform() did not begin"
        case .total: "exceeded its total time (Runtime=)"
        case .silence: "made no progress (Runtime=)"
        case .ceiling: "exceeded its total time (Ceiling=)"
        case .longCeiling: "exceeded its total time (LongCeiling=)"
        case .question: "its question was not answered (QuestionTimeout=)"
        }
    }
}
