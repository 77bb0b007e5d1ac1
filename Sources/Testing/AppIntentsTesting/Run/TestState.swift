internal import AppIntents
internal import IntentLauncherMessages
internal import IntentLinux

/// A test's requests, and the state of its current run.
struct TestState {
    enum Request {
        case cancel(CancellationReason)
        case answer(UInt64, IntentLauncherMessages.IntentValue, [SharedFileDescriptor])
    }

    /// A condition for which a test waits.
    enum Condition: Equatable {
        case units(Int64)
        case fraction(Double)
        case question
        case run
        case sleepers(Int)
        case idle
        case end(ObjectIdentifier)

        var isEnd: Bool {
            switch self {
            case .end: true
            case .units, .fraction, .question, .run, .sleepers, .idle: false
            }
        }
    }

    /// A snapshot of the activity of tasks outside the run's task tree, to detect when they are inactive.
    struct Scene: Equatable {
        let loose: Int
        let sleeps: UInt64
        let activity: UInt64
    }

    /// A period during which tasks outside the run's task tree have been inactive.
    struct Quiet {
        let scene: Scene
        /// True if the period has lasted long enough for the run to count as idle.
        let isOver: Bool
    }

    struct Waiter {
        let number: UInt64
        let condition: Condition
        /// The deadline for the beginning of the next run; nil unless the wait is for a condition of a run and began
        /// between two runs.
        let nextRunDeadline: ContinuousClock.Instant?
        let continuation: CheckedContinuation<Void, any Error>
    }

    var current: CurrentRun?
    var hasBegun = false
    var requests: [Request] = []
    /// The instant to which the clock must advance, as the test requested; nil when no request is pending.
    var target: Duration?
    var waiters: [Waiter] = []
    var lastWaiter: UInt64 = 0
    /// The numbers of waiters that were cancelled before they were added to `waiters`.
    var cancelledWaiters: Set<UInt64> = []
    /// The end of the last run; nil once the next run begins.
    var last: TestRunEnd?
    /// The ends that `perform` has not returned yet, by run.
    var ends: [ObjectIdentifier: TestRunEnd] = [:]
    /// The undo action that the last run registered.
    var undo: RegisteredUndo?
    /// A counter that increases with each event. If it is unchanged, nothing has happened.
    var activity: UInt64 = 0
    /// The current period of inactivity of tasks outside the run's task tree.
    var quiet: Quiet?
    /// The continuation that wakes the task that advances the clock.
    var wake: AsyncStream<Void>.Continuation?

    mutating func begin(_ run: CurrentRun) {
        current = run
        hasBegun = true
        last = nil
        undo = nil
    }

    /// The latest progress of the current run, or of the last one.
    var progress: ProgressReport? { current?.simulation.progress ?? last?.facts.progress }

    /// Returns true if a condition is met, false if it is not met yet, and nil if it can no longer be met because the
    /// run has ended.
    func holds(_ condition: Condition) -> Bool? {
        switch condition {
        case .units(let count) where (progress?.completedUnitCount ?? 0) >= count && hasBegun: true
        case .fraction(let fraction) where (progress?.fraction ?? 0) >= fraction && hasBegun: true
        case .question where current?.simulation.openQuestion != nil: true
        case .run: current != nil
        case .units, .fraction, .question: last == nil ? false : nil
        case .end(let run): ends[run] != nil
        // `resumeWaiters(areIdle:)` decides these conditions, because they also depend on the clock.
        case .idle, .sleepers: false
        }
    }
}

/// The run in progress.
struct CurrentRun {
    let name: String
    let run: InProcessRun
    let executor: RunExecutor
    var simulation: RunSimulation
    /// The error that the test's closure for answers threw. It caused the run to be cancelled.
    var failure: (any Error)?
    var hasResult = false
    /// True once the run's task has started. Before that, the run cannot be cancelled, and none of its code is ready to
    /// run.
    var isStarted = false
}

/// A run that has ended.
struct TestRunEnd: Sendable {
    var run: InProcessRun
    var outcome: RunOutcome
    var facts: RunFacts
    var failure: (any Error)?
}
