package import IntentLauncherMessages

/// The state of one run, from its acceptance until its processes have exited and its slot is released.
///
/// Each method handles an event at a given time, and returns the actions to perform, in order. The outcome is announced
/// exactly once, by ``Action/conclude(_:)``.
package struct RunStateMachine: Sendable, Equatable {
    package enum Action: Equatable, Sendable {
        case launch
        case armTimer(at: Now.Instant)
        case disarmTimer
        case send(Message)
        case signal(StopSignal)
        /// Copy the files of the result.
        case collect([ResultFile])
        /// Stop copying the files of the result, and discard them, because no client will receive them.
        case discardFiles
        case publish(RunEvent)
        /// Announce the final outcome.
        case conclude(RunOutcome)
        /// Remove the run from the table, because its processes have exited.
        case vanish
    }

    /// A command to a run's worker.
    package enum Message: Equatable, Sendable {
        case perform
        case cancel(CancellationReason, grace: Duration)
        case answer(question: UInt64, value: IntentValue)
        case refuse(question: UInt64)
        case acknowledge
        /// Requests the worker's state, because another `intentd` has adopted the run.
        case resume
    }

    enum State: Equatable, Sendable {
        /// A person must approve the run before it joins the backlog. The run becomes queued, or ends when the person
        /// declines, the run is cancelled, or the question expires.
        indirect case approving(AskedQuestion)
        /// The run waits in the backlog. It becomes starting, or ends when it is cancelled or its queue timeout
        /// expires.
        case queued
        /// The run's worker is being launched. The run becomes running when `perform()` begins, or stopping, or ends.
        case starting
        /// `perform()` is executing. The run becomes asking, collecting, leaving or stopping, or ends when its process
        /// exits.
        case running(Deadline)
        /// A question is open, which stops the run's clock. The run becomes running when the question is answered. All
        /// transitions of a running run are possible as well.
        indirect case asking(AskedQuestion, Deadline, since: Now.Monotonic)
        /// The result has arrived, and its files are being copied before a deadline. The run becomes leaving, or ends
        /// if the process has already exited.
        case collecting(WorkerEnding, Deadline, hasExited: Bool)
        /// The outcome is announced, and the worker may exit. The worker of a step may do so a moment later
        /// (``RunTable/mayLinger(_:)``). The run ends when its process exits.
        case leaving
        /// The run must end with this outcome. The run ends when its process exits.
        case stopping(RunOutcome, StopPhase)
        /// All processes have exited.
        case ended
    }

    /// A refused connection, and whether other runs shared the sandbox.
    struct Refusal: Equatable, Sendable {
        var connection: RefusedConnection
        var isShared: Bool
    }

    /// An open question with the instant at which it expires.
    struct AskedQuestion: Equatable, Sendable {
        var question: Question
        var until: Now.Boottime
    }

    /// The steps that end a run, from the mildest to SIGKILL.
    enum StopPhase: Equatable, Sendable {
        /// The cancellation handler is running. SIGTERM follows when the timer fires.
        case grace
        /// SIGTERM was sent. SIGKILL follows when the timer fires.
        case terminating
        /// SIGKILL was sent, but the kernel has not reported the exit yet.
        case killing
    }

    /// The known facts about the end of the run: times, signals, remaining processes.
    package internal(set) var account: RunAccount {
        get { knownAccount ?? RunAccount() }
        set { knownAccount = newValue }
    }
    @Apart private var knownAccount: RunAccount?
    package let limits: RunLimits
    let traits: IntentTraits
    var state = State.queued
    var mark = ProgressMark()
    /// True once the run's process has printed that it cannot allocate memory. Set only on a host without a memory
    /// controller, where `MemoryMax=` limits each process and the kernel does not report that a process exceeded it.
    var hasFailedToAllocate = false
    /// The newest trap message that the run's process has printed, such as `Fatal error: Index out of range`.
    var trapMessage: String?
    /// The report that the run's process sent about its own crash.
    @Apart var crash: CrashReport?
    /// The refused connection that says most about the run.
    @Apart var refusal: Refusal?
    /// The use of hosts, by host.
    private(set) var hosts: [String: HostUse] = [:]
    /// The maximum number of hosts in a run's record. Further hosts are not counted.
    static let hostLimit = 64

    /// Counts the use of a host.
    mutating func count(_ use: HostUse) {
        guard hosts[use.host] == nil else { return hosts[use.host]?.add(use) ?? () }
        if hosts.count < Self.hostLimit { hosts[use.host] = use }
    }
    var processStart: Now.Monotonic?
    /// The instant at which the run's progress last advanced.
    package internal(set) var lastAdvance: Now.Monotonic?
    /// The number of the run's newest question; 0 before the first question.
    var lastQuestion: UInt64 = 0
    /// True once a user has declined a confirmation.
    var isDeclined = false
    /// The expired clock that ended the run; nil if the run did not end because of a clock.
    package internal(set) var expiredClock: LimitClock?

    /// True until the worker of an adopted run has reported its state.
    package internal(set) var isResuming = false
    /// The question that was open at adoption. If the worker asks it again, the question keeps its remaining time.
    var heldQuestion: HeldQuestion?

    struct HeldQuestion: Equatable, Sendable {
        var number: UInt64
        var end: Now.Boottime
    }

    package init(limits: RunLimits, traits: IntentTraits) {
        self.limits = limits
        self.traits = traits
    }

    // MARK: State

    /// The state that clients see; nil when the run has ended.
    package var visibleState: RunState? {
        switch state {
        case .queued: .queued
        case .starting: .starting
        case .running: .running
        case .asking, .approving: .asking
        case .collecting, .leaving, .stopping: .stopping
        case .ended: nil
        }
    }

    /// The instant at which the run is cancelled unless progress advances; nil in every state except `running`.
    package var deadline: Now.Monotonic? { if case .running(let deadline) = state { deadline.instant } else { nil } }

    package var stopReason: CancellationReason? {
        if case .stopping(.cancelled(let reason), _) = state { reason } else { nil }
    }

    /// The maximum time from the cancellation to SIGKILL.
    package var longestStop: Duration { grace + limits.killDelay }

    /// The time that the cancellation handler has for its clean-up.
    var grace: Duration {
        traits.contains(.cancellable) ? limits.graceCancellable : limits.grace
    }

    // MARK: Beginning

    /// Arms the queue timeout of a run that has joined the backlog.
    package mutating func accepted(at now: Now) -> [Action] {
        [.armTimer(at: .monotonic(now.monotonic + limits.queueTimeout))]
    }

    /// Asks for approval of an accepted run that a person must approve first.
    package mutating func accepted(awaiting question: Question, at now: Now) -> [Action] {
        let asked = AskedQuestion(question: question, until: now.boottime + limits.questionTimeout)
        state = .approving(asked)
        return [.armTimer(at: .boottime(asked.until)), .publish(.state(.asking, reason: nil))]
    }

    /// True while a person must approve the run.
    package var isAwaitingApproval: Bool { if case .approving = state { true } else { false } }

    /// Launches the worker of a run that was admitted from the backlog.
    package mutating func admitted(at now: Now) -> [Action] {
        guard case .queued = state else { preconditionFailure("a run is admitted only once, from the backlog") }
        state = .starting
        processStart = now.monotonic
        return [
            .launch, .armTimer(at: .monotonic(now.monotonic + limits.runtime)),
            .publish(.state(.starting, reason: nil)),
        ]
    }

    /// Records that the worker's socket is connected, with the worker's isolation grade.
    package mutating func launched(_ isolation: IsolationGrade) -> [Action] {
        switch state {
        case .starting:
            account.isolation = isolation
            return [.send(.perform)]
        // The run was stopped while its worker was being launched. Do not send the run to the worker.
        case .stopping:
            account.isolation = isolation
            return []
        // No launch is in progress, so ignore the report.
        case .approving, .queued, .running, .asking, .collecting, .leaving, .ended: return []
        }
    }

    /// Ends the run because its worker could not be launched. After a shortage, the run can be requested again.
    package mutating func launchFailed(_ failure: LaunchFailure, at now: Now) -> [Action] {
        switch state {
        case .starting where failure.isTemporary == true: return end(.busy(message: failure.message), at: now)
        case .starting: return end(.notStarted(message: failure.message), at: now)
        case .stopping(let outcome, _): return end(outcome, at: now)
        // No launch is in progress, so the report contradicts an earlier report. Wait for the process to exit.
        case .approving, .queued, .running, .asking, .collecting, .leaving, .ended: return []
        }
    }

    /// Starts the run's clock when `perform()` begins.
    package mutating func started(at now: Now) -> [Action] {
        switch state {
        case .starting:
            let deadline = Deadline(limits: limits, traits: traits, at: now)
            state = .running(deadline)
            return [.armTimer(at: .monotonic(deadline.instant)), .publish(.state(.running, reason: nil))]
        case .running, .asking, .collecting, .leaving: return violated("it reported twice that its run began", at: now)
        case .stopping, .approving, .queued, .ended: return []
        }
    }

    // MARK: Progress

    package mutating func progressReported(_ report: ProgressReport, at now: Now) -> [Action] {
        switch state {
        case .running(var deadline):
            guard mark.advances(with: report) else { return [.publish(.progress(report))] }
            let previous = deadline.instant
            lastAdvance = now.monotonic
            deadline.extend(at: now)
            state = .running(deadline)
            if deadline.instant == previous { return [.publish(.progress(report))] }
            return [.armTimer(at: .monotonic(deadline.instant)), .publish(.progress(report))]
        // Progress does not extend the deadline of a run that must stop, or of a run with a stopped clock. Clients
        // still receive the progress.
        case .stopping, .asking: return [.publish(.progress(report))]
        case .starting: return violated("it reported progress before its run began", at: now)
        case .collecting, .leaving: return violated("it reported progress after its result", at: now)
        case .approving, .queued, .ended: return []
        }
    }

    package mutating func backgroundChanged(_ phase: BackgroundPhase, at now: Now) -> [Action] {
        let isLongRunning = traits.contains(.longRunning)
        switch state {
        case .running where !isLongRunning, .asking where !isLongRunning:
            return violated("it reported a background task, but its intent is not a LongRunningIntent", at: now)
        case .running(var deadline):
            deadline.backgroundChanged(phase, at: now)
            state = .running(deadline)
            return [.armTimer(at: .monotonic(deadline.instant))]
        // While a question is open, the timer is armed for the question. Change the run's own deadline without arming
        // the timer for it.
        case .asking(let question, var deadline, let since):
            deadline.backgroundChanged(phase, at: now)
            state = .asking(question, deadline, since: since)
            return []
        case .stopping, .approving, .queued, .ended: return []
        case .starting, .collecting, .leaving:
            return violated("it began or ended a background task while its intent was not running", at: now)
        }
    }
}
