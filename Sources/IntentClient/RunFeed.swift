internal import IntentWire
internal import Synchronization

/// What the reader thread has heard of one run, until somebody asks for it.
final class RunFeed: Sendable {
    let run: RunID

    /// Updates that may wait unread. Beyond it the oldest progress or output goes; phases and the end never do.
    static let capacity = 4096

    fileprivate struct State {
        var waiting: [RunUpdate] = []
        var end: Result<RunResult, IntentClientError>?
        /// The failure was told to a reader: what follows is the end of the sequence.
        var hasThrown = false
        var readers: [CheckedContinuation<RunUpdate?, any Error>] = []
        var resultReaders: [CheckedContinuation<RunResult, any Error>] = []
    }

    private let state = Mutex(State())

    init(run: RunID) {
        self.run = run
    }

    var hasEnded: Bool { state.withLock { $0.end != nil } }

    func deliver(_ update: RunUpdate) {
        let reader = state.withLock { state -> CheckedContinuation<RunUpdate?, any Error>? in
            guard state.end == nil else { return nil }
            if !state.readers.isEmpty { return state.readers.removeFirst() }
            state.keep(update)
            return nil
        }
        reader?.resume(returning: update)
    }

    /// Ends the feed: the first end wins.
    func finish(_ end: Result<RunResult, IntentClientError>) {
        let (readers, resultReaders) = state.withLock { state in
            guard state.end == nil else { return ([], []) as (Readers, ResultReaders) }
            state.end = end
            if case .success(let result) = end { state.waiting.append(.ended(result)) }
            defer {
                state.readers = []
                state.resultReaders = []
            }
            return (state.readers, state.resultReaders)
        }
        for reader in readers { reader.resume(with: Result { try self.take() ?? nil }) }
        for reader in resultReaders { reader.resume(with: end.mapError { $0 as any Error }) }
    }

    /// The next update; nil after the last.
    func next() async throws -> RunUpdate? {
        try await withCheckedThrowingContinuation { continuation in
            let ready: Result<RunUpdate?, any Error>? = state.withLock { state in
                let taken = Result { try state.take() }
                if case .success(nil) = taken {
                    state.readers.append(continuation)
                    return nil
                }
                return taken.map { $0 ?? nil }
            }
            if let ready { continuation.resume(with: ready) }
        }
    }

    /// The end of the run.
    func result() async throws -> RunResult {
        try await withCheckedThrowingContinuation { continuation in
            let end = state.withLock { state in
                if state.end == nil { state.resultReaders.append(continuation) }
                return state.end
            }
            if let end { continuation.resume(with: end.mapError { $0 as any Error }) }
        }
    }

    private typealias Readers = [CheckedContinuation<RunUpdate?, any Error>]
    private typealias ResultReaders = [CheckedContinuation<RunResult, any Error>]

    private func take() throws -> RunUpdate?? { try state.withLock { try $0.take() } }
}

extension RunFeed.State {
    fileprivate mutating func keep(_ update: RunUpdate) {
        if case .progress = update, case .progress? = waiting.last { waiting.removeLast() }
        waiting.append(update)
        guard waiting.count > RunFeed.capacity else { return }
        if let oldest = waiting.firstIndex(where: \.mayBeLost) { waiting.remove(at: oldest) }
    }

    /// The next update, `.some(nil)` at the end of the sequence, nil when a reader has to wait.
    fileprivate mutating func take() throws -> RunUpdate?? {
        if !waiting.isEmpty { return .some(waiting.removeFirst()) }
        switch end {
        case nil:
            return nil
        case .success:
            return .some(nil)
        case .failure(let error):
            if hasThrown { return .some(nil) }
            hasThrown = true
            throw error
        }
    }
}

extension RunUpdate {
    fileprivate var mayBeLost: Bool {
        switch self {
        case .progress, .output: true
        case .phase, .ended: false
        }
    }
}
