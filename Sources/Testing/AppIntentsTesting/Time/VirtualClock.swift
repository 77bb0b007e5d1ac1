internal import AppIntents
import Synchronization

/// A clock that does not follow real time: a test moves it, or lets it skip idle time.
///
/// Pass it to code that takes a `Clock`: `clock.sleep(for:)` and `Task.sleep(for:tolerance:clock:)` return once the
/// test has moved the clock far enough, without any real delay.
///
/// ```swift
/// let clock = VirtualClock()
/// try await withIntentRun(dependencies: [Bank(clock: clock)], clock: .virtual(clock)) { run in … }
/// ```
/// Runs in a test use the clock that ``IntentTestRun/advance(by:)`` moves. A clock belongs to one test.
public final class VirtualClock: Clock, Sendable {
    /// An instant of a virtual clock.
    public struct Instant: InstantProtocol, CustomStringConvertible {
        /// The time since the clock began.
        public let sinceStart: Swift.Duration

        /// Returns the instant after a duration.
        public func advanced(by duration: Swift.Duration) -> Instant { Instant(sinceStart: sinceStart + duration) }

        /// Returns the time from this instant to another instant.
        public func duration(to other: Instant) -> Swift.Duration { other.sinceStart - sinceStart }

        public static func < (left: Instant, right: Instant) -> Bool { left.sinceStart < right.sinceStart }

        /// The time since the clock began, as text.
        public var description: String { "\(sinceStart)" }
    }

    private struct Sleeper {
        let number: UInt64
        let until: Instant
        /// True if the task belongs to the run, but is outside its task tree.
        let isLoose: Bool
        let isCleanup: Bool
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(sinceStart: .zero)
        var lastNumber: UInt64 = 0
        var sleepers: [Sleeper] = []
        /// The numbers of sleeps that were cancelled before they were added to `sleepers`.
        var cancelled: Set<UInt64> = []
        var holdCount = 0
        /// The executor of the run's own tasks. A sleeping task with another executor is outside the run's task tree.
        var executor: UnownedTaskExecutor?
        var changed: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Creates a clock at the instant zero.
    public init() {}

    /// The current instant, which is independent of real time.
    public var now: Instant { state.withLock { $0.now } }

    /// The resolution of the clock: one nanosecond.
    public var minimumResolution: Swift.Duration { .nanoseconds(1) }

    /// Waits until a test has moved the clock to the deadline.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Swift.Duration? = nil) async throws {
        let executor = withUnsafeCurrentTask { $0?.unownedTaskExecutor }
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let immediate = state.withLock { state -> Result<Void, any Error>? in
                    if state.cancelled.remove(number) != nil { return .failure(CancellationError()) }
                    if deadline <= state.now { return .success(()) }
                    state.sleepers.append(
                        Sleeper(
                            number: number,
                            until: deadline,
                            isLoose: InProcessRun.isTaskOfRun && (executor == nil || executor != state.executor),
                            isCleanup: InProcessRun.isCleanupTask,
                            continuation: continuation
                        )
                    )
                    return nil
                }
                if let immediate { continuation.resume(with: immediate) } else { announce() }
            }
        } onCancel: {
            cancel(number)
        }
    }

    /// Stops the clock during work outside the run's tasks, such as a network call.
    ///
    /// ``IntentTestRun/advance(by:)`` waits until the body has returned.
    nonisolated(nonsending) public func hold<Result>(
        while body: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Result {
        let end = beginHold()
        defer { end() }
        return try await body()
    }

    /// Stops the clock until the returned closure is called.
    func beginHold() -> @Sendable () -> Void {
        state.withLock { $0.holdCount += 1 }
        return {
            self.state.withLock { $0.holdCount -= 1 }
            self.announce()
        }
    }

    // MARK: The test that moves the clock

    /// Reserves the clock for one test. Returns false if another test has reserved it.
    func attach(_ changed: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            guard state.changed == nil else { return false }
            state.changed = changed
            return true
        }
    }

    /// Ends the reservation. Tasks that are still sleeping resume with a `CancellationError`.
    func detach() {
        let sleepers = state.withLock { state in
            state.changed = nil
            state.executor = nil
            defer { state.sleepers = [] }
            return state.sleepers
        }
        for sleeper in sleepers { sleeper.continuation.resume(throwing: CancellationError()) }
    }

    /// Sets the executor of the run's own tasks.
    func follow(_ executor: RunExecutor) {
        state.withLock { $0.executor = executor.asUnownedTaskExecutor() }
    }

    /// The instant at which the next sleep ends; nil when no task is sleeping.
    var nextWake: Instant? { state.withLock { state in state.sleepers.map(\.until).min() } }

    /// The number of sleeping tasks.
    var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// True if a task of a cancellation handler is sleeping.
    var hasCleanupSleeper: Bool { state.withLock { state in state.sleepers.contains { $0.isCleanup } } }

    /// True while work outside the run's tasks stops the clock.
    var isHeld: Bool { state.withLock { $0.holdCount > 0 } }

    /// The number of sleeping tasks outside the run's task tree, and a counter that changes with each sleep.
    var looseSleepers: (count: Int, activity: UInt64) {
        state.withLock { state in (state.sleepers.count { $0.isLoose }, state.lastNumber) }
    }

    /// Moves the clock, and ends all sleeps that are due, in the order of their instants.
    func move(to instant: Instant) {
        let due = state.withLock { state -> [Sleeper] in
            state.now = max(state.now, instant)
            let due = state.sleepers.filter { $0.until <= state.now }
            state.sleepers.removeAll { $0.until <= state.now }
            return due
        }
        for sleeper in due.sorted(by: { ($0.until, $0.number) < ($1.until, $1.number) }) {
            sleeper.continuation.resume()
        }
    }

    private func cancel(_ number: UInt64) {
        let sleeper = state.withLock { state -> Sleeper? in
            guard let index = state.sleepers.firstIndex(where: { $0.number == number }) else {
                state.cancelled.insert(number)
                return nil
            }
            return state.sleepers.remove(at: index)
        }
        sleeper?.continuation.resume(throwing: CancellationError())
    }

    private func announce() {
        state.withLock { $0.changed }?()
    }
}
