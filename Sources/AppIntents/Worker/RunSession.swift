import CIntentWorker
import IntentLinux
import IntentWire
import Synchronization

/// The state of this process's run: its progress, its cancellation and its result.
///
/// It is used by the tasks of the run and by the thread that communicates with `intentd`.
final class RunSession: Sendable {
    /// The method with which a cancellation handler was registered.
    enum HandlerKind: Sendable {
        /// The handler was registered with `withIntentCancellationHandler`.
        case intent
        /// The handler was registered with `performBackgroundTask`. During the background work, this handler is called
        /// instead of the handler registered with `withIntentCancellationHandler`.
        case background
    }

    private struct State: Sendable {
        var reason: IntentCancellationReason?
        var backgroundDepth = 0
        var backgroundHandlerCount = 0
        /// The background phases that have not been reported yet.
        var phases: [BackgroundPhase] = []
        var task: Task<Void, Never>?
        /// The cleanup token, which is retained here until `perform()` has returned. Tasks of cancellation handlers
        /// retain it too.
        var token: CleanupToken?
        var ending: RunEnding?
        var isCleanedUp = false
    }

    @TaskLocal private static var current: RunSession?
    private static let ofProcess = Mutex<RunSession?>(nil)

    /// The session to which the calling code belongs; nil outside a run. Detached tasks and threads belong to the
    /// process's only run.
    static var now: RunSession? { current ?? ofProcess.withLock { $0 } }

    let progress = IntentProgress()
    let questions: RunQuestions
    private let state = Mutex(State())
    private let isProgressChanged = Atomic(false)
    private let wake: @Sendable () -> Void

    /// - Parameters:
    ///   - audience: The recipient of the run's questions.
    ///   - wake: Called on any thread when the run has something to report.
    init(asking audience: RunQuestions.Audience, wake: @escaping @Sendable () -> Void) {
        self.wake = wake
        questions = RunQuestions(for: audience, wake: wake)
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
        Self.ofProcess.withLock { $0 = self }
        state.withLock { $0.token = CleanupToken { [self] in cleanedUp(completion) } }
        let task = Task {
            let ending = await Self.$current.withValue(self) { await operation() }
            ended(with: ending)
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
        // Close the questions before cancelling the task, so that the task cannot ask further questions.
        questions.close()
        // The token is also set here, for handlers that were registered with Swift's own `withTaskCancellationHandler`.
        CleanupToken.$current.withValue(token) { task.cancel() }
    }

    func clearProgressChange() -> Bool { isProgressChanged.exchange(false, ordering: .acquiringAndReleasing) }

    var nextPhase: BackgroundPhase? { state.withLock { $0.phases.first } }

    func removePhase() {
        state.withLock { _ = $0.phases.removeFirst() }
    }

    /// The result; nil until `perform()` and all tasks of its cancellation handlers have finished.
    var ending: RunEnding? { state.withLock { $0.isCleanedUp ? $0.ending : nil } }

    // MARK: The run

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

    /// Calls a handler if the run was cancelled, but not if the app has cancelled only one of its own tasks.
    func handleCancellation(_ kind: HandlerKind, by handler: (IntentCancellationReason) -> Void) {
        let (reason, token) = state.withLock { state -> (IntentCancellationReason?, CleanupToken?) in
            switch kind {
            case .intent where state.backgroundHandlerCount > 0: (nil, nil)
            case .intent, .background: (state.reason, state.token)
            }
        }
        guard let reason else { return }
        // The token is set again, because a handler that is registered after the cancellation runs on the run's own
        // task.
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
        // Release the token outside the lock. If no other task retains it, its `deinit` calls `cleanedUp`.
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
