import CIntentWorker
import IntentLinux
import IntentWire
import Synchronization

/// The one run of this process: its progress, its cancellation, and when it is over.
///
/// Touched by the run's own tasks and by the thread that speaks with `intentd`.
final class RunSession: Sendable {
    /// Whose handler asks to be called.
    enum HandlerKind: Sendable {
        /// `withIntentCancellationHandler`'s.
        case intent
        /// `performBackgroundTask`'s, which replaces the intent's while it is active.
        case background
    }

    private struct State: Sendable {
        var reason: IntentCancellationReason?
        var backgroundDepth = 0
        var backgroundHandlerCount = 0
        /// Phases that were not sent yet.
        var phases: [BackgroundPhase] = []
        var task: Task<Void, Never>?
        /// Held until `perform()` ended; handlers' tasks hold it too.
        var token: CleanupToken?
        var ending: RunEnding?
        var isCleanedUp = false
    }

    @TaskLocal private static var current: RunSession?
    private static let ofProcess = Mutex<RunSession?>(nil)

    /// The session of the calling code; detached tasks and plain threads belong to the process's one run.
    static var now: RunSession? { current ?? ofProcess.withLock { $0 } }

    let progress = IntentProgress()
    let questions: RunQuestions
    private let state = Mutex(State())
    private let isProgressChanged = Atomic(false)
    private let wake: @Sendable () -> Void

    /// - Parameters:
    ///   - audience: Who hears what the run asks.
    ///   - wake: Called on any thread when there is news of the run.
    init(asking audience: RunQuestions.Audience, wake: @escaping @Sendable () -> Void) {
        self.wake = wake
        questions = RunQuestions(for: audience, wake: wake)
        progress.observe { [weak self] in self?.progressChanged() }
    }

    // MARK: The thread that speaks with intentd

    /// Starts the run, once.
    ///
    /// - Parameter ended: Called on any thread with what came of it, once all that its handlers began has ended too.
    func start(
        _ operation: @escaping @Sendable () async -> RunEnding,
        ended tell: @escaping @Sendable (RunEnding) -> Void
    ) {
        Self.ofProcess.withLock { $0 = self }
        state.withLock { $0.token = CleanupToken { [self] in cleanedUp(tell) } }
        let task = Task {
            let ending = await Self.$current.withValue(self) { await operation() }
            ended(with: ending)
        }
        state.withLock { $0.task = task }
    }

    /// Tells the run to stop; its handlers are called before this returns. The first reason wins.
    func cancel(_ reason: IntentCancellationReason) {
        let (task, token) = state.withLock { state -> (Task<Void, Never>?, CleanupToken?) in
            guard state.reason == nil else { return (nil, nil) }
            state.reason = reason
            return (state.task, state.token)
        }
        guard let task, let token else { return }
        progress.isCancelled = true
        // Before the tasks hear of it: nobody is asked any more.
        questions.close()
        // Bound here too for handlers that the app made with Swift's own `withTaskCancellationHandler`.
        CleanupToken.$current.withValue(token) { task.cancel() }
    }

    func takeProgressChange() -> Bool { isProgressChanged.exchange(false, ordering: .acquiringAndReleasing) }

    var nextPhase: BackgroundPhase? { state.withLock { $0.phases.first } }

    func removePhase() {
        state.withLock { _ = $0.phases.removeFirst() }
    }

    /// What came of the run, once `perform()` and all that its handlers began have ended.
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

    /// Calls the handler when it is the session that was cancelled, and not only a task by the app itself.
    func handleCancellation(_ kind: HandlerKind, by handler: (IntentCancellationReason) -> Void) {
        let (reason, token) = state.withLock { state -> (IntentCancellationReason?, CleanupToken?) in
            switch kind {
            case .intent where state.backgroundHandlerCount > 0: (nil, nil)
            case .intent, .background: (state.reason, state.token)
            }
        }
        guard let reason else { return }
        // Bound again: a handler that is registered after the cancellation runs on the run's own task.
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
        // Outside the lock: when no handler's task holds it, it ends here and calls back.
        withExtendedLifetime(token) {}
    }

    private func cleanedUp(_ tell: (RunEnding) -> Void) {
        let ending = state.withLock { state in
            state.isCleanedUp = true
            return state.ending
        }
        guard let ending else { preconditionFailure("the token is held until there is an ending") }
        tell(ending)
    }
}

/// What came of `perform()`, with the descriptors that ride with it.
struct RunEnding: Sendable {
    var result: WorkerResult
    var descriptors: [SharedFileDescriptor] = []

    init(_ ending: WorkerEnding, files: OutgoingFiles? = nil) {
        result = WorkerResult(ending: ending, files: files?.files ?? [])
        descriptors = files?.descriptors ?? []
    }
}
