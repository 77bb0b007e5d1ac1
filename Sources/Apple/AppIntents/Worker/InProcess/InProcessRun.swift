package import IntentLinux
package import IntentSharedTypes
package import IntentWorkerMessages
import Synchronization

/// A run of an intent in a process that performs several runs, such as a test.
///
/// It sends the same reports and receives the same answers as a worker. Each run has its own session.
package final class InProcessRun: Sendable {
    private let session: RunSession
    private let surroundings: RunSurroundings
    private let lastProgress = Mutex<ProgressReport?>(nil)

    /// Creates a run.
    ///
    /// - Parameters:
    ///   - executor: The executor for the run's tasks.
    ///   - wake: Called on any thread when ``nextReports()`` has reports to return, or when the run has ended.
    package init(
        in surroundings: RunSurroundings,
        on executor: any TaskExecutor,
        wake: @escaping @Sendable () -> Void
    ) {
        self.surroundings = surroundings
        session = RunSession(asking: .intentd, extent: .task(executor), wake: wake)
        self.wake = wake
    }

    private let wake: @Sendable () -> Void

    /// Performs an intent with the current values of its parameters. The values are checked as if a client had sent
    /// them.
    package func start(_ intent: some AppIntent) {
        let directory = surroundings.directory
        start { await intent.run(sending: directory) }
    }

    /// Performs the intent that a reference names, such as the intent that undoes a run.
    package func start(_ type: any AppIntent.Type, values: [String: IntentValue]) {
        let directory = surroundings.directory
        start { await type.run(values: values, files: IncomingFiles(), directory: directory) }
    }

    private func start(_ operation: @escaping @Sendable () async -> RunEnding) {
        RunSurroundings.$current.withValue(surroundings) {
            session.start(operation, ended: { [wake] _ in wake() })
        }
    }

    /// Cancels the run, and calls its cancellation handlers before returning.
    ///
    /// - Parameter graceRemaining: A closure that returns the time that is left before the process would be killed.
    package func cancel(_ reason: CancellationReason, graceRemaining: @escaping @Sendable () -> Duration) {
        RunSurroundings.$current.withValue(surroundings) {
            session.cancel(IntentCancellationReason(name: reason.name, graceRemaining: graceRemaining))
        }
    }

    /// Passes an answer to the run.
    ///
    /// - Parameter value: The answer; nil if no client will answer.
    package func answer(_ question: UInt64, _ value: IntentValue?, files: [SharedFileDescriptor] = []) {
        session.questions.answer(question, value.map { GivenAnswer(value: $0, files: IncomingFiles(files)) })
    }

    /// Returns the reports about all changes since the last call, in the order in which a worker sends them.
    package func nextReports() -> [WorkerReport] {
        var reports: [WorkerReport] = []
        while let phase = session.nextPhase {
            reports.append(.background(phase))
            session.removePhase()
        }
        while let number = session.questions.nextWithdrawn {
            reports.append(.withdrawn(question: number))
            session.questions.removeWithdrawn()
        }
        _ = session.clearProgressChange()
        let progress = session.progress.report
        let hasAdvanced = lastProgress.withLock { last in
            // The initial progress of a run is not reported.
            if progress == last ?? ProgressReport(completedUnitCount: 0, totalUnitCount: 0, fraction: 0) {
                return false
            }
            last = progress
            return true
        }
        if hasAdvanced { reports.append(.progress(progress)) }
        if let question = session.questions.next {
            reports.append(.question(question))
            session.questions.sent(question.number)
        }
        return reports
    }

    /// The result; nil until `perform()` and all tasks of its cancellation handlers have finished.
    package var result: WorkerResult? { session.ending?.result }

    /// True while a task of a cancellation handler is unfinished.
    package var isCleaningUp: Bool { session.isCleaningUp }

    /// The number of unfinished tasks outside the run's task tree, such as `Task { }`.
    package var looseTaskCount: Int { session.looseTaskCount }

    /// True if the calling task belongs to a run.
    package static var isTaskOfRun: Bool { RunSession.now != nil }

    /// Returns the traits of an intent type, which affect the limits of its runs.
    package static func traits(of type: any AppIntent.Type) -> IntentTraits {
        var traits: IntentTraits = []
        if type is any ProgressReportingIntent.Type { traits.insert(.progressReporting) }
        if type is any LongRunningIntent.Type { traits.insert(.longRunning) }
        if type is any CancellableIntent.Type { traits.insert(.cancellable) }
        return traits
    }

    /// True if the calling task belongs to a cancellation handler of any run.
    package static var isCleanupTask: Bool { CleanupToken.current != nil }

    /// The undo action that the run has registered; nil if the run registered no undo action.
    package var undo: RegisteredUndo? { session.undo }

    /// The error that `perform()` threw; nil if it returned or has not ended.
    package var error: (any Error)? { session.kept.error }

    /// Returns the value that `perform()` returned. It contains the files that a client would receive, opened
    /// for reading.
    package func value<Value: _IntentValue>(of type: Value.Type) throws -> Value? {
        guard let ending = session.ending, case .returned(let value?, _) = ending.result.ending, !value.files.isEmpty,
            Value._intentValueCoding.resolve == nil
        else { return session.kept.value as? Value }
        var memory = ending.descriptors.makeIterator()
        let descriptors = try ending.result.files.map { file throws(SystemError) -> SharedFileDescriptor in
            switch file {
            case .memory:
                guard let descriptor = memory.next() else {
                    preconditionFailure("each file in memory has a descriptor")
                }
                return descriptor
            case .path(let path):
                return SharedFileDescriptor(try File.open("\(surroundings.directory)/\(path)"))
            }
        }
        return try Value._intentValueCoding.decode(value, IncomingFiles(descriptors))
    }
}
