package import IntentWire

extension RunStateMachine {
    package mutating func resultReceived(_ result: WorkerResult, at now: Now) -> [Action] {
        switch state {
        // A part of the run that needed no answer may end it while the question is open.
        case .running, .asking:
            account.details = result.details
            if case .returned = result.ending, !result.files.isEmpty {
                // As of a run with progress: the longest silence, and the ceiling.
                let deadline = Deadline(limits: limits, traits: .progressReporting, at: now)
                state = .collecting(result.ending, deadline, isGone: false)
                return [.armTimer(at: .monotonic(deadline.instant)), .collect(result.files)]
            }
            return leave(outcome(of: result.ending), at: now)
        case .stopping:
            // Late is never success: the decision to stop came first.
            if case .returned = result.ending { account.hadLateResult = true }
            return [.tell(.acknowledge)]
        case .starting where isResuming: return leave(outcome(of: result.ending), at: now)
        case .starting: return violated("it sent a result before its run began", at: now)
        case .collecting, .leaving: return violated("it sent two results", at: now)
        case .queued, .ended: return []
        }
    }

    /// More of the files of the result is kept.
    package mutating func filesAdvanced(at now: Now) -> [Action] {
        guard case .collecting(let ending, var deadline, let isGone) = state else { return [] }
        deadline.extend(at: now)
        state = .collecting(ending, deadline, isGone: isGone)
        return [.armTimer(at: .monotonic(deadline.instant))]
    }

    /// The files of the result are kept.
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
        case .running, .asking:
            return stop(.cancelled(reason), because: reason, at: now)
        case .collecting, .leaving, .stopping, .ended:
            return []
        }
    }

    /// What came on its socket is no report, or too much: whatever was to be heard of it, it ends.
    mutating func broken(_ message: String, at now: Now) -> [Action] {
        isResuming = false
        return violated(message, at: now)
    }

    /// The worker broke its protocol: it is ended at once, and never obeyed again.
    package mutating func violated(_ message: String, at now: Now) -> [Action] {
        // Last words of a worker that did not live to say where it stands: some before them were heard by nobody.
        guard !isResuming else { return [] }
        switch state {
        case .starting, .running, .asking: return kill(.violated(message: message))
        case .collecting(_, _, isGone: false): return [.discardFiles] + kill(.violated(message: message))
        // The outcome stands; what is left of the process goes now.
        case .leaving, .stopping(_, .grace), .stopping(_, .terminating): return killNow()
        case .stopping(_, .killing), .collecting(_, _, isGone: true), .queued, .ended: return []
        }
    }

    /// It cannot be put on record, so nothing of it may be: nobody was told of it.
    package mutating func withdraw(_ outcome: RunOutcome, at now: Now) -> [Action] {
        switch state {
        case .queued: end(outcome, at: now)
        case .starting: kill(outcome)
        // Its worker has not heard of it: whatever this worker says, it ends.
        case .running, .asking: kill(outcome)
        case .collecting, .leaving, .stopping, .ended: []
        }
    }

    /// The time that was armed has come, and a debugger holds the worker: its clocks stand still, and are looked at
    /// again after as long a time.
    package mutating func heldByDebugger(at now: Now) -> [Action] {
        switch state {
        case .running(var deadline):
            deadline.resume(after: limits.runtime)
            state = .running(deadline)
            return [.armTimer(at: .monotonic(deadline.instant))]
        case .starting: return [.armTimer(at: .monotonic(now.monotonic + limits.runtime))]
        // Who asks for its end gets it; a question's clock is for people; and a place is waited for by no process.
        case .stopping, .leaving, .asking, .queued, .collecting, .ended: return timerFired(at: now)
        }
    }

    /// The time that was armed has come; with what keeps it from its place, where it waits for one.
    package mutating func timerFired(at now: Now, behind obstacle: AdmissionQueue.Obstacle? = nil) -> [Action] {
        switch state {
        case .queued:
            let seconds = limits.queueTimeout.components.seconds
            let cause = obstacle.map { ": \($0)" } ?? ""
            expiredClock = .queue
            return end(.busy(message: "no place became free for it within \(seconds) s\(cause)"), at: now)
        // Progress moved the deadline while the timer was on its way.
        case .running(let deadline) where now.monotonic < deadline.instant:
            return [.armTimer(at: .monotonic(deadline.instant))]
        case .running(let deadline):
            expiredClock = deadline.clock
            return cancel(.timeout, at: now)
        case .starting:
            expiredClock = .start
            return cancel(.timeout, at: now)
        // A timer of another of its clocks may have been on its way.
        case .asking(let asked, _, _) where now.boottime < asked.until:
            return [.armTimer(at: .boottime(asked.until))]
        case .asking(let asked, _, _):
            let question = asked.question.onRecord
            expiredClock = .question
            let outcome = RunOutcome.unanswered(parameter: question.parameter, question: question.text)
            return stop(outcome, because: .timeout, at: now)
        case .stopping(let outcome, .grace):
            state = .stopping(outcome, .terminating)
            account.signals.append(StopSignal.terminate.rawValue)
            return [.signal(.terminate), .armTimer(at: .monotonic(now.monotonic + limits.killDelay))]
        case .leaving, .stopping(_, .terminating):
            return killNow()
        // More was kept while the timer was on its way.
        case .collecting(_, let deadline, _) where now.monotonic < deadline.instant:
            return [.armTimer(at: .monotonic(deadline.instant))]
        case .collecting(_, let deadline, _):
            return concludeCollecting(refusal: Self.slowness(of: deadline, limits), at: now)
        case .stopping(_, .killing), .ended:
            return []
        }
    }

    private static func slowness(of deadline: Deadline, _ limits: RunLimits) -> String {
        switch deadline.clock {
        case .ceiling, .longCeiling:
            "it returned, and its files could not be kept within \(limits.ceiling.components.seconds) s (Ceiling=)"
        case .total, .silence, .question, .queue, .start:
            """
            it returned, and nothing more of its files could be kept for \(limits.runtime.components.seconds) s \
            (Runtime=): the disk of the results may be stuck
            """
        }
    }

    /// The kernel says that nothing of its processes is left.
    package mutating func processesEnded(_ end: SlotEnd, at now: Now) -> [Action] {
        account.processEnd = end.processEnd
        account.leftoverProcessCount = end.leftoverProcessCount
        switch state {
        case .starting, .running, .asking:
            return self.end(end.exceeded.map(RunOutcome.exceeded) ?? .crashed(end.processEnd), at: now)
        case .stopping(let outcome, _): return self.end(outcome, at: now)
        case .collecting(let ending, let deadline, _):
            state = .collecting(ending, deadline, isGone: true)
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
        case .queued, .starting, .running, .asking: return end(.lost(message: message), at: now)
        case .collecting: return [.discardFiles] + end(.lost(message: message), at: now)
        case .stopping(let outcome, _): return end(outcome, at: now)
        case .leaving:
            state = .ended
            return [.disarmTimer, .vanish]
        case .ended: return []
        }
    }

    // MARK: Private

    private func outcome(of ending: WorkerEnding) -> RunOutcome {
        switch ending {
        case .returned(let value, let dialog): .done(value: value, dialog: dialog)
        case .threw(let message): .failed(message: message)
        case .needsValue(let parameter, let question): .unanswered(parameter: parameter, question: question)
        // A person said no, and it stopped for that.
        case .threwCancellation where isDeclined: .cancelled(.userCancelled)
        // Nobody asked it to stop: a CancellationError of its own making is an error like any other.
        case .threwCancellation: .failed(message: "the intent cancelled itself (CancellationError)")
        }
    }

    private mutating func concludeCollecting(refusal: String?, at now: Now) -> [Action] {
        guard case .collecting(let ending, _, let isGone) = state else { return [] }
        let outcome = refusal.map { RunOutcome.failed(message: $0) } ?? outcome(of: ending)
        let discarding: [Action] = refusal == nil ? [] : [.discardFiles]
        return discarding + (isGone ? end(outcome, at: now) : leave(outcome, at: now))
    }

    /// Tells the worker why it must stop, and how long it has.
    private mutating func stop(_ outcome: RunOutcome, because reason: CancellationReason, at now: Now) -> [Action] {
        state = .stopping(outcome, .grace)
        return [
            .tell(.cancel(reason, grace: grace)),
            .armTimer(at: .monotonic(now.monotonic + grace)),
            .publish(.state(.stopping, reason: reason)),
        ]
    }

    /// Says the outcome and lets the worker go, which it must do within the short grace.
    private mutating func leave(_ outcome: RunOutcome, at now: Now) -> [Action] {
        state = .leaving
        noteRuntime(at: now)
        return [.conclude(outcome), .tell(.acknowledge), .armTimer(at: .monotonic(now.monotonic + limits.grace))]
    }

    mutating func end(_ outcome: RunOutcome, at now: Now) -> [Action] {
        state = .ended
        noteRuntime(at: now)
        return [.disarmTimer, .conclude(outcome), .vanish]
    }

    mutating func kill(_ outcome: RunOutcome) -> [Action] {
        state = .stopping(outcome, .killing)
        account.signals.append(StopSignal.kill.rawValue)
        return [.disarmTimer, .signal(.kill)]
    }

    /// SIGKILL for what outlived its time; the outcome stays what it is.
    mutating func killNow() -> [Action] {
        if case .stopping(let outcome, _) = state { state = .stopping(outcome, .killing) }
        account.signals.append(StopSignal.kill.rawValue)
        return [.disarmTimer, .signal(.kill)]
    }

    private mutating func noteRuntime(at now: Now) {
        if let processStart { account.runtime = .milliseconds((now.monotonic - processStart).milliseconds) }
    }
}
