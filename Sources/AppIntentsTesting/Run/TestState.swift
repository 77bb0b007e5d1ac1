internal import AppIntents
internal import IntentLinux
internal import IntentWire

/// What a test has requested, and where its run is.
struct TestState {
    enum Request {
        case cancel(CancellationReason)
        case answer(UInt64, IntentWire.IntentValue, [SharedFileDescriptor])
    }

    /// Something that a test waits for.
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

    /// What changes while tasks outside the run's tree work.
    struct Scene: Equatable {
        let loose: Int
        let sleeps: UInt64
        let activity: UInt64
    }

    /// A wait for tasks outside the run's tree.
    struct Quiet {
        let scene: Scene
        /// Whether nothing has changed for long enough.
        let isOver: Bool
    }

    struct Waiter {
        let number: UInt64
        let condition: Condition
        /// Until when the wait may be for the next run; nil when a run was in progress.
        let courtesyEnd: ContinuousClock.Instant?
        let continuation: CheckedContinuation<Void, any Error>
    }

    var current: CurrentRun?
    var hasBegun = false
    var requests: [Request] = []
    /// The instant up to which the test lets time pass; nil when no request is left.
    var target: Duration?
    var waiters: [Waiter] = []
    var lastWaiter: UInt64 = 0
    /// The numbers of waiters that were cancelled before they began to wait.
    var cancelledWaiters: Set<UInt64> = []
    /// The end of the last run, until the next begins.
    var last: EndedRun?
    /// The ends that no call of `perform` has returned yet.
    var ends: [ObjectIdentifier: EndedRun] = [:]
    /// What undoes the last run.
    var undo: RegisteredUndo?
    /// A number that changes whenever something happens.
    var activity: UInt64 = 0
    /// Tasks outside the run's tree, as they were when the wait for them began.
    var quiet: Quiet?
    /// Wakes the task that lets time pass.
    var wake: AsyncStream<Void>.Continuation?

    mutating func begin(_ run: CurrentRun) {
        current = run
        hasBegun = true
        last = nil
        undo = nil
    }

    /// The newest progress of the current or last run.
    var progress: ProgressReport? { current?.simulation.progress ?? last?.facts.progress }

    /// Whether a condition holds; nil when it will never hold, because the run has ended.
    func holds(_ condition: Condition) -> Bool? {
        switch condition {
        case .units(let count) where (progress?.completedUnitCount ?? 0) >= count && hasBegun: true
        case .fraction(let fraction) where (progress?.fraction ?? 0) >= fraction && hasBegun: true
        case .question where current?.simulation.openQuestion != nil: true
        case .run: current != nil
        case .units, .fraction, .question: last == nil ? false : nil
        case .end(let run): ends[run] != nil
        // The task that lets time pass decides.
        case .idle, .sleepers: false
        }
    }
}

/// A run in progress.
struct CurrentRun {
    let name: String
    let run: InProcessRun
    let executor: RunExecutor
    var simulation: RunSimulation
    /// The error of the test's answers, because of which the run was cancelled.
    var failure: (any Error)?
    var hasResult = false
    /// False while its task is being started. It cannot be cancelled yet, and no code of it is ready to run.
    var isStarted = false
}

/// A run that has ended.
struct EndedRun: Sendable {
    var run: InProcessRun
    var outcome: RunOutcome
    var facts: RunFacts
    var failure: (any Error)?
}
