package import IntentWire

/// One run from acceptance until nothing of it is left.
///
/// Events come as calls with the time; what must be done goes out as actions, in order. The outcome is said
/// exactly once, by ``Action/conclude(_:)``.
package struct RunStateMachine: Sendable, Equatable {
    package enum Action: Equatable, Sendable {
        case launch
        case armTimer(at: Now.Instant)
        case disarmTimer
        case tell(Message)
        case signal(StopSignal)
        /// Keep the files of a result.
        case collect([ResultFile])
        /// Nobody gets them: what is kept of them goes, and no more is kept.
        case discardFiles
        case publish(RunEvent)
        /// The outcome is decided, once and for all.
        case conclude(RunOutcome)
        /// Nothing of the run is left.
        case vanish
    }

    /// What a run's worker is told.
    package enum Message: Equatable, Sendable {
        case perform
        case cancel(CancellationReason, grace: Duration)
        case answer(question: UInt64, value: IntentValue)
        case refuse(question: UInt64)
        case acknowledge
        /// Another `intentd` listens: where does the run stand?
        case resume
    }

    enum State: Equatable, Sendable {
        /// Waits for a place. Goes to starting, or ends by cancel or by its own clock.
        case queued
        /// Its process is being made. Goes to running when `perform()` begins, or to stopping, or ends.
        case starting
        /// `perform()` runs. Goes to collecting, leaving or stopping, or ends with its process.
        case running(Deadline)
        /// A question is open and the run's clock stands still. Goes back to running with the answer, or on as running.
        indirect case asking(AskedQuestion, Deadline, since: Now.Monotonic)
        /// A result is there and its files are being kept, for which they have a time. Goes to leaving, or ends when the
        /// process went first.
        case collecting(WorkerEnding, Deadline, isGone: Bool)
        /// The outcome is said and the worker may go. Ends with its process.
        case leaving
        /// It must end, with this outcome. Ends with its process.
        case stopping(RunOutcome, StopPhase)
        /// Nothing is left.
        case ended
    }

    /// A question with the moment at which it counts as unanswered.
    struct AskedQuestion: Equatable, Sendable {
        var question: Question
        var until: Now.Boottime
    }

    /// How far the end by force is.
    enum StopPhase: Equatable, Sendable {
        /// The handler has the word, until the timer.
        case grace
        /// SIGTERM is sent; SIGKILL follows at the timer.
        case terminating
        /// SIGKILL is sent; only the kernel's word is missing.
        case killing
    }

    /// What the run took so far.
    package internal(set) var account = RunAccount()
    package let limits: RunLimits
    let traits: IntentTraits
    var state = State.queued
    var mark = ProgressMark()
    var processStart: Now.Monotonic?
    /// When its progress advanced last.
    package internal(set) var lastAdvance: Now.Monotonic?
    /// The number of the newest question.
    var lastQuestion: UInt64 = 0
    /// Somebody was asked whether to go on, and said no.
    var isDeclined = false
    /// The clock that ended it; nil where none did.
    package internal(set) var expiredClock: LimitClock?

    /// It was taken up by another `intentd`, and its worker has not said where it stands.
    package internal(set) var isResuming = false
    /// The question that was open when it was taken up: its worker asks it anew, and its time goes on.
    var heldQuestion: HeldQuestion?

    struct HeldQuestion: Equatable, Sendable {
        var number: UInt64
        var end: Now.Boottime
    }

    package init(limits: RunLimits, traits: IntentTraits) {
        self.limits = limits
        self.traits = traits
    }

    // MARK: What it is

    /// Nil when it has ended.
    package var visibleState: RunState? {
        switch state {
        case .queued: .queued
        case .starting: .starting
        case .running: .running
        case .asking: .asking
        case .collecting, .leaving, .stopping: .stopping
        case .ended: nil
        }
    }

    /// When its clock ends it unless progress advances; nil where no such clock runs.
    package var deadline: Now.Monotonic? {
        if case .running(let deadline) = state { return deadline.instant }
        return nil
    }

    package var stopReason: CancellationReason? {
        if case .stopping(.cancelled(let reason), _) = state { return reason }
        return nil
    }

    /// From the word to stop to SIGKILL.
    package var longestStop: Duration { grace + limits.killDelay }

    /// What its handler has to clean up.
    var grace: Duration {
        traits.contains(.cancellable) ? limits.graceCancellable : limits.grace
    }

    // MARK: Its beginning

    /// It was accepted, and waits for a place.
    package mutating func accepted(at now: Now) -> [Action] {
        [.armTimer(at: .monotonic(now.monotonic + limits.queueTimeout))]
    }

    /// It has a place.
    package mutating func admitted(at now: Now) -> [Action] {
        guard case .queued = state else { preconditionFailure("a run is admitted once, from the queue") }
        state = .starting
        processStart = now.monotonic
        return [
            .launch, .armTimer(at: .monotonic(now.monotonic + limits.runtime)),
            .publish(.state(.starting, reason: nil)),
        ]
    }

    /// Its worker's socket is there, and it is isolated so.
    package mutating func launched(_ isolation: IsolationGrade) -> [Action] {
        switch state {
        case .starting:
            account.isolation = isolation
            return [.tell(.perform)]
        // Killed while it was being made: it never hears of its run.
        case .stopping:
            account.isolation = isolation
            return []
        // The launcher repeats itself.
        case .queued, .running, .asking, .collecting, .leaving, .ended: return []
        }
    }

    package mutating func launchFailed(_ message: String, at now: Now) -> [Action] {
        switch state {
        case .starting: return end(.notStarted(message: message), at: now)
        case .stopping(let outcome, _): return end(outcome, at: now)
        // Only an open launch can fail: the launcher contradicts itself, and the end of the process will tell.
        case .queued, .running, .asking, .collecting, .leaving, .ended: return []
        }
    }

    /// `perform()` begins: only now does its clock start.
    package mutating func started(at now: Now) -> [Action] {
        switch state {
        case .starting:
            let deadline = Deadline(limits: limits, traits: traits, at: now)
            state = .running(deadline)
            return [.armTimer(at: .monotonic(deadline.instant)), .publish(.state(.running, reason: nil))]
        case .running, .asking, .collecting, .leaving: return violated("it said twice that its run began", at: now)
        case .stopping, .queued, .ended: return []
        }
    }

    // MARK: Its progress

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
        // A run that was told to stop cannot buy time with progress, and one whose clock stands still needs none; it is
        // still shown.
        case .stopping, .asking: return [.publish(.progress(report))]
        case .starting: return violated("it reported progress before its run began", at: now)
        case .collecting, .leaving: return violated("it reported progress after its result", at: now)
        case .queued, .ended: return []
        }
    }

    package mutating func backgroundChanged(_ phase: BackgroundPhase, at now: Now) -> [Action] {
        switch state {
        case .running(var deadline):
            guard traits.contains(.longRunning) else {
                return violated("it claims a background task, and its intent is no LongRunningIntent", at: now)
            }
            switch phase {
            case .entered: deadline.backgroundEntered(at: now)
            case .left: deadline.backgroundLeft(at: now)
            }
            state = .running(deadline)
            return [.armTimer(at: .monotonic(deadline.instant))]
        // Where its clock stands does not matter while the question's runs.
        case .asking(let question, var deadline, let since):
            guard traits.contains(.longRunning) else {
                return violated("it claims a background task, and its intent is no LongRunningIntent", at: now)
            }
            switch phase {
            case .entered: deadline.backgroundEntered(at: now)
            case .left: deadline.backgroundLeft(at: now)
            }
            state = .asking(question, deadline, since: since)
            return []
        case .stopping, .queued, .ended: return []
        case .starting, .collecting, .leaving:
            return violated("it changed its background task outside its run", at: now)
        }
    }
}
