package import IntentWire

/// One run from acceptance until nothing of it is left.
///
/// Events come as calls with the time; what must be done goes out as actions, in order. The outcome is said
/// exactly once, by ``Action/conclude(_:)``.
package struct RunStateMachine: Sendable, Equatable {
    package enum Action: Equatable, Sendable {
        case launch
        case armTimer(at: Now.Monotonic)
        case disarmTimer
        case tell(Message)
        case signal(StopSignal)
        /// Open the files of a result.
        case collect([ResultFile])
        case publish(ClientEvent)
        /// The outcome is decided, once and for all.
        case conclude(RunOutcome)
        /// Nothing of the run is left.
        case vanish
    }

    /// What a run's worker is told.
    package enum Message: Equatable, Sendable {
        case perform
        case cancel(CancellationReason, grace: Duration)
        case acknowledge
    }

    private enum State: Equatable, Sendable {
        /// Waits for a place. Goes to starting, or ends by cancel or by its own clock.
        case queued
        /// Its process is being made. Goes to running when `perform()` begins, or to stopping, or ends.
        case starting
        /// `perform()` runs. Goes to collecting, leaving or stopping, or ends with its process.
        case running(Deadline)
        /// A result is there and its files are being opened. Goes to leaving, or ends when the process went first.
        case collecting(WorkerEnding, isGone: Bool)
        /// The outcome is said and the worker may go. Ends with its process.
        case leaving
        /// It must end, with this outcome. Ends with its process.
        case stopping(RunOutcome, StopPhase)
        /// Nothing is left.
        case ended
    }

    /// How far the end by force is.
    private enum StopPhase: Equatable, Sendable {
        /// The handler has the word, until the timer.
        case grace
        /// SIGTERM is sent; SIGKILL follows at the timer.
        case terminating
        /// SIGKILL is sent; only the kernel's word is missing.
        case killing
    }

    /// What the run took so far.
    package private(set) var account = RunAccount()
    package let limits: RunLimits
    private let traits: IntentTraits
    private var state = State.queued
    private var mark = ProgressMark()
    private var processStart: Now.Monotonic?

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

    // MARK: Its beginning

    /// It was accepted, and waits for a place.
    package mutating func accepted(at now: Now) -> [Action] {
        [.armTimer(at: now.monotonic + limits.queueTimeout)]
    }

    /// It has a place.
    package mutating func admitted(at now: Now) -> [Action] {
        guard case .queued = state else { preconditionFailure("a run is admitted once, from the queue") }
        state = .starting
        processStart = now.monotonic
        return [.launch, .armTimer(at: now.monotonic + limits.runtime), .publish(.state(.starting, reason: nil))]
    }

    /// Its worker's socket is there.
    package mutating func launched() -> [Action] {
        switch state {
        case .starting: [.tell(.perform)]
        // Killed while it was being made: it never hears of its run. In the other states the launcher repeats itself.
        case .stopping, .queued, .running, .collecting, .leaving, .ended: []
        }
    }

    package mutating func launchFailed(_ message: String, at now: Now) -> [Action] {
        switch state {
        case .starting: return end(.notStarted(message: message), at: now)
        case .stopping(let outcome, _): return end(outcome, at: now)
        // Only an open launch can fail: the launcher contradicts itself, and the end of the process will tell.
        case .queued, .running, .collecting, .leaving, .ended: return []
        }
    }

    /// `perform()` begins: only now does its clock start.
    package mutating func started(at now: Now) -> [Action] {
        switch state {
        case .starting:
            let deadline = Deadline(limits: limits, traits: traits, at: now)
            state = .running(deadline)
            return [.armTimer(at: deadline.instant), .publish(.state(.running, reason: nil))]
        case .running, .collecting, .leaving: return violated("it said twice that its run began", at: now)
        case .stopping, .queued, .ended: return []
        }
    }

    // MARK: Its progress

    package mutating func progressReported(_ report: ProgressReport, at now: Now) -> [Action] {
        switch state {
        case .running(var deadline):
            guard mark.advances(with: report) else { return [.publish(.progress(report))] }
            let previous = deadline.instant
            deadline.extend(at: now)
            state = .running(deadline)
            let rearm: [Action] = deadline.instant == previous ? [] : [.armTimer(at: deadline.instant)]
            return rearm + [.publish(.progress(report))]
        // A run that was told to stop cannot buy time with progress; it is still shown.
        case .stopping: return [.publish(.progress(report))]
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
            return [.armTimer(at: deadline.instant)]
        case .stopping, .queued, .ended: return []
        case .starting, .collecting, .leaving:
            return violated("it changed its background task outside its run", at: now)
        }
    }

    // MARK: Its end

    package mutating func resultReceived(_ result: WorkerResult, at now: Now) -> [Action] {
        switch state {
        case .running:
            let hasPaths = result.files.contains { $0 != .memory }
            if case .returned = result.ending, hasPaths {
                state = .collecting(result.ending, isGone: false)
                return [.disarmTimer, .collect(result.files)]
            }
            return leave(Self.outcome(of: result.ending), at: now)
        case .stopping:
            // Late is never success: the decision to stop came first.
            if case .returned = result.ending { account.hadLateResult = true }
            return [.tell(.acknowledge)]
        case .starting: return violated("it sent a result before its run began", at: now)
        case .collecting, .leaving: return violated("it sent two results", at: now)
        case .queued, .ended: return []
        }
    }

    /// The files of the result are open.
    package mutating func filesCollected(at now: Now) -> [Action] {
        concludeCollecting(refusal: nil, at: now)
    }

    /// The files of the result cannot be had.
    package mutating func filesRefused(_ message: String, at now: Now) -> [Action] {
        concludeCollecting(refusal: message, at: now)
    }

    /// Stop, whoever asks and why: the first reason wins, and a result that is there already stays.
    package mutating func cancel(_ reason: CancellationReason, at now: Now) -> [Action] {
        switch state {
        case .queued:
            return end(.cancelled(reason), at: now)
        case .starting:
            // Nothing of the app's has run that could be cleaned up.
            return kill(.cancelled(reason)) + [.publish(.state(.stopping, reason: reason))]
        case .running:
            let grace = traits.contains(.cancellable) ? limits.graceCancellable : limits.grace
            state = .stopping(.cancelled(reason), .grace)
            return [
                .tell(.cancel(reason, grace: grace)),
                .armTimer(at: now.monotonic + grace),
                .publish(.state(.stopping, reason: reason)),
            ]
        case .collecting, .leaving, .stopping, .ended:
            return []
        }
    }

    /// The worker broke its protocol: it is ended at once, and never obeyed again.
    package mutating func violated(_ message: String, at now: Now) -> [Action] {
        switch state {
        case .starting, .running: return kill(.violated(message: message))
        case .collecting(_, isGone: false): return [.disarmTimer] + kill(.violated(message: message))
        // The outcome stands; what is left of the process goes now.
        case .leaving, .stopping(_, .grace), .stopping(_, .terminating): return killNow()
        case .stopping(_, .killing), .collecting(_, isGone: true), .queued, .ended: return []
        }
    }

    /// The time that was armed has come.
    package mutating func timerFired(at now: Now) -> [Action] {
        switch state {
        case .queued:
            let seconds = limits.queueTimeout.components.seconds
            return end(.busy(message: "no place became free within \(seconds) s"), at: now)
        case .starting, .running:
            return cancel(.timeout, at: now)
        case .stopping(let outcome, .grace):
            state = .stopping(outcome, .terminating)
            account.signals.append(StopSignal.terminate.rawValue)
            return [.signal(.terminate), .armTimer(at: now.monotonic + limits.killDelay)]
        case .leaving, .stopping(_, .terminating):
            return killNow()
        case .stopping(_, .killing), .collecting, .ended:
            return []
        }
    }

    /// The kernel says that nothing of its processes is left.
    package mutating func processesEnded(_ end: SlotEnd, at now: Now) -> [Action] {
        account.processEnd = end.processEnd
        account.leftoverProcessCount = end.leftoverProcessCount
        switch state {
        case .starting, .running: return self.end(.crashed(end.processEnd), at: now)
        case .stopping(let outcome, _): return self.end(outcome, at: now)
        case .collecting(let ending, _):
            state = .collecting(ending, isGone: true)
            return []
        case .leaving:
            state = .ended
            return [.disarmTimer, .vanish]
        case .queued, .ended: return []
        }
    }

    /// The launcher died, and with it everything that it had started.
    package mutating func launcherLost(at now: Now) -> [Action] {
        let message = "the launcher died, and the run's processes with it"
        switch state {
        case .queued, .starting, .running, .collecting: return end(.lost(message: message), at: now)
        case .stopping(let outcome, _): return end(outcome, at: now)
        case .leaving:
            state = .ended
            return [.disarmTimer, .vanish]
        case .ended: return []
        }
    }

    // MARK: Private

    private static func outcome(of ending: WorkerEnding) -> RunOutcome {
        switch ending {
        case .returned(let value, let dialog): .done(value: value, dialog: dialog)
        case .threw(let message): .failed(message: message)
        // Nobody asked it to stop: a CancellationError of its own making is an error like any other.
        case .threwCancellation: .failed(message: "the intent cancelled itself (CancellationError)")
        }
    }

    private mutating func concludeCollecting(refusal: String?, at now: Now) -> [Action] {
        guard case .collecting(let ending, let isGone) = state else { return [] }
        let outcome = refusal.map { RunOutcome.failed(message: $0) } ?? Self.outcome(of: ending)
        return isGone ? end(outcome, at: now) : leave(outcome, at: now)
    }

    /// Says the outcome and lets the worker go, which it must do within the short grace.
    private mutating func leave(_ outcome: RunOutcome, at now: Now) -> [Action] {
        state = .leaving
        noteRuntime(at: now)
        return [.conclude(outcome), .tell(.acknowledge), .armTimer(at: now.monotonic + limits.grace)]
    }

    private mutating func end(_ outcome: RunOutcome, at now: Now) -> [Action] {
        state = .ended
        noteRuntime(at: now)
        return [.disarmTimer, .conclude(outcome), .vanish]
    }

    private mutating func kill(_ outcome: RunOutcome) -> [Action] {
        state = .stopping(outcome, .killing)
        account.signals.append(StopSignal.kill.rawValue)
        return [.disarmTimer, .signal(.kill)]
    }

    /// SIGKILL for what outlived its time; the outcome stays what it is.
    private mutating func killNow() -> [Action] {
        if case .stopping(let outcome, _) = state { state = .stopping(outcome, .killing) }
        account.signals.append(StopSignal.kill.rawValue)
        return [.disarmTimer, .signal(.kill)]
    }

    private mutating func noteRuntime(at now: Now) {
        if let processStart { account.runtimeMilliseconds = (now.monotonic - processStart).milliseconds }
    }
}
