import IntentDaemon
import IntentLauncherMessages
import IntentLifecycle
import IntentLinux
import IntentSystemd

/// The timers for limits. Shortly before a limit ends a run, the launcher inspects the worker's threads, so that the
/// timeout can be explained.
///
/// Must be used only on the event loop's thread.
final class RunTimers {
    /// The fraction of a limit after which the worker is observed.
    private static let share = 0.8
    /// The shortest limit that leaves time for an observation.
    private static let shortestNanoseconds: Int64 = 250_000_000

    private let loop: EventLoop
    private let journal: Journal
    private let decisions: RunDecisions
    private let workers: WorkerLinks
    private let launcher: LauncherConnection
    /// True if workers are observed. Observations are only recorded, so they are useless without a history.
    private let observes: Bool
    /// Called when a run's limit is enforced, with the delay in nanoseconds.
    private let late: (Int64) -> Void
    private var timers: [RunTable.TimerID: ArmedTimer] = [:]
    /// The deadlines of the runs for which an observation is due before the deadline.
    private var observations: [RunID: Now.Monotonic] = [:]

    init(
        on loop: EventLoop,
        journal: Journal,
        decisions: RunDecisions,
        workers: WorkerLinks,
        launcher: LauncherConnection,
        observes: Bool,
        late: @escaping (Int64) -> Void
    ) {
        self.loop = loop
        self.journal = journal
        self.decisions = decisions
        self.workers = workers
        self.launcher = launcher
        self.observes = observes
        self.late = late
    }

    func arm(_ timer: RunTable.TimerID, at instant: Now.Instant) {
        set(timer, to: observing(timer, before: instant))
    }

    func disarm(_ timer: RunTable.TimerID) {
        timers[timer] = nil
        if case .run(let run) = timer { observations[run] = nil }
    }

    private func set(_ timer: RunTable.TimerID, to instant: Now.Instant) {
        do {
            if try timers[timer]?.move(to: instant) == true { return }
            timers[timer] = try ArmedTimer(instant, on: loop) { [weak self] in self?.fired(timer) }
        } catch {
            // A run must not continue without a limit.
            journal.write(
                .error,
                "cannot arm the timer for a limit (\(error)); ending the run as if it had reached the limit"
            )
            decisions.handle(.timerFired(timer))
        }
    }

    private func fired(_ timer: RunTable.TimerID) {
        if observe(timer) { return }
        guard case .run(let run) = timer, let slot = decisions.table.slot(of: run) else {
            return decisions.handle(.timerFired(timer))
        }
        // Read the reports that the worker sent before its limit, because they count even if they were still
        // unread.
        workers[slot]?.receivePending()
        if timers[timer]?.isAhead == true { return }
        if let end = decisions.table.deadline(of: run) {
            let lateness = ClockReading.monotonicNanoseconds() - end.nanoseconds
            if lateness >= 0 { late(lateness) }
        }
        let isHeld = workers.waitsForDebugger(slot) || workers[slot]?.isTraced == true
        decisions.handle(isHeld ? .heldByDebugger(run) : .timerFired(timer))
    }

    /// Returns the instant for which to arm the timer: the time of the observation if the limit is far enough away,
    /// otherwise the limit.
    private func observing(_ timer: RunTable.TimerID, before instant: Now.Instant) -> Now.Instant {
        guard case .run(let run) = timer else { return instant }
        // The deadline of a question is on CLOCK_BOOTTIME, and needs no observation.
        guard case .monotonic(let end) = instant, observes, decisions.table.deadline(of: run) == end else {
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

    /// If the timer was armed for an observation, requests the observation, and arms the timer for the limit.
    ///
    /// - Returns: False if the limit itself is reached.
    private func observe(_ timer: RunTable.TimerID) -> Bool {
        guard case .run(let run) = timer, let end = observations.removeValue(forKey: run) else { return false }
        // The launcher observes the worker, because the worker runs as another user.
        if let slot = decisions.table.slot(of: run) { launcher.send(.observe(slot: slot)) }
        set(timer, to: .monotonic(end))
        return true
    }
}
