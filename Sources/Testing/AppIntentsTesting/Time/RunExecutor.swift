internal import AppIntents
internal import Dispatch
import Synchronization

/// A task executor that runs the jobs of a run's tasks one at a time, in the order in which they become ready, and
/// reports when no job is ready.
final class RunExecutor: TaskExecutor {
    private struct Jobs {
        /// The number of jobs that are running or ready to run.
        var count = 0
        /// The number of jobs since the run began.
        var total: UInt64 = 0
        /// The number of the thread that runs a job.
        var thread: Int32?
    }

    private let queue = DispatchQueue(label: "intentd.test-run")
    private let jobs = Mutex(Jobs())
    private let becameIdle: @Sendable () -> Void

    /// - Parameter becameIdle: Called on the executor's thread after its last ready job has run.
    init(becameIdle: @escaping @Sendable () -> Void) {
        self.becameIdle = becameIdle
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { jobs in
            jobs.count += 1
            jobs.total += 1
        }
        queue.async { self.run(job) }
    }

    private func run(_ job: UnownedJob) {
        jobs.withLock { $0.thread = ThreadStacks.current }
        job.runSynchronously(on: asUnownedTaskExecutor())
        let isIdle = jobs.withLock { jobs in
            jobs.count -= 1
            jobs.thread = nil
            return jobs.count == 0
        }
        if isIdle { becameIdle() }
    }

    /// The number of the thread that runs a job of the run; nil if none does.
    var thread: Int32? { jobs.withLock { $0.thread } }

    var isBusy: Bool { jobs.withLock { $0.count > 0 } }

    /// A counter that changes whenever a job becomes ready.
    var activity: UInt64 { jobs.withLock { $0.total } }
}
