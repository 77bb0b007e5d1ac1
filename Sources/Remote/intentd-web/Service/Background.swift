import IntentLinux
import Synchronization

/// Work that waits, each piece on a thread of its own, and its outcomes for the loop's thread.
final class Background<Outcome: Sendable>: Sendable {
    /// An eventfd(2) that is signalled when outcomes are available.
    let counter: EventCounter
    private let outcomes = Mutex<[Outcome]>([])

    init() throws(SystemError) { counter = try EventCounter() }

    /// Starts a thread.
    ///
    /// - Throws: ``SystemError`` if no thread can start, for example EAGAIN at the thread limit.
    func start(_ body: @escaping @Sendable () -> Outcome) throws(SystemError) {
        try DetachedThread.start { [self] in add(body()) }
    }

    func add(_ outcome: Outcome) {
        outcomes.withLock { $0.append(outcome) }
        counter.signal()
    }

    /// Removes and returns the outcomes.
    func removeOutcomes() -> [Outcome] {
        counter.reset()
        return outcomes.withLock { outcomes in
            defer { outcomes = [] }
            return outcomes
        }
    }
}
