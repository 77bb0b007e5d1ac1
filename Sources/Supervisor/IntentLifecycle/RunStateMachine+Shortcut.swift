import IntentLauncherMessages

/// The run of a shortcut, which has no worker.
extension RunStateMachine {
    /// Starts the run. It waits for no slot.
    mutating func conducted(at now: Now) -> [Action] {
        guard case .queued = state else { return [] }
        processStart = now.monotonic
        state = .running(Deadline(limits: limits, traits: traits, at: now))
        return [.publish(.state(.running, reason: nil))]
    }

    /// Ends the run: its steps have ended, and it returns no files.
    mutating func conductorEnded(_ ending: WorkerEnding, _ details: RunDetails?, at now: Now) -> [Action] {
        account.details = details
        switch state {
        case .running, .asking: return end(outcome(of: ending), at: now)
        case .stopping(let outcome, _): return end(outcome, at: now)
        case .approving, .queued, .starting, .collecting, .leaving, .ended: return []
        }
    }
}
