import IntentLauncherMessages
import IntentLifecycle

/// A run on a virtual clock. `RunStateMachine` makes the decisions about the run, as in `intentd`.
///
/// The simulation replaces the worker: it starts and exits without delay. Instants are durations since the start of the
/// clock. CLOCK_MONOTONIC and CLOCK_BOOTTIME are identical here, because the simulated host is never suspended.
struct RunSimulation {
    enum Event {
        case reported(WorkerReport)
        case answered(UInt64, IntentValue)
        case cancelled(CancellationReason)
        /// The run's timer has expired.
        case timerFired
    }

    /// An action on the run: a cancellation, or the reply to a question.
    enum Effect: Equatable {
        case cancel(CancellationReason, grace: Duration)
        case answer(UInt64, IntentValue)
        case refuse(UInt64)
    }

    private var machine: RunStateMachine
    /// The instant at which the run's timer expires; nil while no limit is in effect.
    private(set) var timer: Duration?
    /// The run's outcome; nil until `intentd` would have reaped all of the run's processes.
    private(set) var outcome: RunOutcome?
    /// The latest progress of the run.
    private(set) var progress: ProgressReport?
    /// True if `intentd` would have ended the run's process with a signal.
    private(set) var isKilled = false
    /// The instant at which `perform()` began.
    let start: Duration
    private let refusesQuestions: Bool

    /// Creates a run with a worker that is ready.
    init(limits: RunLimits, traits: IntentTraits, refusesQuestions: Bool, at instant: Duration) {
        machine = RunStateMachine(limits: limits, traits: traits)
        start = instant
        self.refusesQuestions = refusesQuestions
        let now = Now(instant)
        var effects: [Effect] = []
        perform(machine.accepted(at: now), at: now, &effects)
        perform(machine.admitted(at: now), at: now, &effects)
        perform(machine.launched(.none), at: now, &effects)
        perform(machine.started(at: now), at: now, &effects)
    }

    /// The unanswered question; nil when no question is open.
    var openQuestion: Question? { machine.openQuestion }

    /// The limit that ended the run; nil when no limit ended it.
    var expiredClock: LimitClock? { machine.expiredClock }

    /// True if the run is stopping because it was cancelled or exceeded a limit.
    var isStopping: Bool { machine.visibleState == .stopping }

    /// Handles an event, and returns the effects on the run, in order.
    mutating func handle(_ event: Event, at instant: Duration) -> [Effect] {
        let now = Now(instant)
        var effects: [Effect] = []
        perform(actions(for: event, at: now), at: now, &effects)
        return effects
    }

    private mutating func actions(for event: Event, at now: Now) -> [RunStateMachine.Action] {
        switch event {
        case .reported(let report): actions(for: report, at: now)
        case .answered(let number, let value): machine.questionAnswered(number, value, at: now)
        case .cancelled(let reason): machine.cancel(reason, at: now)
        case .timerFired: machine.timerFired(at: now)
        }
    }

    private mutating func actions(for report: WorkerReport, at now: Now) -> [RunStateMachine.Action] {
        switch report {
        case .progress(let report):
            progress = report
            return machine.progressReported(report, at: now)
        case .background(let phase): return machine.backgroundChanged(phase, at: now)
        case .question(let question):
            return refusesQuestions
                ? machine.questionRefused(question, at: now) : machine.questionAsked(question, at: now)
        case .withdrawn(let number): return machine.questionWithdrawn(number, at: now)
        case .finished(let result): return machine.resultReceived(result, at: now)
        case .hello, .catalog, .started, .resumed, .crashed, .stuck:
            preconditionFailure("a run in the test's process sends no reports outside perform()")
        }
    }

    private mutating func perform(_ actions: [RunStateMachine.Action], at now: Now, _ effects: inout [Effect]) {
        for action in actions {
            switch action {
            case .launch, .publish, .discardFiles, .vanish: break
            case .armTimer(let instant): timer = instant.sinceStart
            case .disarmTimer: timer = nil
            case .conclude(let outcome): self.outcome = outcome
            // Report the files as collected immediately, because they are already in the run folder.
            case .collect: perform(machine.filesCollected(at: now), at: now, &effects)
            case .signal(let signal):
                // End the run immediately, because the default action of both signals is to terminate the process.
                isKilled = true
                exit(.signaled(signal: signal == .terminate ? 15 : 9), at: now, &effects)
            case .send(let message): send(message, at: now, &effects)
            }
        }
    }

    private mutating func send(_ message: RunStateMachine.Message, at now: Now, _ effects: inout [Effect]) {
        switch message {
        case .perform, .resume: break
        case .cancel(let reason, let grace): effects.append(.cancel(reason, grace: grace))
        case .answer(let number, let value): effects.append(.answer(number, value))
        case .refuse(let number): effects.append(.refuse(number))
        // A worker exits once its result is acknowledged.
        case .acknowledge: exit(.exited(code: 0), at: now, &effects)
        }
    }

    private mutating func exit(_ end: ProcessEnd, at now: Now, _ effects: inout [Effect]) {
        perform(machine.processesEnded(SlotEnd(processEnd: end), at: now), at: now, &effects)
        timer = nil
    }

    /// True once the run has ended, and therefore handles no further events.
    var hasEnded: Bool { machine.visibleState == nil }
}

extension Now {
    fileprivate init(_ sinceStart: Duration) {
        let (seconds, attoseconds) = sinceStart.components
        let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        self.init(monotonic: Monotonic(nanoseconds: nanoseconds), boottime: Boottime(nanoseconds: nanoseconds))
    }
}

extension Now.Instant {
    fileprivate var sinceStart: Duration {
        switch self {
        case .monotonic(let instant): .nanoseconds(instant.nanoseconds)
        case .boottime(let instant): .nanoseconds(instant.nanoseconds)
        }
    }
}
