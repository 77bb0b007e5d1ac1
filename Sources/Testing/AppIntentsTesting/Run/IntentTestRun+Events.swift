internal import AppIntents
internal import IntentLauncherMessages
internal import IntentLinux
import Synchronization

/// Handles the run's reports and the test's requests, in order, in one task.
extension IntentTestRun {
    /// Handles the test's pending requests and the run's pending reports. Returns false if none were pending.
    func handleEvents() -> Bool {
        // Leave the events pending: the run signals again when it has started, and they are handled then.
        if state.withLock({ $0.current?.isStarted == false }) { return false }
        guard let current = state.withLock({ $0.current }) else {
            // Discard requests that were made between two runs. Keep requests that were made before the first run,
            // because they apply to it.
            state.withLock { if $0.hasBegun { $0.requests = [] } }
            return false
        }
        let requests = state.withLock { state in
            defer { state.requests = [] }
            return state.requests
        }
        for request in requests {
            switch request {
            case .cancel(let reason): apply { $0.handle(.cancelled(reason), at: $1) }
            case .answer(let number, let value, let files): answer(number, value, files)
            }
        }
        let reports = current.run.nextReports()
        for report in reports {
            apply { $0.handle(.reported(report), at: $1) }
            if case .question(let question) = report { answerAtOnce(question) }
        }
        var hasResult = false
        if let result = current.run.result, state.withLock({ $0.current?.hasResult == false }) {
            hasResult = true
            // Handle the reports that arrived between the loop above and the result, because they precede the result.
            for report in current.run.nextReports() { apply { $0.handle(.reported(report), at: $1) } }
            state.withLock { $0.current?.hasResult = true }
            apply { $0.handle(.reported(.finished(result)), at: $1) }
        }
        let hasHandled = !requests.isEmpty || !reports.isEmpty || hasResult
        if hasHandled { state.withLock { $0.activity += 1 } }
        return hasHandled
    }

    /// Changes the simulation, and applies the resulting effects to the run.
    func apply(_ change: (inout RunSimulation, Duration) -> [RunSimulation.Effect]) {
        let now = clock.now.sinceStart
        let (run, effects) = state.withLock { state -> (InProcessRun?, [RunSimulation.Effect]) in
            guard var current = state.current else { return (nil, []) }
            let effects = change(&current.simulation, now)
            state.current = current
            return (current.run, effects)
        }
        for effect in effects {
            switch effect {
            case .cancel(let reason, let grace):
                let end = now + grace
                run?.cancel(reason, graceRemaining: { [clock] in end - clock.now.sinceStart })
            case .answer(let number, let value): run?.answer(number, value)
            case .refuse(let number): run?.answer(number, nil)
            }
        }
        endIfOver()
    }

    private func answer(_ number: UInt64, _ value: IntentLauncherMessages.IntentValue, _ files: [SharedFileDescriptor])
    {
        let now = clock.now.sinceStart
        let run = state.withLock { state -> InProcessRun? in
            guard var current = state.current, current.simulation.openQuestion?.number == number else { return nil }
            _ = current.simulation.handle(.answered(number, value), at: now)
            state.current = current
            return current.run
        }
        run?.answer(number, value, files: files)
    }

    /// Answers a question from the test's table or closure.
    private func answerAtOnce(_ question: Question) {
        guard case .closure(let answer) = answers.source,
            state.withLock({ $0.current?.simulation.openQuestion?.number == question.number })
        else { return }
        do {
            guard let answer = try answer(IntentTestQuestion(question)) else { return }
            let (value, files) = try answer.accepted(for: question, directory: directory)
            self.answer(question.number, value, files)
        } catch {
            state.withLock { $0.current?.failure = error }
            apply { $0.handle(.cancelled(.userCancelled), at: $1) }
        }
    }

    private func endIfOver() {
        state.withLock { state in
            guard let current = state.current, current.simulation.hasEnded, let outcome = current.simulation.outcome
            else {
                return
            }
            let result = current.run.result
            let ended = TestRunEnd(
                run: current.run,
                outcome: outcome,
                facts: RunFacts(
                    progress: current.simulation.progress,
                    duration: clock.now.sinceStart - current.simulation.start,
                    isKilled: current.simulation.isKilled,
                    expiredClock: current.simulation.expiredClock,
                    details: result?.details,
                    error: current.run.error,
                    places: current.simulation.expiredClock == nil ? nil : .ofOwnRun()
                ),
                failure: current.failure
            )
            state.last = ended
            state.ends[ObjectIdentifier(current.run)] = ended
            state.undo = if case .done = outcome { current.run.undo } else { nil }
            state.current = nil
        }
    }

    /// Resumes each waiter if its condition is true or can no longer become true.
    func resumeWaiters(areIdle: Bool = false) {
        let sleeperCount = clock.sleeperCount
        let (ready, late, last) = state.withLock { state in
            var ready: [TestState.Waiter] = []
            var late: [TestState.Waiter] = []
            for waiter in state.waiters {
                if case .sleepers(let count) = waiter.condition, sleeperCount >= count {
                    ready.append(waiter)
                    continue
                }
                // Keep a waiter that began between two runs: another task of the test may be about to begin a run.
                if state.current == nil, let end = waiter.nextRunDeadline, end > .now { continue }
                switch state.holds(waiter.condition) {
                case true?: ready.append(waiter)
                case nil: late.append(waiter)
                case false?: if areIdle, waiter.condition == .idle { ready.append(waiter) }
                }
            }
            let resumed = Set((ready + late).map(\.number))
            state.waiters.removeAll { resumed.contains($0.number) }
            return (ready, late, state.last)
        }
        for waiter in ready { waiter.continuation.resume() }
        for waiter in late { waiter.continuation.resume(throwing: unreachable(waiter.condition, last)) }
    }
}
