import IntentLinux
package import IntentWire
import Synchronization

/// Who asks about runs on record.
package struct Viewer: Sendable {
    package var caller: Caller
    /// The runs of all users are for an operator.
    package var seesAll: Bool

    package init(_ caller: Caller, seesAll: Bool) {
        self.caller = caller
        self.seesAll = seesAll
    }
}

extension Caller {
    /// Its values of the columns `uid` and `account`.
    var columns: [Statement.Value] { [.number(uid), .text(account)] }
}

/// What can be asked about runs on record; a viewer sees no more than it may.
package enum HistoryQuestion: Sendable {
    case page(HistoryQuery, by: Viewer)
    case story(RunID, by: Viewer)
    case logs(RunID, after: Int64, by: Viewer)
    /// What came of a run that the viewer may see.
    case known(RunID, by: Viewer)
    /// The same, with the newest run that was to take it back.
    case undoable(RunID, by: Viewer)
}

package enum HistoryAnswer: Sendable {
    case page(HistoryPage)
    /// Nil: there is no such run for the viewer.
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
        var connection = Connection.allowed
        /// The reader waits until something is on disk.
        var isWaiting = false
        var isClosed = false
    }

    /// Whether the reader may have the file open.
    private enum Connection {
        case allowed
        /// It is to close it.
        case unwanted
        /// It has closed it, and waits.
        case closed
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

    /// Has the reader close what it has open, while the body opens the file anew: connections of one process share what
    /// they know of a log, even of one that is not there any more.
    func withoutConnection(_ body: () -> Void) {
        state.withLock { $0.connection = .unwanted }
        counter.signal()
        while !state.withLock({ $0.connection == .closed || $0.isClosed }) { counter.wait(milliseconds: 5) }
        body()
        state.withLock { $0.connection = .allowed }
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

    func letGo() { state.withLock { $0.connection = .closed } }

    /// What to do next; nil when there is nothing.
    func next() -> Work? {
        state.withLock { state in
            if state.isClosed { return .end }
            switch state.connection {
            case .unwanted: return .letGo
            case .closed: return nil
            case .allowed: break
            }
            if state.wantsCheckpoint {
                state.wantsCheckpoint = false
                return .checkpoint
            }
            return state.open.isEmpty ? nil : .answer(state.open.removeFirst())
        }
    }
}
