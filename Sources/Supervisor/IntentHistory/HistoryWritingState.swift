/// The state of the writer, which decides whether new runs are accepted and when failed writes are retried.
/// ``HistoryWriting`` carries out these decisions.
package enum HistoryWritingState: Equatable, Sendable {
    /// Writing works. The state changes to `locked` if another program has locked the file, or to `failing`.
    case working
    /// Another program has locked the file since this time on CLOCK_MONOTONIC, in nanoseconds. Writing is retried, and
    /// new runs are accepted. The state changes to `working`, or to `failing` if the lock is held for too long.
    case locked(since: Int64)
    /// Writing fails, and new runs are rejected. The state changes to `working` when an attempt to recover succeeds.
    case failing(HistoryProblem)

    /// The time for which another program may hold the lock before new runs are rejected. Most programs hold it only
    /// briefly.
    package static let lockLimitNanoseconds: Int64 = 1_500_000_000

    package var problem: HistoryProblem? { if case .failing(let problem) = self { problem } else { nil } }

    /// The pause before the next attempt; nil while writing works.
    package var retryMilliseconds: Int32? {
        switch self {
        case .working: nil
        case .locked: 10
        case .failing: 1000
        }
    }

    /// Handles a successful write. On a full disk, the write succeeded only because the reserve was released. The state
    /// therefore remains `failing` until a recovery.
    package mutating func written() {
        switch self {
        case .working, .failing(.full): break
        case .locked, .failing: self = .working
        }
    }

    /// Handles a successful attempt to recover.
    package mutating func recovered() { self = .working }

    /// Handles a failed write.
    ///
    /// - Returns: False if the failure must not be reported yet, because the problem may disappear within seconds.
    package mutating func failed(_ problem: HistoryProblem, atNanoseconds now: Int64) -> Bool {
        if case .locked = problem {
            switch self {
            case .working:
                self = .locked(since: now)
                return false
            case .locked(let since) where now - since <= Self.lockLimitNanoseconds: return false
            case .locked, .failing: break
            }
        }
        self = .failing(problem)
        return true
    }
}
