import IntentDaemon
import IntentLifecycle
import IntentLinux
import IntentWire

/// A look at where a worker is, in good time before its limit ends it: a timeout then comes with its explanation.
extension Supervisor {
    /// Of a limit, when the worker is looked at.
    private static let share = 0.8
    /// Shorter ones leave no time in which anything could be seen.
    private static let shortestNanoseconds: Int64 = 250_000_000

    /// The instant at which the timer is set: where a run's limit is far enough, that of the look before it.
    func observing(_ timer: RunTable.TimerID, before instant: Now.Instant) -> Now.Instant {
        guard case .run(let run) = timer else { return instant }
        // The deadline of a question is on the other clock: it ends the run without a look.
        guard case .monotonic(let end) = instant, history != nil, runTable.deadline(of: run) == end else {
            observations[run] = nil
            return instant
        }
        let now = ClockReading.monotonicNanoseconds()
        let rest = end.nanoseconds - now
        guard rest >= Self.shortestNanoseconds else {
            observations[run] = nil
            return instant
        }
        observations[run] = end
        return .monotonic(Now.Monotonic(nanoseconds: now + Int64(Double(rest) * Self.share)))
    }

    /// Looks at the worker when the timer was set for that, and sets it to its end.
    ///
    /// - Returns: False when the limit itself is reached.
    func observe(_ timer: RunTable.TimerID) -> Bool {
        guard case .run(let run) = timer, let end = observations.removeValue(forKey: run) else { return false }
        // The launcher looks: a worker has another user.
        if let slot = runTable.slot(of: run) { launcher?.send(.observe(slot: slot)) }
        armAtOnce(timer, at: end)
        return true
    }

    func observed(_ slot: SlotID, _ seen: WorkerObservation) {
        // It may have ended since it was asked for.
        guard let run = runTable.run(of: slot), workers[slot] != nil else { return }
        put(RunRecord(run, .observed(seen)))
        sendRecords()
    }

    /// How late a run's limit is enforced.
    func noteLateness(of timer: RunTable.TimerID) {
        guard case .run(let run) = timer, let end = runTable.deadline(of: run) else { return }
        let lateness = ClockReading.monotonicNanoseconds() - end.nanoseconds
        if lateness >= 0 { metrics.overshot(nanoseconds: lateness) }
    }
}
