import Glibc
import IntentLinux
import Synchronization

/// The lock on the state folder. A queue serialises the tasks of this process, and a fcntl(2) lock excludes other
/// processes.
///
/// The sandbox forbids flock(2) locks and open file description locks, because they could outlast the run. A
/// traditional fcntl(2) lock is released when its process exits. It is also released when the process closes any
/// descriptor of the file, so the process opens the file once and never closes it.
final class StateLock: Sendable {
    static let shared = StateLock()

    @TaskLocal static var isHeldByThisTask = false

    private static let fileName = ".intent-state-lock"

    private enum Stage {
        case free
        /// A thread is waiting for the fcntl(2) lock on behalf of the first waiter.
        case acquiring
        case held
    }

    private struct Waiter {
        var number: UInt64
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var stage = Stage.free
        /// The descriptor of the lock file, which is never closed.
        var file: Int32?
        var waiters: [Waiter] = []
        var lastNumber: UInt64 = 0
        /// The numbers of calls that were cancelled before they were added to the queue.
        var cancelled: Set<UInt64> = []
    }

    private let state = Mutex(State())

    /// The closure to call when a thread begins to work for a waiting task; nil in a worker. It returns a closure to
    /// call at the end of the work.
    private let threadBegan: (@Sendable () -> @Sendable () -> Void)?

    init(threadBegan: (@Sendable () -> @Sendable () -> Void)? = nil) {
        self.threadBegan = threadBegan
    }

    deinit {
        // Executed only for the lock of a test's state folder. In a worker, the lock exists until the process exits.
        if let file = state.withLock({ $0.file }) { close(file) }
    }

    func lock(in folder: String) async throws {
        let number = state.withLock { state in
            state.lastNumber += 1
            return state.lastNumber
        }
        defer { state.withLock { _ = $0.cancelled.remove(number) } }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(Waiter(number: number, continuation: continuation), folder)
            }
        } onCancel: {
            cancel(number)
        }
    }

    func unlock() {
        let (file, isAwaited) = state.withLock { state in
            state.stage = state.waiters.isEmpty ? .free : .acquiring
            // Release the fcntl(2) lock briefly so that another waiting process can acquire it before this process's
            // next task does.
            if let file = state.file { _ = Self.setLock(file, F_UNLCK, waits: false) }
            return (state.file, !state.waiters.isEmpty)
        }
        if isAwaited, let file { acquire(file) }
    }

    // MARK: Private

    private func add(_ waiter: Waiter, _ folder: String) {
        let result = state.withLock { state -> Result<Int32?, any Error> in
            if state.cancelled.contains(waiter.number) { return .failure(CancellationError()) }
            do {
                let file = try state.file ?? Self.open(in: folder)
                state.file = file
                state.waiters.append(waiter)
                guard case .free = state.stage else { return .success(nil) }
                state.stage = .acquiring
                return .success(file)
            } catch {
                return .failure(IntentStateError(error))
            }
        }
        switch result {
        case .success(nil): break
        case .success(let file?):
            if Self.setLock(file, F_WRLCK, waits: false) == nil { acquired() } else { acquire(file) }
        case .failure(let error): waiter.continuation.resume(throwing: error)
        }
    }

    private func cancel(_ number: UInt64) {
        let waiter = state.withLock { state -> Waiter? in
            guard let index = state.waiters.firstIndex(where: { $0.number == number }) else {
                state.cancelled.insert(number)
                return nil
            }
            return state.waiters.remove(at: index)
        }
        waiter?.continuation.resume(throwing: CancellationError())
    }

    /// Waits for the fcntl(2) lock on a separate thread, because the call blocks and cannot be interrupted. If
    /// all waiters are cancelled during the wait, the thread ends after it has acquired the lock, or when the
    /// process exits.
    private func acquire(_ file: Int32) {
        let threadEnded = threadBegan?()
        do throws(SystemError) {
            try DetachedThread.start {
                defer { threadEnded?() }
                if let problem = Self.setLock(file, F_WRLCK, waits: true) {
                    self.failed(problem)
                } else {
                    self.acquired()
                }
            }
        } catch {
            failed(error)
            threadEnded?()
        }
    }

    /// Assigns the acquired fcntl(2) lock to the first waiter, or releases it if no task is waiting.
    private func acquired() {
        let waiter = state.withLock { state -> Waiter? in
            guard !state.waiters.isEmpty else {
                if let file = state.file { _ = Self.setLock(file, F_UNLCK, waits: false) }
                state.stage = .free
                return nil
            }
            state.stage = .held
            return state.waiters.removeFirst()
        }
        waiter?.continuation.resume()
    }

    private func failed(_ problem: SystemError) {
        let waiters = state.withLock { state in
            state.stage = .free
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.continuation.resume(throwing: IntentStateError(problem)) }
    }

    private static func open(in folder: String) throws(SystemError) -> Int32 {
        try File.open("\(folder)/\(fileName)", O_RDWR | O_CREAT | O_NOFOLLOW).release()
    }

    /// Acquires or releases this process's lock on the whole file. Returns nil on success.
    static func setLock(_ file: Int32, _ kind: Int32, waits: Bool) -> SystemError? {
        var lock = flock()
        lock.l_type = Int16(kind)
        lock.l_whence = Int16(SEEK_SET)
        do throws(SystemError) {
            try syscall("fcntl", on: fileName) { fcntl(file, waits ? F_SETLKW : F_SETLK, &lock) }
            return nil
        } catch {
            return error
        }
    }
}

extension IntentStateError {
    fileprivate init(_ problem: any Error) {
        self.init(description: "cannot lock the state folder: \(problem)")
    }
}
