internal import Synchronization

/// A queue of one run's events. The reader thread appends events, and one task removes them.
final class RunFeed: Sendable {
    let run: RunID

    /// The maximum number of unread events. When it is exceeded, the oldest progress or output is dropped, but never a
    /// state change, a question or the end.
    static let capacity = 4096

    fileprivate struct State {
        var waiting: [RunEvent] = []
        var end: Result<RunResult, IntentClientError>?
        /// True after a reader has received the failure. The next read then returns the end of the sequence.
        var hasThrown = false
        var lastSerial: UInt64 = 0
        var lastTicket: UInt64 = 0
        var readers: [Waiting<RunEvent?>] = []
        var resultReaders: [Waiting<RunResult>] = []
        /// The tickets of readers that were cancelled before they began to wait.
        var cancelledTickets: Set<UInt64> = []
        var lastProgress: ProgressReport?
        /// The progress and output sequences that tasks are reading, each with a separate buffer.
        var progressStreams: [AsyncThrowingStream<ProgressReport, any Error>.Continuation] = []
        var outputStreams: [AsyncThrowingStream<RunOutput, any Error>.Continuation] = []
    }

    /// A reader that is waiting, identified by its ticket.
    fileprivate struct Waiting<Value> {
        var ticket: UInt64
        var continuation: CheckedContinuation<Value, any Error>
    }

    private let state = Mutex(State())

    init(run: RunID) {
        self.run = run
    }

    var hasEnded: Bool { state.withLock { $0.end != nil } }

    /// The serial of the newest event received.
    var lastSerial: UInt64 { state.withLock(\.lastSerial) }

    func deliver(_ event: RunEvent, serial: UInt64) {
        let reader = state.withLock { state -> Waiting<RunEvent?>? in
            state.lastSerial = max(state.lastSerial, serial)
            guard state.end == nil else { return nil }
            state.yield(event)
            if !state.readers.isEmpty { return state.readers.removeFirst() }
            state.append(event)
            return nil
        }
        reader?.continuation.resume(returning: event)
    }

    /// Ends the feed. Later calls have no effect.
    func finish(_ end: Result<RunResult, IntentClientError>) {
        let (readers, resultReaders) = state.withLock { state in
            guard state.end == nil else { return ([], []) as ([Waiting<RunEvent?>], [Waiting<RunResult>]) }
            state.end = end
            if case .success(let result) = end { state.waiting.append(.finished(result.end)) }
            state.finishStreams(end)
            defer {
                state.readers = []
                state.resultReaders = []
            }
            return (state.readers, state.resultReaders)
        }
        for reader in readers { reader.continuation.resume(with: Result { try self.nextEvent() ?? nil }) }
        for reader in resultReaders { reader.continuation.resume(with: end.mapError { $0 as any Error }) }
    }

    /// Returns a ticket for a call to ``next(_:)`` or ``result(_:)``. With the ticket, ``cancelWait(_:)`` can cancel
    /// the wait.
    func makeTicket() -> UInt64 {
        state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
    }

    /// Makes the wait with this ticket throw `CancellationError`, even if the wait has not begun.
    func cancelWait(_ ticket: UInt64) {
        let (reader, resultReader) = state.withLock { state in
            let reader = state.readers.firstIndex { $0.ticket == ticket }.map { state.readers.remove(at: $0) }
            let resultReader = state.resultReaders.firstIndex { $0.ticket == ticket }
                .map { state.resultReaders.remove(at: $0) }
            if reader == nil, resultReader == nil { state.cancelledTickets.insert(ticket) }
            return (reader, resultReader)
        }
        reader?.continuation.resume(throwing: CancellationError())
        resultReader?.continuation.resume(throwing: CancellationError())
    }

    /// Waits for the next event. Returns nil after the run's last event.
    func next(_ ticket: UInt64) async throws -> RunEvent? {
        try await withCheckedThrowingContinuation { continuation in
            let ready: Result<RunEvent?, any Error>? = state.withLock { state in
                if state.cancelledTickets.remove(ticket) != nil { return .failure(CancellationError()) }
                let next = Result { try state.nextEvent() }
                if case .success(nil) = next {
                    state.readers.append(Waiting(ticket: ticket, continuation: continuation))
                    return nil
                }
                return next.map { $0 ?? nil }
            }
            if let ready { continuation.resume(with: ready) }
        }
    }

    /// Waits until the run has ended, and returns its result.
    func result(_ ticket: UInt64) async throws -> RunResult {
        try await withCheckedThrowingContinuation { continuation in
            let ready: Result<RunResult, any Error>? = state.withLock { state in
                if state.cancelledTickets.remove(ticket) != nil { return .failure(CancellationError()) }
                if let end = state.end { return end.mapError { $0 as any Error } }
                state.resultReaders.append(Waiting(ticket: ticket, continuation: continuation))
                return nil
            }
            if let ready { continuation.resume(with: ready) }
        }
    }

    /// Returns a sequence of the newest progress report and all later reports. A slow reader misses older reports.
    func makeProgressStream() -> AsyncThrowingStream<ProgressReport, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: ProgressReport.self,
            throwing: (any Error).self,
            bufferingPolicy: .bufferingNewest(1)
        )
        state.withLock { state in
            if let progress = state.lastProgress { continuation.yield(progress) }
            if let end = state.end { return continuation.finish(throwing: end.failure) }
            state.progressStreams.append(continuation)
        }
        return stream
    }

    /// Returns a sequence of the output that no reader has received as an event, and of all later output.
    func makeOutputStream() -> AsyncThrowingStream<RunOutput, any Error> {
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: RunOutput.self,
            throwing: (any Error).self,
            bufferingPolicy: .bufferingNewest(Self.capacity)
        )
        state.withLock { state in
            for case .output(let source, let text) in state.waiting {
                continuation.yield(RunOutput(stream: source, text: text))
            }
            if let end = state.end { return continuation.finish(throwing: end.failure) }
            state.outputStreams.append(continuation)
        }
        return stream
    }

    private func nextEvent() throws -> RunEvent?? { try state.withLock { try $0.nextEvent() } }
}

extension RunFeed.State {
    /// Passes an event to the progress or output sequences, and removes the sequences that have no reader.
    fileprivate mutating func yield(_ event: RunEvent) {
        switch event {
        case .progress(let progress):
            lastProgress = progress
            progressStreams.removeAll { if case .terminated = $0.yield(progress) { true } else { false } }
        case .output(let source, let text):
            let output = RunOutput(stream: source, text: text)
            outputStreams.removeAll { if case .terminated = $0.yield(output) { true } else { false } }
        case .state, .question, .answered, .finished: break
        }
    }

    fileprivate mutating func finishStreams(_ end: Result<RunResult, IntentClientError>) {
        for stream in progressStreams { stream.finish(throwing: end.failure) }
        for stream in outputStreams { stream.finish(throwing: end.failure) }
        progressStreams = []
        outputStreams = []
    }

    fileprivate mutating func append(_ event: RunEvent) {
        if case .progress = event, case .progress? = waiting.last { waiting.removeLast() }
        waiting.append(event)
        guard waiting.count > RunFeed.capacity else { return }
        if let oldest = waiting.firstIndex(where: \.canBeDropped) { waiting.remove(at: oldest) }
    }

    /// Removes and returns the next event. Returns `.some(nil)` at the end of the sequence, and nil if the reader must
    /// wait.
    fileprivate mutating func nextEvent() throws -> RunEvent?? {
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

extension RunEvent {
    fileprivate var canBeDropped: Bool {
        switch self {
        case .progress, .output: true
        case .state, .question, .answered, .finished: false
        }
    }
}

extension Result {
    /// The error; nil for a success.
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
