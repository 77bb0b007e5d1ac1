package import IntentLauncherMessages
import IntentLinux
import Synchronization

/// The user or agent that makes a query. The answer contains only runs that they may see.
package struct Viewer: Sendable {
    package var requester: Requester
    /// True for operators, who see all users' runs.
    package var seesAll: Bool

    package init(_ requester: Requester, seesAll: Bool) {
        self.requester = requester
        self.seesAll = seesAll
    }
}

extension Requester {
    /// The values for the `uid`, `account` and `agent` columns.
    var columns: [Statement.Value] { user.columns + [agent.map { .number($0) } ?? .null] }
}

extension Caller {
    /// The values for the `uid` and `account` columns.
    var columns: [Statement.Value] { [.number(uid), .text(account)] }
}

/// A query about recorded runs.
package enum HistoryQuestion: Sendable {
    case page(HistoryQuery, by: Viewer)
    case story(RunID, by: Viewer)
    case logs(RunID, after: Int64, by: Viewer)
    /// Requests a run with its outcome.
    case known(RunID, by: Viewer)
    /// Requests a run with its outcome and the newest attempt to undo it.
    case undoable(RunID, by: Viewer)
    /// Requests the runs of a shortcut's steps, and the runs that undo them, in the order in which they began.
    case steps(of: RunID, by: Viewer)
}

/// The result of a query, a removal or an import.
package enum HistoryAnswer: Sendable {
    case page(HistoryPage)
    /// The complete record of a run; nil if the run does not exist or the viewer may not see it.
    case story(RunStory?)
    case logs(LogPage?)
    case known(KnownRun?)
    case steps([RecordedStep])
    case pruned(runCount: Int)
    case imported(ImportReport)
    case failed(HistoryProblem)
}

/// The queue of work for the reader's thread.
final class HistoryQuestions: Sendable {
    /// A query that has not been answered yet.
    struct Open {
        var question: HistoryQuestion
        var id: UInt64
        /// The ticket of the last entry that the answer must include.
        var ticket: UInt64
    }

    private struct State {
        var open: [Open] = []
        var wantsCheckpoint = false
        var connection = Connection.allowed
        /// True while the reader is waiting until a record is on the disk.
        var isWaiting = false
        var isClosed = false
    }

    /// The state of the reader's connection to the file.
    private enum Connection {
        /// The reader may open the file.
        case allowed
        /// The reader must close the file.
        case unwanted
        /// The reader has closed the file and is waiting until it may open the file again.
        case closed
    }

    enum Work {
        case answer(Open)
        case checkpoint
        /// The reader must close its connection.
        case disconnect
        /// The thread must exit.
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

    /// Closes the reader's connection while the body opens the file again. All of a process's connections share the
    /// state of a write-ahead log, even after the log has been removed, so an open connection would preserve the old
    /// state.
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

    /// Wakes the reader if it is waiting until a record is on the disk. Otherwise has no effect, because this method is
    /// called after every transaction, and each wake-up costs time.
    func recordsSettled() {
        if state.withLock({ $0.isWaiting }) { counter.signal() }
    }

    /// Runs the body. Until the body returns, marks the reader as waiting for the disk.
    func waiting(_ body: () -> Void) {
        state.withLock { $0.isWaiting = true }
        body()
        state.withLock { $0.isWaiting = false }
    }

    func disconnected() { state.withLock { $0.connection = .closed } }

    /// Returns the next work item, or nil if no work is waiting.
    func next() -> Work? {
        state.withLock { state in
            if state.isClosed { return .end }
            switch state.connection {
            case .unwanted: return .disconnect
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
