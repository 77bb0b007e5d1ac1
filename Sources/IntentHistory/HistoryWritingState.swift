/// Whether history can write, and the consequences of failures. This value makes the decisions, and ``HistoryWriting``
/// acts on them.
package enum HistoryWritingState: Equatable, Sendable {
    /// Writing works. Becomes locked when another program holds the lock on the file, or failing.
    case working
    /// Another program has held the lock since this time on CLOCK_MONOTONIC, in nanoseconds. Writing is retried, and
    /// new runs are accepted. Becomes working, or failing when the lock is held for too long.
    case locked(since: Int64)
    /// Writing fails, and new runs are rejected. Becomes working when an attempt succeeds.
    case failing(HistoryProblem)

    /// Most programs hold the lock only briefly.
    package static let lockPatienceNanoseconds: Int64 = 1_500_000_000

    package var problem: HistoryProblem? {
        if case .failing(let problem) = self { return problem }
        return nil
    }

    /// The pause before the next attempt; nil while writing works.
    package var retryMilliseconds: Int32? {
        switch self {
        case .working: nil
        case .locked: 10
        case .failing: 1000
        }
    }

    /// Entries were written. On a full disk, only the reserve made that possible, so the state stays failing until a
    /// recovery.
    package mutating func written() {
        switch self {
        case .working, .failing(.full): break
        case .locked, .failing: self = .working
        }
    }

    /// An attempt to recover succeeded.
    package mutating func recovered() { self = .working }

    /// Writing failed.
    ///
    /// - Returns: False while the failure may pass soon and must not be reported yet.
    package mutating func failed(_ problem: HistoryProblem, atNanoseconds now: Int64) -> Bool {
        if case .locked = problem {
            switch self {
            case .working:
                self = .locked(since: now)
                return false
            case .locked(let since) where now - since <= Self.lockPatienceNanoseconds: return false
            case .locked, .failing: break
            }
        }
        self = .failing(problem)
        return true
    }
}
