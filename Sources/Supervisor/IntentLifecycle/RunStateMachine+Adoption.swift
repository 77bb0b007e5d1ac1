import IntentLauncherMessages

/// Adoption: the run continues under another `intentd`.
extension RunStateMachine {
    /// Returns the run's note, or nil before the run has a process and after the run has ended.
    func note(of run: RunID, in slot: SlotID) -> RunNote? {
        let phase: RunNote.Phase
        var note = RunNote(run: run, slot: slot, phase: .starting)
        switch state {
        case .approving, .queued, .ended: return nil
        case .starting: phase = .starting
        case .running(let deadline):
            phase = .running
            note.deadline = deadline
        case .asking(let asked, let deadline, let since):
            phase = .asking
            note.deadline = deadline
            // The launcher repeats a question about a host, with a new number.
            let isAboutHost = asked.question.number >= Question.firstAboutHost
            note.question = isAboutHost ? max(1, lastQuestion) : asked.question.number
            note.questionSince = since
        case .collecting, .leaving: phase = .finishing
        case .stopping(let outcome, let stop):
            note.outcome = outcome
            switch stop {
            case .grace: phase = .grace
            case .terminating: phase = .terminating
            case .killing: phase = .killing
            }
        }
        note.phase = phase
        if note.question == nil, lastQuestion > 0 { note.question = lastQuestion }
        note.isDeclined = isDeclined && note.outcome == nil
        note.processStart = processStart
        note.lastAdvance = lastAdvance
        note.mark = mark
        note.expiredClock = expiredClock
        return note
    }

    /// Restores a run from its note. The run's clocks were stopped while no `intentd` was running.
    init(_ note: RunNote, limits: RunLimits, traits: IntentTraits, after absence: Duration, at now: Now) {
        self.init(limits: limits, traits: traits)
        processStart = note.processStart
        lastAdvance = note.lastAdvance
        mark = note.mark
        expiredClock = note.expiredClock
        isResuming = true
        isDeclined = note.isDeclined
        // The worker may not have received the answer to the newest question. In that case, it asks the question again,
        // so accept that question's number a second time.
        if let question = note.question, question > 0 { lastQuestion = question - 1 }
        let outcome = note.outcome ?? .lost(message: "intentd exited before it recorded why the run had to end")
        switch note.phase {
        case .starting: state = .starting
        case .running, .asking:
            // Only an invalid note has no deadline in this phase. Replace the missing deadline with a new one.
            var deadline = note.deadline ?? Deadline(limits: limits, traits: traits, at: now)
            if note.phase == .asking, let since = note.questionSince, let number = note.question {
                deadline.resume(after: now.monotonic - since)
                var end: Now.Boottime?
                if case .boottime(let instant)? = note.timer { end = instant + absence }
                heldQuestion = HeldQuestion(number: number, end: end ?? now.boottime + limits.questionTimeout)
            } else if note.deadline != nil {
                deadline.resume(after: absence)
            }
            state = .running(deadline)
        // Treat the run as running until the result arrives. The worker sends its result again to each intentd that
        // adopts the run.
        case .finishing: state = .running(Deadline(after: limits.runtime, at: now))
        case .grace: state = .stopping(outcome, .grace)
        case .terminating: state = .stopping(outcome, .terminating)
        case .killing: state = .stopping(outcome, .killing)
        }
    }

    /// Restores a run with a recorded end. Only the exit of the run's worker has not been reported yet.
    init(ended account: RunAccount, limits: RunLimits, traits: IntentTraits) {
        self.init(limits: limits, traits: traits)
        self.account = account
        state = .leaving
    }

    /// Resumes an adopted run. The caller must perform the returned actions before it handles any report from the
    /// worker.
    mutating func adopted(timer: Now.Monotonic?, at now: Now) -> [Action] {
        let timer = timer ?? now.monotonic
        switch state {
        case .starting: return [.send(.resume), .armTimer(at: .monotonic(timer))]
        case .running(let deadline):
            return [.send(.resume), .armTimer(at: .monotonic(deadline.instant))]
        case .stopping(let outcome, .grace):
            var reason = CancellationReason.timeout
            if case .cancelled(let why) = outcome { reason = why }
            // Send the cancellation even if the worker may already have received one: the worker keeps only the first
            // reason.
            let rest = max(timer - now.monotonic, .zero)
            return [.send(.resume), .send(.cancel(reason, grace: rest)), .armTimer(at: .monotonic(timer))]
        case .stopping(_, .terminating): return [.send(.resume), .armTimer(at: .monotonic(timer))]
        case .stopping(_, .killing): return [.signal(.kill)]
        case .leaving: return [.send(.acknowledge), .armTimer(at: .monotonic(now.monotonic + limits.grace))]
        case .approving, .queued, .asking, .collecting, .ended:
            preconditionFailure("an adopted run cannot be in this state")
        }
    }

    /// Handles the state that the worker reports in answer to `resume`.
    mutating func workerResumed(_ worker: WorkerState, at now: Now) -> [Action] {
        guard isResuming else { return violated("it reported its state without being asked", at: now) }
        isResuming = false
        switch (state, worker.hasBegun) {
        case (.starting, false): return [.send(.perform)]
        case (.starting, true):
            let phase: [Action] = worker.isInBackground ? backgroundChanged(.entered, at: now) : []
            return started(at: now) + phase
        case (.running(let deadline), true):
            guard deadline.isInBackground != worker.isInBackground else { return [] }
            return backgroundChanged(worker.isInBackground ? .entered : .left, at: now)
        case (.running, false): return violated("it contradicted its earlier report that the run began", at: now)
        case (.stopping, _), (.approving, _), (.queued, _), (.asking, _), (.collecting, _), (.leaving, _), (.ended, _):
            return []
        }
    }

    /// Ends a run that cannot continue, for a reason that is not the app's fault.
    mutating func abandon(_ message: String) -> [Action] {
        switch state {
        case .starting, .running, .asking: kill(.lost(message: message))
        case .stopping: killNow()
        case .approving, .queued, .collecting, .leaving, .ended: []
        }
    }
}
