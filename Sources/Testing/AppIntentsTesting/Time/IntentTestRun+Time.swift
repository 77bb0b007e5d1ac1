internal import AppIntents
internal import IntentLauncherMessages
internal import IntentLinux
import Synchronization

/// Advances time: one task per test handles the run's reports, and moves the clock when the run is idle.
extension IntentTestRun {
    /// Attaches the clock to this test. Returns the stream of wake-ups for the task that moves the clock.
    func beginTime() throws(IntentTestError) -> AsyncStream<Void> {
        let (wakeUps, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        guard clock.attach({ wake.yield() }) else {
            throw IntentTestError("another test uses this clock; create a VirtualClock for each test")
        }
        state.withLock { $0.wake = wake }
        return wakeUps
    }

    /// Cleans up after the test: cancels a run that is still in progress, and ends all sleeps on the clock.
    func endTime() {
        let (current, waiters, wake) = state.withLock { state in
            defer {
                state.current = nil
                state.waiters = []
                state.wake = nil
            }
            return (state.current, state.waiters, state.wake)
        }
        current?.run.cancel(.userCancelled, graceRemaining: { .zero })
        for waiter in waiters { waiter.continuation.resume(throwing: CancellationError()) }
        clock.detach()
        wake?.finish()
    }

    /// Wakes the task that moves the clock.
    func signal() {
        state.withLock { state in
            state.activity += 1
            return state.wake
        }?.yield()
    }

    /// Handles events and moves the clock until the test ends.
    func advanceUntilEnd(_ wakeUps: AsyncStream<Void>) async {
        for await _ in wakeUps {
            while await advanceOnce() {}
        }
    }

    /// Handles all pending events, and then moves the clock by one step if the run is idle. Returns false when there is
    /// nothing to do until the next wake-up.
    private func advanceOnce() async -> Bool {
        if handleEvents() { return true }
        resumeWaiters()
        let isAwaited = state.withLock { state in state.waiters.contains { $0.condition == .idle } }
        guard nextStep() != nil || isAwaited else { return false }
        switch await idleness() {
        case .busy: return false
        case .changed: return true
        case .idle: break
        }
        if handleEvents() { return true }
        guard let step = nextStep() else {
            resumeWaiters(areIdle: true)
            return false
        }
        execute(step)
        return true
    }

    // MARK: Idle

    private enum Idleness {
        case idle
        /// The run's code is executing. A wake-up follows when it stops.
        case busy
        /// An event occurred during the check.
        case changed
    }

    /// Determines whether the run is idle, as defined at ``advance(by:)``.
    private func idleness() async -> Idleness {
        let current = state.withLock { $0.current }
        let activity = current?.executor.activity
        guard !isBusy(current) else { return .busy }
        // When these jobs have run, all jobs that were ready on the main actor and on the threads of the Swift runtime
        // have begun.
        await MainActor.run {}
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask {} }
        }
        guard !isBusy(current) else { return .busy }
        guard current?.executor.activity == activity else { return .changed }
        return isQuiet(current) ? .idle : .busy
    }

    /// The number and the length of the rounds for which tasks outside the run's task tree must be inactive. Each round
    /// ends with a job on the threads of the Swift runtime. Rounds therefore last longer while these threads are
    /// overloaded.
    private static let quietRounds = (count: 20, length: Duration.milliseconds(10))

    /// Returns true if each task outside the run's task tree is sleeping on the clock or has been inactive for long
    /// enough.
    private func isQuiet(_ current: CurrentRun?) -> Bool {
        guard let current, let scene = scene(of: current) else { return true }
        let known = state.withLock { state -> Bool? in
            if let quiet = state.quiet, quiet.scene == scene { return quiet.isOver }
            state.quiet = TestState.Quiet(scene: scene, isOver: false)
            return nil
        }
        if let known { return known }
        Task { [weak self] in
            for _ in 0..<Self.quietRounds.count {
                // The sleep fails only if this task is cancelled, which never happens.
                try? await Task.sleep(for: Self.quietRounds.length, clock: .continuous)
                guard let self, self.scene(of: current) == scene else { break }
            }
            self?.endQuiet(of: current, scene)
        }
        return false
    }

    private func endQuiet(of current: CurrentRun, _ scene: TestState.Scene) {
        let isUnchanged = self.scene(of: current) == scene
        state.withLock { state in
            guard let quiet = state.quiet, quiet.scene == scene else { return }
            state.quiet = isUnchanged ? TestState.Quiet(scene: scene, isOver: true) : nil
        }
        signal()
    }

    /// Returns a snapshot of the activity of tasks outside the run's task tree; nil if each of them is sleeping on the
    /// clock.
    private func scene(of current: CurrentRun) -> TestState.Scene? {
        let (sleeping, sleeps) = clock.looseSleepers
        let loose = current.run.looseTaskCount
        guard loose > sleeping else { return nil }
        return TestState.Scene(loose: loose, sleeps: sleeps, activity: current.executor.activity)
    }

    private func isBusy(_ current: CurrentRun?) -> Bool {
        if clock.isHeld { return true }
        guard let current else { return false }
        return !current.isStarted || current.executor.isBusy || current.run.isCleaningUp && !clock.hasCleanupSleeper
    }

    // MARK: Steps

    private enum Step {
        /// Sleeps end at the instant.
        case sleeps(VirtualClock.Instant)
        /// One of the run's limits expires at the instant.
        case limit(Duration)
        /// No sleep ends and no limit expires before the instant to which the test advances the clock.
        case end(Duration)
    }

    /// Returns the next step of the clock; nil when the clock must not advance.
    private func nextStep() -> Step? {
        let wake = clock.nextWake
        return state.withLock { state -> Step? in
            guard state.hasBegun else { return nil }
            let isAsking = state.current?.simulation.openQuestion != nil
            let isFree = isSkipping && state.current != nil && !isAsking
            guard let end = state.target ?? (isFree ? Duration.seconds(Int64.max) : nil) else { return nil }
            let limit = state.current?.simulation.timer
            // Sleeps end before a limit that expires at the same instant: the awakened task may report progress.
            if let wake, wake.sinceStart <= min(limit ?? end, end) { return .sleeps(wake) }
            if let limit, limit <= end { return .limit(limit) }
            return state.target.map { .end($0) }
        }
    }

    private func execute(_ step: Step) {
        switch step {
        case .sleeps(let instant): clock.move(to: instant)
        case .limit(let instant):
            clock.move(to: VirtualClock.Instant(sinceStart: instant))
            apply { simulation, now in simulation.handle(.timerFired, at: now) }
        case .end(let instant):
            clock.move(to: VirtualClock.Instant(sinceStart: instant))
            state.withLock { state in
                // The test may have requested more time since the step was selected.
                if state.target == instant { state.target = nil }
            }
        }
        state.withLock { $0.activity += 1 }
    }
}
