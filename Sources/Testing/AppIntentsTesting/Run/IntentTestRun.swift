public import AppIntents
internal import IntentLauncherMessages
internal import IntentLinux
import Synchronization

/// The handle with which a test performs intents, and observes, controls and ends the runs.
///
/// Obtain an instance from ``withIntentRun(dependencies:clock:answers:limits:locale:patience:_:)``. A test performs one
/// intent at a time. Each call to ``perform(_:)`` is a separate run.
public final class IntentTestRun: Sendable {
    /// The test's clock, for code that takes a `Clock`.
    public let clock: VirtualClock

    /// The intents' dependencies, available inside the test as `AppDependencyManager.shared`.
    public var dependencies: AppDependencyManager { surroundings.dependencies }

    /// The run folder, which contains the files that a run returns.
    public var directory: String { surroundings.directory }

    /// The app's state folder, as `IntentState.directory` returns it in a run. It is empty when the test begins.
    public var stateDirectory: String { surroundings.stateDirectory }

    let surroundings: RunSurroundings
    let isSkipping: Bool
    let answers: IntentAnswers
    let limits: RunLimits
    let patience: Duration
    let state = Mutex(TestState())

    init(
        surroundings: RunSurroundings,
        clock: VirtualClock,
        isSkipping: Bool,
        answers: IntentAnswers,
        limits: RunLimits,
        patience: Duration
    ) {
        self.surroundings = surroundings
        self.clock = clock
        self.isSkipping = isSkipping
        self.answers = answers
        self.limits = limits
        self.patience = patience
        let anyClock: any Clock<Duration> = clock
        surroundings.dependencies.add(dependency: anyClock)
    }

    /// Registers a value under its dynamic type.
    func add(_ dependency: some Sendable) {
        surroundings.dependencies.add(dependency: dependency)
    }

    // MARK: Performing

    /// Performs an intent with the current values of its parameters, and returns the end of the run.
    ///
    /// The values are treated like values that a client sends: they are checked, entities are looked up by identifier,
    /// and files are passed as read-only descriptors. Dependencies that the test has assigned to the intent's
    /// properties are kept.
    ///
    /// `intentd` kills the process of a run that exceeds its grace period. In a test, the tasks of such a run continue,
    /// but no longer affect the test. See ``IntentEnd/isKilled``.
    ///
    /// - Throws: ``IntentTestError`` when another run of this test is in progress, when nothing happens within the
    ///   test's `patience`, or when the table of answers has no answer to a question; the error that the closure for
    ///   answers throws; `CancellationError` when the task is cancelled.
    public func perform<Intent: AppIntent>(_ intent: Intent) async throws -> IntentEnd<Intent.PerformResult.Value> {
        let name = Intent.persistentIdentifier
        let (run, end) = try await perform(name, traits: InProcessRun.traits(of: Intent.self)) { $0.start(intent) }
        do {
            return IntentEnd(end.outcome, facts: end.facts, value: try run.value(of: Intent.PerformResult.Value.self))
        } catch {
            throw IntentTestError("cannot read the value that '\(name)' returned: \(error)")
        }
    }

    /// Undoes the last run, as `intentctl undo` does: performs the intent that the run registered, in a new run.
    ///
    /// - Throws: ``IntentTestError`` when the last run registered no intent that undoes it; otherwise the errors that
    ///   ``perform(_:)`` throws.
    @discardableResult
    public func undo() async throws -> IntentEnd<Never> {
        let last = state.withLock { state in
            defer { state.undo = nil }
            return state.undo
        }
        guard let last, let type = last.intent, let reference = last.offer.intent else {
            throw IntentTestError(
                """
                cannot undo the last run: it registered \
                \(last == nil ? "no undo" : "only closures, which exist only in the run's process"). \
                Register an intent with undoManager?.registerUndo(performing:)
                """
            )
        }
        let (_, end) = try await perform(reference.intent, traits: InProcessRun.traits(of: type)) {
            $0.start(type, values: reference.values)
        }
        var outcome = end.outcome
        if case .done(_, let dialog) = outcome { outcome = .done(value: nil, dialog: dialog) }
        return IntentEnd(outcome, facts: end.facts, value: nil)
    }

    private func perform(
        _ name: String,
        traits: IntentTraits,
        _ start: (InProcessRun) -> Void
    ) async throws -> (InProcessRun, TestRunEnd) {
        let executor = RunExecutor { [weak self] in self?.signal() }
        let run = InProcessRun(in: surroundings, on: executor) { [weak self] in self?.signal() }
        let refuses = if case .unavailable = answers.source { true } else { false }
        let hasBegun = state.withLock { state in
            guard state.current == nil else { return false }
            let simulation = RunSimulation(
                limits: limits,
                traits: traits,
                refusesQuestions: refuses,
                at: clock.now.sinceStart
            )
            state.begin(CurrentRun(name: name, run: run, executor: executor, simulation: simulation))
            return true
        }
        guard hasBegun else {
            throw IntentTestError(
                """
                cannot perform '\(name)': another run of this test is in progress. \
                Wait until it has ended, or use another withIntentRun
                """
            )
        }
        clock.follow(executor)
        start(run)
        state.withLock { if $0.current?.run === run { $0.current?.isStarted = true } }
        signal()
        return (run, try await end(of: run, name))
    }

    // MARK: Controlling the run

    /// Cancels the run with a reason. Only the first reason is kept, as in `intentd`.
    ///
    /// The run receives the reason immediately, and its grace period begins. A request before the first run takes
    /// effect when that run begins. A request between two runs has no effect.
    public func cancel(_ reason: IntentCancellationReason = .userCancelled) {
        state.withLock { $0.requests.append(.cancel(CancellationReason(name: "\(reason)"))) }
        signal()
    }

    /// Advances the clock by a duration. The clock stops at each instant at which a sleep ends or a limit expires, in
    /// order.
    ///
    /// The call returns immediately. Before each step, the clock waits until the run is *idle* so that no work is
    /// skipped:
    ///
    /// - No code in the run's tasks, their child tasks, or the actors that they call is running or ready to run.
    /// - The main actor has executed all jobs that were ready.
    /// - Each task of a cancellation handler is sleeping on the clock or has ended.
    /// - No code is executing inside ``VirtualClock/hold(while:)``. Use `hold(while:)` for work outside the run's
    ///   tasks, such as a network call.
    /// - Each task outside the run's task tree (`Task { }`) is sleeping on the clock, or none of these tasks has shown
    ///   any activity for 0.2 s of real time. Detached tasks are not observed.
    ///
    /// A run is also idle while it is waiting for an answer, a continuation, or the real time of `Task.sleep(for:)`. A
    /// request before the first run takes effect when that run begins. For later runs, see ``begun()``.
    public func advance(by duration: Duration) {
        state.withLock { state in
            let now = clock.now.sinceStart
            state.target = max(state.target ?? now, now) + max(duration, .zero)
        }
        signal()
    }

    /// Answers the open question.
    ///
    /// - Throws: ``IntentTestError`` when no question is open, or the answer is invalid for the question.
    public func answer(_ answer: IntentAnswer) throws {
        guard let question = state.withLock({ $0.current?.simulation.openQuestion }) else {
            throw IntentTestError("cannot answer: no question is open. Wait for question() first")
        }
        let (value, files) = try answer.accepted(for: question, directory: directory)
        state.withLock { $0.requests.append(.answer(question.number, value, files)) }
        signal()
    }
}
