import Foundation
import Synchronization
package import Testing

/// Runs each test of a suite on a separate thread, and records the test's duration.
///
/// A test that waits for a process blocks its thread. On the threads of the concurrency runtime, which has one for each
/// processor, it would delay every other test, and its own time would include the wait for a thread.
package struct OwnThread: SuiteTrait, TestTrait, TestScoping {
    package var isRecursive: Bool { true }

    @concurrent package func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        let thread = await ThreadPool.shared.acquire()
        let start = ContinuousClock.now
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await withTaskExecutorPreference(thread) { try await function() })
        } catch {
            outcome = .failure(error)
        }
        TestTimes.record(ContinuousClock.now - start, of: test)
        await ThreadPool.shared.release(thread)
        try outcome.get()
    }
}

extension Trait where Self == OwnThread {
    package static var ownThread: Self { Self() }
}

/// The threads for tests: twice as many as processors, since most tests wait for other processes.
private actor ThreadPool {
    static let shared = ThreadPool()

    private var idle = (0..<ProcessInfo.processInfo.activeProcessorCount * 2).map { _ in TestThread() }
    private var waiting: [CheckedContinuation<TestThread, Never>] = []

    func acquire() async -> TestThread {
        if let thread = idle.popLast() { return thread }
        return await withCheckedContinuation { waiting.append($0) }
    }

    func release(_ thread: TestThread) {
        if waiting.isEmpty {
            idle.append(thread)
        } else {
            waiting.removeFirst().resume(returning: thread)
        }
    }
}

/// A thread that executes the jobs of one test at a time.
private final class TestThread: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let arrivals = DispatchSemaphore(value: 0)

    init() {
        Thread.detachNewThread { [self] in
            while true {
                arrivals.wait()
                jobs.withLock { $0.removeFirst() }.runSynchronously(on: asUnownedTaskExecutor())
            }
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        arrivals.signal()
    }
}

/// Appends the duration of each test case to the file that `TESTS_TIMES` names, which `Tests/run` reads at its end.
private enum TestTimes {
    private static let file: FileHandle? = ProcessInfo.processInfo.environment["TESTS_TIMES"].flatMap {
        let descriptor = open($0, O_WRONLY | O_APPEND | O_CLOEXEC)
        return descriptor < 0 ? nil : FileHandle(fileDescriptor: descriptor)
    }

    static func record(_ duration: Duration, of test: Test) {
        let name = test.displayName ?? test.name
        let suite = "\(test.id)".split(separator: "/").first ?? ""
        // One write per line: writes to a file opened for appending do not mix.
        try? file?.write(contentsOf: Data("\(duration / .seconds(1))\t\(suite)\t\(name)\n".utf8))
    }
}
