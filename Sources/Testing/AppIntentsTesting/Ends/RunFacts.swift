internal import IntentLauncherMessages

/// The facts, besides the outcome, that a test can query about an ended run.
struct RunFacts: Sendable {
    var progress: ProgressReport?
    var duration: Duration
    var isKilled: Bool
    /// The limit that ended the run; nil when no limit ended it.
    var expiredClock: LimitClock?
    var details: RunDetails?
    var error: (any Error)?
    /// Where the run crashed, or where threads were at its limit.
    var places: RunPlaces?
}

extension LimitClock {
    /// A phrase that describes how the run exceeded the limit.
    var phrase: String {
        switch self {
        case .queue: "no slot became free"
        case .start: "perform() did not begin"
        case .total: "exceeded its limit (Runtime=)"
        case .silence: "made no progress (Runtime=)"
        case .ceiling: "reached its ceiling (Ceiling=)"
        case .longCeiling: "reached its ceiling (LongCeiling=)"
        case .question: "no client answered its question (QuestionTimeout=)"
        }
    }
}
