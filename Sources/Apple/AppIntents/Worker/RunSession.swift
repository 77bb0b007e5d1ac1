import CIntentWorker
import IntentLinux
import IntentSharedTypes
import IntentWorkerMessages
import Synchronization

/// The state of a run: its progress, questions, cancellation, undo action, donations and result.
///
/// The run's tasks share it with the thread that communicates with `intentd`.
final class RunSession: Sendable {
    /// The function that registered a cancellation handler.
    enum HandlerKind: Sendable {
        /// The handler was registered with `withIntentCancellationHandler`.
        case intent
        /// The handler was registered with `performBackgroundTask`. During the background work, this handler is called
        /// instead of the handler registered with `withIntentCancellationHandler`.
        case background
    }

    /// The code in this process that belongs to the run.
    enum Extent: Sendable {
        /// The run has its own process, so detached tasks and threads belong to the run as well.
        case process
        /// The run consists of the tasks that its first task starts. Other runs are in the same process.
        case task(any TaskExecutor)
    }

    /// The value that `perform()` returned or the error that it threw, for callers in the same process.
    struct Kept: Sendable {
        var value: (any Sendable)?
        var error: (any Error)?
    }

    /// An object that every unfinished `Task { }` of a run retains. Its reference count shows the number of
    /// these tasks.
    ///
    /// `Task { }` copies the task-local values of the code that creates it. Child tasks do not retain the object, and
    /// detached tasks copy no values.
    private final class Presence: Sendable {}

    private struct State: Sendable {
        var reason: IntentCancellationReason?
        var backgroundDepth = 0
        var backgroundHandlerCount = 0
        /// The background phases that have not been reported yet.
        var phases: [BackgroundPhase] = []
        var task: Task<Void, Never>?
        /// The cleanup token. The session retains it until `perform()` has returned, and the tasks of cancellation
        /// handlers retain it until they end.
        var token: CleanupToken?
        var ending: RunEnding?
        var isCleanedUp = false
        var undoManager: UndoManager?
        var undo: RegisteredUndo?
        var kept = Kept()
    }

    @TaskLocal private static var current: RunSession?
    @TaskLocal private static var presence: Presence?
    private static let ofProcess = Mutex<RunSession?>(nil)

    /// The session to which the calling code belongs; nil outside a run. Detached tasks and threads belong to the
    /// process's only run.
    static var now: RunSession? { current ?? ofProcess.withLock { $0 } }

    let progress = IntentProgress()
    let questions: RunQuestions
    let donations = DonationJournal()
    private let extent: Extent
    private let presence = Presence()
    /// The address of ``presence``, used to read its reference count without retaining it.
    private let presenceAddress: UInt
    /// The reference count while no task outside the run's task tree exists; 0 before the run has begun.
    private let leastReferenceCount = Atomic(0)
    private let state = Mutex(State())
    private let isProgressChanged = Atomic(false)
    private let wake: @Sendable () -> Void

    /// - Parameters:
    ///   - audience: The recipient of the run's questions.
    ///   - extent: The code in this process that belongs to the run.
    ///   - wake: Called on any thread when the run has something to report.
    init(asking audience: RunQuestions.Audience, extent: Extent = .process, wake: @escaping @Sendable () -> Void) {
        self.wake = wake
        self.extent = extent
        questions = RunQuestions(for: audience, wake: wake)
        presenceAddress = UInt(bitPattern: Unmanaged.passUnretained(presence).toOpaque())
        progress.observe { [weak self] in self?.progressChanged() }
    }

    // MARK: The thread that communicates with intentd

    /// Starts the run. Called only once.
    ///
    /// - Parameter ended: Called on any thread, with the result, after `perform()` and all tasks of its cancellation
    ///   handlers have finished.
    func start(
        _ operation: @escaping @Sendable () async -> RunEnding,
        ended completion: @escaping @Sendable (RunEnding) -> Void
    ) {
        state.withLock { $0.token = CleanupToken { [self] in cleanedUp(completion) } }
        let task: Task<Void, Never>
        switch extent {
        case .process:
            Self.ofProcess.withLock { $0 = self }
            task = Task {
                let ending = await Self.$current.withValue(self) { await operation() }
                self.ended(with: ending)
            }
        case .task(let executor):
            task = Task(executorPreference: executor) {
                let ending = await Self.$presence.withValue(self.presence) {
                    await Self.$current.withValue(self) {
                        self.leastReferenceCount.store(self.referenceCount, ordering: .releasing)
                        return await operation()
                    }
                }
                self.ended(with: ending)
            }
        }
        state.withLock { $0.task = task }
    }

    /// Cancels the run and calls its cancellation handlers before returning. Only the first reason is kept.
    func cancel(_ reason: IntentCancellationReason) {
        let (task, token) = state.withLock { state -> (Task<Void, Never>?, CleanupToken?) in
            guard state.reason == nil else { return (nil, nil) }
            state.reason = reason
            return (state.task, state.token)
        }
        guard let task, let token else { return }
        progress.isCancelled = true
        // Close the questions before cancelling the task so that the task cannot ask further questions.
        questions.close()
        // Bind the token here too, for the handlers of Swift's own `withTaskCancellationHandler`. Bind the session,
        // because the tasks that the handlers start belong to the run.
        CleanupToken.$current.withValue(token) {
            Self.$presence.withValue(presence) { Self.$current.withValue(self) { task.cancel() } }
        }
    }

    func clearProgressChange() -> Bool { isProgressChanged.exchange(false, ordering: .acquiringAndReleasing) }

    var nextPhase: BackgroundPhase? { state.withLock { $0.phases.first } }

    func removePhase() {
        state.withLock { _ = $0.phases.removeFirst() }
    }

    /// The result; nil until `perform()` and all tasks of its cancellation handlers have finished.
    var ending: RunEnding? { state.withLock { $0.isCleanedUp ? $0.ending : nil } }

    /// True while a task of a cancellation handler is unfinished.
    var isCleaningUp: Bool {
        state.withLock { state in
            if state.reason == nil || state.isCleanedUp { return false }
            // The session retains the token until `perform()` has returned. A second reference therefore belongs to a
            // task of a handler.
            return state.token == nil || !isKnownUniquelyReferenced(&state.token)
        }
    }

    private var referenceCount: Int { Int(clamping: intentd_reference_count(presenceAddress)) }

    /// The number of unfinished tasks outside the run's task tree; 0 once `perform()` has ended.
    var looseTaskCount: Int {
        let least = leastReferenceCount.load(ordering: .acquiring)
        guard least > 0, state.withLock({ $0.ending == nil }) else { return 0 }
        return max(0, referenceCount - least)
    }

    /// The value that `perform()` returned or the error that it threw.
    var kept: Kept { state.withLock { $0.kept } }

    // MARK: The run

    /// Stores the value that `perform()` returned or the error that it threw, if a caller in the same process may need
    /// it.
    func keep(value: (any Sendable)? = nil, error: (any Error)? = nil) {
        guard case .task = extent else { return }
        state.withLock { $0.kept = Kept(value: value, error: error) }
    }

    /// The run's undo manager, which the first access creates.
    @MainActor var undoManager: UndoManager {
        if let manager = state.withLock({ $0.undoManager }) { return manager }
        let manager = UndoManager(noting: { [weak self] undo in self?.state.withLock { $0.undo = undo } })
        state.withLock { $0.undoManager = manager }
        return manager
    }

    /// The undo action that the run has registered.
    var undo: RegisteredUndo? { state.withLock { $0.undo } }

    func enterBackground() {
        let isFirst = state.withLock { state in
            state.backgroundDepth += 1
            if state.backgroundDepth == 1 { state.phases.append(.entered) }
            return state.backgroundDepth == 1
        }
        if isFirst { wake() }
    }

    func leaveBackground() {
        let isLast = state.withLock { state in
            state.backgroundDepth -= 1
            if state.backgroundDepth == 0 { state.phases.append(.left) }
            return state.backgroundDepth == 0
        }
        if isLast { wake() }
    }

    func addBackgroundHandler() {
        state.withLock { $0.backgroundHandlerCount += 1 }
    }

    func removeBackgroundHandler() {
        state.withLock { $0.backgroundHandlerCount -= 1 }
    }

    /// Calls a handler if the run was cancelled. Does nothing if the app has cancelled only one of its own tasks.
    func handleCancellation(_ kind: HandlerKind, by handler: (IntentCancellationReason) -> Void) {
        let (reason, token) = state.withLock { state -> (IntentCancellationReason?, CleanupToken?) in
            switch kind {
            case .intent where state.backgroundHandlerCount > 0: (nil, nil)
            case .intent, .background: (state.reason, state.token)
            }
        }
        guard let reason else { return }
        // Bind the token again, because a handler that is registered after the cancellation runs on the run's own task.
        CleanupToken.$current.withValue(token) { handler(reason) }
    }

    private func progressChanged() {
        if !isProgressChanged.exchange(true, ordering: .acquiringAndReleasing) { wake() }
    }

    private func ended(with ending: RunEnding) {
        let token = state.withLock { state in
            state.ending = ending
            return state.token.take()
        }
        // Release the token outside the lock. If no other task retains it, its `deinit` calls `cleanedUp`, which takes
        // the lock.
        withExtendedLifetime(token) {}
    }

    private func cleanedUp(_ completion: (RunEnding) -> Void) {
        let ending = state.withLock { state in
            state.isCleanedUp = true
            return state.ending
        }
        guard let ending else { preconditionFailure("the cleanup token was released before perform() returned") }
        completion(ending)
    }
}

/// The result of `perform()`, together with its descriptors.
struct RunEnding: Sendable {
    var result: WorkerResult
    var descriptors: [SharedFileDescriptor] = []

    init(_ ending: WorkerEnding, files: OutgoingFiles? = nil) {
        result = WorkerResult(ending: ending, files: files?.files ?? [])
        descriptors = files?.descriptors ?? []
    }
}
