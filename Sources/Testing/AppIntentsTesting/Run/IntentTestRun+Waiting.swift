internal import AppIntents
import Glibc
internal import IntentLauncherMessages
import Synchronization

/// Waits for a run's progress, questions and end.
extension IntentTestRun {
    /// The latest progress of the run.
    public var progress: IntentTestProgress { IntentTestProgress(state.withLock { $0.progress }) }

    /// Waits until the run has completed a number of units.
    ///
    /// - Throws: ``IntentTestError`` when the run ends first, or nothing happens within the test's `patience`.
    public func progress(reaches count: Int64) async throws {
        try await wait(for: .units(count), "its progress reached \(count) units")
    }

    /// Waits until the run has completed a fraction of its work, from 0 to 1.
    ///
    /// - Throws: ``IntentTestError`` when the run ends first, or nothing happens within the test's `patience`.
    public func progress(reachesFraction fraction: Double) async throws {
        try await wait(for: .fraction(fraction), "its progress reached \(fraction)")
    }

    /// Waits until the run asks a question, and returns the question. The question stays open until ``answer(_:)``
    /// answers it.
    ///
    /// - Throws: ``IntentTestError`` when the run ends first, or nothing happens within the test's `patience`.
    public func question() async throws -> IntentTestQuestion {
        while true {
            try await wait(for: .question, "it asked a question")
            // If the question was closed before this task resumed, wait for the next question.
            if let question = state.withLock({ $0.current?.simulation.openQuestion }) {
                return IntentTestQuestion(question)
            }
        }
    }

    /// Waits until all requested time has passed and the run is idle or has ended. ``advance(by:)`` defines *idle*.
    ///
    /// - Throws: ``IntentTestError`` when the run stays busy for longer than the test's `patience`.
    public func idle() async throws {
        try await wait(for: .idle, "it was idle")
    }

    /// Waits until a run is in progress. A test that performs a second intent with `async let` calls this method before
    /// it controls the second run.
    ///
    /// - Throws: ``IntentTestError`` when nothing happens within the test's `patience`.
    public func begun() async throws {
        try await wait(for: .run, "a run began")
    }

    /// Waits until a number of tasks are sleeping on the clock.
    ///
    /// - Throws: ``IntentTestError`` when nothing happens within the test's `patience`.
    public func sleepers(reach count: Int) async throws {
        try await wait(for: .sleepers(count), "\(count) tasks slept on the clock")
    }

    func end(of run: InProcessRun, _ name: String) async throws -> TestRunEnd {
        do {
            try await wait(for: .end(ObjectIdentifier(run)), "it ended")
        } catch {
            // The wait failed, so stop the run and ignore its end.
            abandon(run)
            throw error
        }
        guard let ended = state.withLock({ $0.ends.removeValue(forKey: ObjectIdentifier(run)) }) else {
            preconditionFailure("the wait for the end of '\(name)' returned before the run ended")
        }
        if let failure = ended.failure { throw failure }
        return ended
    }

    private func abandon(_ run: InProcessRun) {
        let isCurrent = state.withLock { state in
            guard state.current?.run === run else { return false }
            state.current = nil
            return true
        }
        if isCurrent { run.cancel(.userCancelled, graceRemaining: { .zero }) }
    }

    // MARK: Private

    private func wait(for condition: TestState.Condition, _ what: String) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.suspend(until: condition, what) }
            group.addTask { try await self.outlastPatience(for: condition, what) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func suspend(until condition: TestState.Condition, _ what: String) async throws {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        // If the wait is cancelled after it has ended, the cancellation handler adds a number that no wait removes.
        defer { state.withLock { _ = $0.cancelledWaiters.remove(number) } }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    let isForRun =
                        switch condition {
                        case .units, .fraction, .question: true
                        case .run, .sleepers, .idle, .end: false
                        }
                    let isBetweenRuns = isForRun && state.current == nil && state.last != nil
                    if state.cancelledWaiters.remove(number) != nil { return true }
                    state.waiters.append(
                        TestState.Waiter(
                            number: number,
                            condition: condition,
                            nextRunDeadline: isBetweenRuns ? .now + Self.nextRunPatience : nil,
                            continuation: continuation
                        )
                    )
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) } else { signal() }
            }
        } onCancel: {
            let waiter = state.withLock { state -> TestState.Waiter? in
                guard let index = state.waiters.firstIndex(where: { $0.number == number }) else {
                    state.cancelledWaiters.insert(number)
                    return nil
                }
                return state.waiters.remove(at: index)
            }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Returns the error for a waiter with a condition that can no longer become true.
    func unreachable(_ condition: TestState.Condition, _ last: TestRunEnd?) -> IntentTestError {
        let end = last.map { IntentEnd<Never>($0.outcome, facts: $0.facts, value: nil) }
        let what =
            switch condition {
            case .units(let count): "its progress reached \(count) units"
            case .fraction(let fraction): "its progress reached \(fraction)"
            case .question: "it asked a question"
            case .sleepers, .run, .idle, .end: "the condition was met"
            }
        let progress = IntentTestProgress(last?.facts.progress)
        return IntentTestError(
            "the run ended before \(what): \(end.map { "\($0)" } ?? "it was abandoned"), at \(progress)"
        )
    }

    /// The real time within which the next run must begin, for a wait that begins between two runs.
    private static let nextRunPatience: Duration = .seconds(1)

    /// Throws an error when nothing has happened within the test's `patience`.
    private func outlastPatience(for condition: TestState.Condition, _ what: String) async throws {
        // A wait that began between two runs expires after this time. Wake the task that ends expired waits.
        try await Task.sleep(for: Self.nextRunPatience, clock: .continuous)
        signal()
        var seen: (UInt64, UInt64)?
        while true {
            let (now, isSecondary) = state.withLock { state in
                let activity = (state.activity, state.current?.executor.activity ?? 0)
                // While another task of the test is waiting, do not fail the wait for the run's end: the other task's
                // error is more useful.
                return (activity, condition.isEnd && state.waiters.contains { !$0.condition.isEnd })
            }
            if let seen, seen == now, !isSecondary { break }
            seen = now
            try await Task.sleep(for: patience, clock: .continuous)
        }
        // Code of the main actor, which the run calls, may hang in place of the run's own.
        let executor = state.withLock { $0.current?.executor }
        let places = executor.map { RunPlaces.ownThreads($0.thread ?? getpid()) } ?? ""
        throw IntentTestError("nothing happened for \(patience) before \(what): \(situation)\(places)")
    }

    /// The state of the run, for the error message of a wait that exceeds the test's `patience`.
    private var situation: String {
        let sleepers = clock.sleeperCount
        return state.withLock { state in
            guard let current = state.current else {
                return state.hasBegun ? "the run has ended" : "no run has begun. Perform an intent with async let"
            }
            var parts = ["'\(current.name)' is at \(IntentTestProgress(current.simulation.progress))"]
            if current.executor.isBusy { parts.append("its code is still running") }
            if current.run.isCleaningUp { parts.append("a task of its cancellation handler is still running") }
            if clock.isHeld { parts.append("the clock is held (VirtualClock.hold)") }
            if let question = current.simulation.openQuestion {
                parts.append("it asks \(IntentTestQuestion(question)). Call answer(_:)")
            } else if sleepers > 0 {
                parts.append(
                    "\(sleepers == 1 ? "a task sleeps" : "\(sleepers) tasks sleep") on the clock. "
                        + "Let time pass with advance(by:)"
                )
            } else {
                parts.append("it is waiting for something other than time. Call advance(by:) to reach its limit")
            }
            return parts.joined(separator: "; ")
        }
    }
}
