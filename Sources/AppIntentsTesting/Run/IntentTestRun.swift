public import AppIntents
internal import IntentLinux
internal import IntentWire
import Synchronization

/// Performs intents in a test, and is what the test uses to watch, steer and end them.
///
/// ``withIntentRun(dependencies:clock:answers:limits:locale:patience:_:)`` creates it. A test performs one intent after
/// another; each is a run of its own.
public final class IntentTestRun: Sendable {
    /// The clock of the test, for code that takes a `Clock`.
    public let clock: VirtualClock

    /// The dependencies of the intents, which `AppDependencyManager.shared` means inside the test.
    public var dependencies: AppDependencyManager { surroundings.dependencies }

    /// The run directory, in which a run leaves the files of its result.
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

    /// Performs an intent, with the values that its parameters have, and returns how the run ended.
    ///
    /// The values are sent as a client sends them: they are checked, entities are found by their identifiers, and files
    /// become read-only descriptors. Dependencies that the test has set on the intent itself stay.
    ///
    /// If the run must stop and has not ended by the end of its grace period, `intentd` would kill its process. Here its
    /// tasks continue without effect on the test: see ``IntentEnd/isKilled``.
    ///
    /// - Throws: ``IntentTestError`` when another run of this test is in progress, when the run waits longer than the
    ///   test's patience, or when the answers have none for a question; `CancellationError` when the task is cancelled.
    public func perform<Intent: AppIntent>(
        _ intent: Intent
    ) async throws -> IntentEnd<Intent.PerformResult.Value> {
        let name = Intent.persistentIdentifier
        let (run, end) = try await perform(name, traits: InProcessRun.traits(of: Intent.self)) { $0.start(intent) }
        do {
            return IntentEnd(end.outcome, facts: end.facts, value: try run.value(of: Intent.PerformResult.Value.self))
        } catch {
            throw IntentTestError("cannot read the value that '\(name)' returned: \(error)")
        }
    }

    /// Undoes the last run, as `intentctl undo` does: performs the intent that the run registered, as a run of its own.
    ///
    /// - Throws: ``IntentTestError`` when the last run registered no intent; the errors of ``perform(_:)``.
    @discardableResult
    public func undo() async throws -> IntentEnd<Never> {
        let last = state.withLock { state in
            defer { state.undo = nil }
            return state.undo
        }
        guard let last, let type = last.intent, let reference = last.offer.intent else {
            throw IntentTestError(
                """
                cannot undo the last run: it registered \(last == nil ? "no undo" : "only closures, which end with its process"). \
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
    ) async throws -> (InProcessRun, EndedRun) {
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
                "cannot perform '\(name)': another run of this test is in progress; wait for its end, or use another withIntentRun"
            )
        }
        clock.follow(executor)
        start(run)
        state.withLock { if $0.current?.run === run { $0.current?.isStarted = true } }
        signal()
        return (run, try await end(of: run, name))
    }

    // MARK: Steering

    /// Cancels the run: as the user does, or for another reason. Only the first reason counts, as in `intentd`.
    ///
    /// The run receives the reason at once, and has its grace period. Before the first run has begun, the request waits for it.
    /// Between two runs, it has no effect.
    public func cancel(_ reason: IntentCancellationReason = .userCancelled) {
        state.withLock { $0.requests.append(.cancel(CancellationReason(name: "\(reason)"))) }
        signal()
    }

    /// Lets time pass: to each instant at which a sleep on the clock ends or a limit of the run expires, in order, and then
    /// to the end of the duration.
    ///
    /// The call returns at once. Before each step, time stands still until the run is *idle*, so that it never skips work:
    ///
    /// - No code of the run's tasks, of their child tasks and of actors that they call runs or is ready to run.
    /// - The main actor has run everything that was ready.
    /// - No task of a cancellation handler is active, unless it sleeps on the clock.
    /// - No code is inside ``VirtualClock/hold(while:)``. Use it around work that the run waits for and that happens
    ///   elsewhere, such as a call over a network.
    /// - Each task outside the run's tree (`Task { }`) sleeps on the clock, or none of them has done anything that the test
    ///   can see for a fifth of a second of real time. Detached tasks are not seen.
    ///
    /// A run that waits for anything else is idle: for an answer, for a continuation, or for the real time of
    /// `Task.sleep(for:)`. Before the first run has begun, the request waits for it; later, see ``begun()``.
    public func advance(by duration: Duration) {
        state.withLock { state in
            let now = clock.now.sinceStart
            state.target = max(state.target ?? now, now) + max(duration, .zero)
        }
        signal()
    }

    /// Answers the open question.
    ///
    /// - Throws: ``IntentTestError`` when no question is open, or the question does not accept the answer.
    public func answer(_ answer: IntentAnswer) throws {
        guard let question = state.withLock({ $0.current?.simulation.openQuestion }) else {
            throw IntentTestError("cannot answer: the run asks nothing. Wait for question() first")
        }
        let (value, files) = try answer.accepted(for: question, directory: directory)
        state.withLock { $0.requests.append(.answer(question.number, value, files)) }
        signal()
    }
}
