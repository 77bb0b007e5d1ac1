internal import IntentLinux
internal import IntentWire
internal import Synchronization

/// One connection: requests out in the order of their calls, answers and events in on a thread of its own.
///
/// The thread, rather than tasks, keeps the order of the socket: an event can never overtake the answer before it.
final class ServerLink: Sendable {
    struct Reply: Sendable {
        var answer: ClientAnswer
        var files: [SharedFileDescriptor]
        /// Where the events of an accepted run go.
        var feed: RunFeed?
    }

    /// What the cancellation of the waiting task does to a request.
    enum Patience {
        /// Stops waiting; the answer is dropped when it comes.
        case untilCancelled
        /// Waits on: the answer says what must be undone.
        case untilAnswered
    }

    private enum Expectation {
        case reply(CheckedContinuation<Reply, any Error>)
        /// The answer is of no interest.
        case nobody
    }

    private struct Table {
        var lastID: UInt64 = 0
        var open: [UInt64: Expectation] = [:]
        var feeds: [RunID: RunFeed] = [:]
        /// Runs whose end was asked for by a cancelled task, which asks again at each step.
        var cancelling: Set<RunID> = []
        /// Why the connection ended.
        var failure: IntentClientError?
    }

    private let socket: SharedFileDescriptor
    private let table = Mutex(Table())
    /// Held while a frame is written, so that frames never mix.
    private let sending = Mutex(())

    init(socket: SharedFileDescriptor) {
        self.socket = socket
    }

    /// Begins to read; the thread keeps the link until the connection ends.
    func start() throws(IntentClientError) {
        do throws(SystemError) {
            try DetachedThread.start { self.readUntilTheEnd() }
        } catch {
            throw IntentClientError(.system, "cannot start the thread that reads: \(error)", hint: "raise 'ulimit -u'.")
        }
    }

    /// Ends the connection; whoever waits is told.
    func close() {
        UnixSocket.shutDown(socket.rawValue)
    }

    // MARK: Requests

    /// Sends a request and waits for its answer.
    ///
    /// - Throws: ``IntentClientError`` when it is refused or the connection ends; `CancellationError`.
    func request(
        _ request: ClientRequest,
        files: [SharedFileDescriptor] = [],
        patience: Patience = .untilCancelled
    ) async throws -> Reply {
        let id = nextID()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if let failure = expect(.reply(continuation), at: id) {
                    continuation.resume(throwing: failure)
                    return
                }
                send(NumberedRequest(id: id, request), files)
                // The handler may have run before there was anything to abandon.
                if Task.isCancelled { abandon(id, patience) }
            }
        } onCancel: {
            abandon(id, patience)
        }
    }

    /// Asks for the end of a run without waiting for it, unless it has ended.
    func requestCancellation(of run: RunID) {
        let isFirst = table.withLock { $0.feeds[run] != nil && $0.cancelling.insert(run).inserted }
        guard isFirst else { return }
        let id = nextID()
        guard expect(.nobody, at: id) == nil else { return }
        send(NumberedRequest(id: id, .cancel(run: run.text)), [])
    }

    private func nextID() -> UInt64 {
        table.withLock { table in
            table.lastID += 1
            return table.lastID
        }
    }

    /// Enters a request, or returns why nothing can be asked any more.
    private func expect(_ expectation: Expectation, at id: UInt64) -> IntentClientError? {
        table.withLock { table in
            if let failure = table.failure { return failure }
            table.open[id] = expectation
            return nil
        }
    }

    private func abandon(_ id: UInt64, _ patience: Patience) {
        switch patience {
        case .untilAnswered: return
        case .untilCancelled: answer(id, .failure(CancellationError()))
        }
    }

    private func answer(_ id: UInt64, _ result: Result<Reply, any Error>) {
        switch table.withLock({ $0.open.removeValue(forKey: id) }) {
        case .reply(let continuation): continuation.resume(with: result)
        case .nobody, nil: return
        }
    }

    private func send(_ request: NumberedRequest, _ files: [SharedFileDescriptor]) {
        let frame: [UInt8]
        do throws(FrameError) {
            frame = try Frame.encode(WireCoding.encode(request), limit: Frame.clientPayloadLimit)
        } catch {
            answer(request.id, .failure(IntentClientError(.tooLarge, "the request is too large: \(error)")))
            return
        }
        var sentByteCount = 0
        do throws(SystemError) {
            try sending.withLock { _ throws(SystemError) in
                while sentByteCount < frame.count {
                    let riding = sentByteCount == 0 ? files : []
                    let rest = frame[sentByteCount...]
                    // A blocking socket is never full: send waits.
                    sentByteCount += try UnixSocket.send(rest, descriptors: riding, on: socket.rawValue) ?? 0
                }
            }
        } catch {
            switch error.code {
            case .brokenPipe, .connectionReset:
                // The reader finds the end too, after the daemon's last words, which tell more.
                return
            default:
                answer(request.id, .failure(IntentClientError(.system, "cannot send the request: \(error)")))
                // Half a frame cannot be taken back.
                if sentByteCount > 0 { close() }
            }
        }
    }

    // MARK: The reader thread

    private func readUntilTheEnd() {
        var frames = IncomingFrames()
        while true {
            do throws(IntentClientError) {
                let bytes = try receive()
                guard let bytes else {
                    throw IntentClientError(
                        .connectionLost,
                        frames.isEmpty
                            ? "intentd ended the connection" : "intentd ended the connection within a message",
                        hint: "see what intentd says ('systemctl status intentd'), then try again."
                    )
                }
                frames.append(bytes.0, bytes.1)
                while let frame = try frames.next() { try receive(frame.payload, frame.files) }
            } catch {
                end(because: error)
                return
            }
        }
    }

    /// What came, or nil at the end of the stream.
    private func receive() throws(IntentClientError) -> ([UInt8], [SharedFileDescriptor])? {
        do throws(SystemError) {
            let received = try UnixSocket.receive(
                from: socket.rawValue,
                upTo: 64 << 10,
                descriptorLimit: Frame.descriptorLimit
            )
            switch received {
            case .message(let bytes, let descriptors): return (bytes, descriptors)
            case .wouldBlock: return ([], [])
            case .end: return nil
            case .truncated: break
            }
        } catch {
            throw IntentClientError(.connectionLost, "the connection to intentd failed: \(error)")
        }
        throw .violation("a message brings more than \(Frame.descriptorLimit) files")
    }

    private func receive(_ payload: [UInt8], _ files: [SharedFileDescriptor]) throws(IntentClientError) {
        let message: ClientMessage
        do throws(WireError) {
            message = try WireCoding.decode(ClientMessage.self, from: payload)
        } catch {
            switch error {
            case .malformed(let reason):
                throw .violation(reason)
            case .unknownMessage:
                // An event of a newer daemon is passed over; an answer that cannot be read is a failed request.
                guard let id = NumberedRequest.id(in: payload) else { return }
                answer(id, .failure(IntentClientError.violation("\(error)")))
                return
            }
        }
        switch message {
        case .answer(let id?, let answer): receive(answer, to: id, files)
        case .answer(nil, .refused(let report)): throw IntentClientError(report)
        case .answer(nil, _): throw .violation("an answer without its request's number")
        case .event(let event): try receive(event, files)
        }
    }

    private func receive(_ message: ClientAnswer, to id: UInt64, _ files: [SharedFileDescriptor]) {
        switch message {
        case .refused(let report):
            answer(id, .failure(IntentClientError(report)))
        case .accepted(let run):
            // Entered here, on the reader's thread: the run's first event may be the very next message.
            let feed = table.withLock { table in
                let feed = table.feeds[run] ?? RunFeed(run: run)
                table.feeds[run] = feed
                return feed
            }
            answer(id, .success(Reply(answer: message, files: files, feed: feed)))
        case .hello, .apps, .app, .ended, .runs, .status:
            answer(id, .success(Reply(answer: message, files: files)))
        }
    }

    private func receive(_ event: NumberedEvent, _ files: [SharedFileDescriptor]) throws(IntentClientError) {
        guard let feed = table.withLock({ $0.feeds[event.run] }) else { return }
        switch event.event {
        case .state(let state, let reason):
            feed.deliver(.phase(RunPhase(state), reason: reason.map(StopReason.init)))
        case .progress(let progress):
            feed.deliver(.progress(RunProgress(progress)))
        case .output(let stream, let text):
            feed.deliver(.output(stream == .stdout ? .stdout : .stderr, text: text))
        case .finished(let end):
            guard let result = RunResult(end, files: files) else {
                throw .violation("the value of run \(end.run) names a file that did not come")
            }
            table.withLock { table in
                table.feeds[event.run] = nil
                table.cancelling.remove(event.run)
            }
            feed.finish(.success(result))
        }
    }

    private func end(because failure: IntentClientError) {
        close()
        let (open, feeds) = table.withLock { table in
            table.failure = failure
            defer {
                table.open = [:]
                table.feeds = [:]
            }
            return (table.open, table.feeds)
        }
        for expectation in open.values {
            switch expectation {
            case .reply(let continuation): continuation.resume(throwing: failure)
            case .nobody: continue
            }
        }
        for feed in feeds.values { feed.finish(.failure(failure.losing(run: feed.run.text))) }
    }
}
