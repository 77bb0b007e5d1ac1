import IntentLinux
package import IntentWire
import Synchronization

/// What can be asked about runs on record; the user is the one who asks, and sees no more than he may.
package enum HistoryQuestion: Sendable {
    case page(HistoryQuery, user: UInt32)
    case story(RunID, user: UInt32)
    case logs(RunID, after: Int64, user: UInt32)
    /// What came of a run of this user's own.
    case known(RunID, user: UInt32)
    /// The same, with the newest run that was to take it back.
    case undoable(RunID, user: UInt32)
}

package enum HistoryAnswer: Sendable {
    case page(HistoryPage)
    /// Nil: there is no such run for this user.
    case story(RunStory?)
    case logs(LogPage?)
    case known(KnownRun?)
    case pruned(runCount: Int)
    case failed(HistoryProblem)
}

/// Questions on their way to the thread that reads.
final class HistoryQuestions: Sendable {
    struct Open {
        var question: HistoryQuestion
        var id: UInt64
        /// What was recorded up to this ticket belongs into the answer.
        var ticket: UInt64
    }

    private struct State {
        var open: [Open] = []
        var wantsCheckpoint = false
        /// The file was opened anew: a connection of before may be to another one.
        var isLettingGo = false
        /// The reader waits until something is on disk.
        var isWaiting = false
        var isClosed = false
    }

    enum Work {
        case answer(Open)
        case checkpoint
        /// Let go of the connection.
        case letGo
        case end
    }

    private static let limit = 256
    private let state = Mutex(State())
    let counter: EventCounter

    init() throws(SystemError) {
        counter = try EventCounter()
    }

    func add(_ question: HistoryQuestion, id: UInt64, after ticket: UInt64) -> Bool {
        let isAdded = state.withLock { state in
            guard state.open.count < Self.limit else { return false }
            state.open.append(Open(question: question, id: id, ticket: ticket))
            return true
        }
        counter.signal()
        return isAdded
    }

    func wantCheckpoint() {
        state.withLock { $0.wantsCheckpoint = true }
        counter.signal()
    }

    /// Has the reader close what it has open before anything else.
    func closeConnection() {
        state.withLock { $0.isLettingGo = true }
        counter.signal()
    }

    func close() {
        state.withLock { $0.isClosed = true }
        counter.signal()
    }

    /// Something is on disk: whoever waits for that looks again. Nobody else is woken, since every run comes by here.
    func somethingSettled() {
        if state.withLock({ $0.isWaiting }) { counter.signal() }
    }

    /// Lets the body wait for what is settled.
    func waiting(_ body: () -> Void) {
        state.withLock { $0.isWaiting = true }
        body()
        state.withLock { $0.isWaiting = false }
    }

    /// What to do next; nil when there is nothing.
    func next() -> Work? {
        state.withLock { state in
            if state.isClosed { return .end }
            if state.isLettingGo {
                state.isLettingGo = false
                return .letGo
            }
            if state.wantsCheckpoint {
                state.wantsCheckpoint = false
                return .checkpoint
            }
            return state.open.isEmpty ? nil : .answer(state.open.removeFirst())
        }
    }
}
