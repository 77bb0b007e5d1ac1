package import IntentLauncherMessages

extension RunStateMachine {
    package mutating func resultReceived(_ result: WorkerResult, at now: Now) -> [Action] {
        switch state {
        // Another task in the worker can return a result while a question is open.
        case .running, .asking:
            account.details = result.details
            if case .returned = result.ending, !result.files.isEmpty {
                // The copy has the same kind of deadline as a run that reports progress: a limit on the time without
                // progress, and a ceiling.
                let deadline = Deadline(limits: limits, traits: .progressReporting, at: now)
                state = .collecting(result.ending, deadline, hasExited: false)
                return [.armTimer(at: .monotonic(deadline.instant)), .collect(result.files)]
            }
            return leave(outcome(of: result.ending), at: now)
        case .stopping:
            // The run is already being stopped, so a late result never counts as success.
            if case .returned = result.ending { account.hadLateResult = true }
            return [.send(.acknowledge)]
        case .starting where isResuming: return leave(outcome(of: result.ending), at: now)
        case .starting: return violated("it sent a result before its run began", at: now)
        case .collecting, .leaving: return violated("it sent two results", at: now)
        case .approving, .queued, .ended: return []
        }
    }

    /// Extends the deadline for copying after more bytes of the result's files were copied.
    package mutating func filesAdvanced(at now: Now) -> [Action] {
        guard case .collecting(let ending, var deadline, let hasExited) = state else { return [] }
        deadline.extend(at: now)
        state = .collecting(ending, deadline, hasExited: hasExited)
        return [.armTimer(at: .monotonic(deadline.instant))]
    }

    /// Concludes the run after all files of the result have been stored.
    package mutating func filesCollected(at now: Now) -> [Action] {
        concludeCollecting(refusal: nil, at: now)
    }

    /// Fails the run because the files of its result could not be read or stored.
    package mutating func filesRefused(_ message: String, at now: Now) -> [Action] {
        concludeCollecting(refusal: message, at: now)
    }

    /// Stops the run. Only the first reason is kept. A result that has already arrived is also kept.
    package mutating func cancel(_ reason: CancellationReason, at now: Now) -> [Action] {
        switch state {
        case .approving, .queued:
            return end(.cancelled(reason), at: now)
        case .starting:
            // The app's code has not run, so there is nothing to clean up.
            return kill(.cancelled(reason)) + [.publish(.state(.stopping, reason: reason))]
        case .running, .asking:
            return stop(.cancelled(reason), because: reason, at: now)
        case .collecting, .leaving, .stopping, .ended:
            return []
        }
    }

    /// Ends the run because the worker sent a malformed report or too many reports, even if an adopted worker has not
    /// reported its state yet.
    mutating func broken(_ message: String, at now: Now) -> [Action] {
        isResuming = false
        return violated(message, at: now)
    }

    /// Kills a worker that violated the protocol. Its later reports are ignored.
    package mutating func violated(_ message: String, at now: Now) -> [Action] {
        // Ignore the violation until an adopted worker has reported its state. If it exits before that, its last
        // reports are handled without the reports that an earlier intentd received, and may only seem to violate the
        // protocol.
        guard !isResuming else { return [] }
        switch state {
        case .starting, .running, .asking: return kill(.violated(message: message))
        case .collecting(_, _, hasExited: false): return [.discardFiles] + kill(.violated(message: message))
        // The outcome is already decided. Kill the remaining processes.
        case .leaving, .stopping(_, .grace), .stopping(_, .terminating): return killNow()
        case .stopping(_, .killing), .collecting(_, _, hasExited: true), .approving, .queued, .ended: return []
        }
    }

    /// Ends a run that cannot be recorded. The run has not been announced to any client.
    package mutating func withdraw(_ outcome: RunOutcome, at now: Now) -> [Action] {
        switch state {
        case .approving, .queued: end(outcome, at: now)
        case .starting: kill(outcome)
        // A worker receives its run only once the run is on record, so this worker has begun without one. Kill the
        // worker.
        case .running, .asking: kill(outcome)
        case .collecting, .leaving, .stopping, .ended: []
        }
    }

    /// Handles the timer while a debugger has stopped the worker. The run's clocks stop, and the timer is armed again
    /// for the same duration.
    package mutating func heldByDebugger(at now: Now) -> [Action] {
        switch state {
        case .running(var deadline):
            deadline.resume(after: limits.runtime)
            state = .running(deadline)
            return [.armTimer(at: .monotonic(deadline.instant))]
        case .starting: return [.armTimer(at: .monotonic(now.monotonic + limits.runtime))]
        // A cancelled run must end. A question's time limit applies to the user, not to the worker. A run in the
        // backlog has no process to debug.
        case .stopping, .leaving, .asking, .approving, .queued, .collecting, .ended: return timerFired(at: now)
        }
    }

    /// Handles the run's timer.
    ///
    /// - Parameter obstacle: The reason why a queued run stays in the backlog; nil for any other run.
    package mutating func timerFired(at now: Now, behind obstacle: AdmissionQueue.Obstacle? = nil) -> [Action] {
        switch state {
        case .queued:
            let seconds = limits.queueTimeout.components.seconds
            let cause = obstacle.map { ": \($0)" } ?? ""
            expiredClock = .queue
            return end(.busy(message: "no slot became free within \(seconds) s\(cause)"), at: now)
        case .approving(let asked) where now.boottime < asked.until:
            return [.armTimer(at: .boottime(asked.until))]
        case .approving(let asked):
            expiredClock = .question
            return end(.unanswered(parameter: nil, question: asked.question.text), at: now)
        // The deadline was extended after the timer fired. Arm the timer again.
        case .running(let deadline) where now.monotonic < deadline.instant:
            return [.armTimer(at: .monotonic(deadline.instant))]
        case .running(let deadline):
            expiredClock = deadline.clock
            return cancel(.timeout, at: now)
        case .starting:
            expiredClock = .start
            return cancel(.timeout, at: now)
        // The timer fired for a deadline that no longer applies: the question has a time limit of its own.
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
        // The copy advanced after the timer fired, and extended the deadline. Arm the timer again.
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
            "it returned, but its files could not be stored within \(limits.ceiling.components.seconds) s (Ceiling=)"
        case .total, .silence, .question, .queue, .start:
            """
            it returned, but storing its files made no progress for \(limits.runtime.components.seconds) s \
            (Runtime=): the disk that stores the results may not respond
            """
        }
    }

    /// Keeps a crash report until the kernel has reported the exit. The report cannot change the outcome, except from a
    /// crash to an exceeded memory limit.
    package mutating func crashReported(_ report: CrashReport, at now: Now) -> [Action] {
        if let problem = report.problem { return violated("it sent an invalid crash report: \(problem)", at: now) }
        guard crash == nil else { return violated("it sent two crash reports", at: now) }
        crash = report
        return []
    }

    /// Keeps the stacks of a run that is being stopped for a limit of time. Ignores the stacks of any other run.
    package mutating func stacksReported(_ report: StackReport, at now: Now) -> [Action] {
        if let problem = report.problem { return violated("it sent an invalid report of stacks: \(problem)", at: now) }
        guard case .stopping(.cancelled(.timeout), _) = state, account.details?.stacks == nil else { return [] }
        var details = account.details ?? RunDetails()
        details.stacks = report
        account.details = details
        return []
    }

    /// Adds the setting that caused the end to the account.
    mutating func note(_ denial: SandboxDenial) {
        var details = account.details ?? RunDetails()
        details.denial = denial
        account.details = details
    }

    /// Adds the use of hosts to the account.
    mutating func noteHosts() {
        guard !hosts.isEmpty else { return }
        var details = account.details ?? RunDetails()
        details.hosts = hosts.values.sorted { $0.host < $1.host }
        account.details = details
    }

    /// Adds the crash report to the account if the kernel reports that the same signal ended the process.
    private mutating func noteCrash(_ end: ProcessEnd) {
        guard var report = crash, end == .signaled(signal: report.signal) else { return }
        report.message = trapMessage
        var details = account.details ?? RunDetails()
        details.crash = report
        account.details = details
    }

    /// Handles the exit of all the run's processes, as the kernel reported it.
    package mutating func processesEnded(_ end: SlotEnd, at now: Now) -> [Action] {
        account.processEnd = end.processEnd
        account.leftoverProcessCount = end.leftoverProcessCount
        noteCrash(end.processEnd)
        switch state {
        case .starting, .running, .asking:
            let exceeded = end.exceeded ?? (isOutOfMemory(end.processEnd) ? .memory : nil)
            return self.end(exceeded.map(RunOutcome.exceeded) ?? .crashed(end.processEnd), at: now)
        case .stopping(let outcome, _): return self.end(outcome, at: now)
        case .collecting(let ending, let deadline, _):
            state = .collecting(ending, deadline, hasExited: true)
            return []
        case .leaving:
            state = .ended
            return [.disarmTimer, .vanish]
        case .approving, .queued, .ended: return []
        }
    }

    /// Handles the exit of the launcher. All processes that the launcher started were killed as well.
    package mutating func launcherLost(at now: Now) -> [Action] {
        let message = "intentd-launcher exited, which killed the run's processes"
        switch state {
        case .approving, .queued, .starting, .running, .asking: return end(.lost(message: message), at: now)
        case .collecting: return [.discardFiles] + end(.lost(message: message), at: now)
        case .stopping(let outcome, _): return end(outcome, at: now)
        case .leaving:
            state = .ended
            return [.disarmTimer, .vanish]
        case .ended: return []
        }
    }

    // MARK: Private

    /// SIGABRT (signal(7)).
    private static let abortSignal: Int32 = 6

    /// True if the process ended because it could not allocate memory: a runtime printed this and aborted the process
    /// (SIGABRT), or the process crashed when its private memory was used up.
    private func isOutOfMemory(_ end: ProcessEnd) -> Bool {
        if hasFailedToAllocate, end == .signaled(signal: Self.abortSignal) { return true }
        guard let crash, end == .signaled(signal: crash.signal), crash.memory?.isUsedUp == true else { return false }
        // A trap message names its cause. Code that unwraps the nil from a failed allocation prints "found nil".
        return trapMessage.map { $0.contains(utf8: "found nil") } ?? true
    }

    func outcome(of ending: WorkerEnding) -> RunOutcome {
        switch ending {
        case .returned(let value, let dialog): .done(value: value, dialog: dialog)
        case .threw(let message): .failed(message: message)
        case .needsValue(let parameter, let question): .unanswered(parameter: parameter, question: question)
        // A user declined a confirmation, and the intent stopped for that reason.
        case .threwCancellation where isDeclined: .cancelled(.userCancelled)
        // The run was not cancelled, so its CancellationError is treated like any other error.
        case .threwCancellation: .failed(message: "the intent cancelled itself (CancellationError)")
        }
    }

    private mutating func concludeCollecting(refusal: String?, at now: Now) -> [Action] {
        guard case .collecting(let ending, _, let hasExited) = state else { return [] }
        let outcome = refusal.map { RunOutcome.failed(message: $0) } ?? outcome(of: ending)
        let discarding: [Action] = refusal == nil ? [] : [.discardFiles]
        return discarding + (hasExited ? end(outcome, at: now) : leave(outcome, at: now))
    }

    /// Sends the worker the reason for stopping and the length of its grace period.
    private mutating func stop(_ outcome: RunOutcome, because reason: CancellationReason, at now: Now) -> [Action] {
        state = .stopping(outcome, .grace)
        return [
            .send(.cancel(reason, grace: grace)),
            .armTimer(at: .monotonic(now.monotonic + grace)),
            .publish(.state(.stopping, reason: reason)),
        ]
    }

    /// Announces the outcome, and acknowledges the result. The worker must then exit within the short grace period. The
    /// worker of a step may receive the acknowledgement later (``RunTable/mayLinger(_:)``).
    private mutating func leave(_ outcome: RunOutcome, at now: Now) -> [Action] {
        state = .leaving
        noteRuntime(at: now)
        return [.conclude(outcome), .send(.acknowledge), .armTimer(at: .monotonic(now.monotonic + limits.grace))]
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

    /// Sends SIGKILL to a run with an outcome that is already decided.
    mutating func killNow() -> [Action] {
        if case .stopping(let outcome, _) = state { state = .stopping(outcome, .killing) }
        account.signals.append(StopSignal.kill.rawValue)
        return [.disarmTimer, .signal(.kill)]
    }

    private mutating func noteRuntime(at now: Now) {
        if let processStart { account.runtime = .milliseconds((now.monotonic - processStart).milliseconds) }
    }
}
