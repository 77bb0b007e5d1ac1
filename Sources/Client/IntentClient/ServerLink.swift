internal import IntentLinux
internal import Synchronization

/// A connection to the daemon. Requests are sent in the order of the calls. A dedicated thread receives answers and
/// events.
///
/// The thread processes messages in the order of arrival, so an event cannot overtake an earlier answer. With a task
/// for each message, the order would be undefined.
final class ServerLink: Sendable {
    struct Reply: Sendable {
        var answer: ClientAnswer
        var files: [SharedFileDescriptor]
        /// The feed for the events of the accepted or watched run.
        var feed: RunFeed?
    }

    /// What a task does when it is cancelled while waiting for an answer.
    enum Patience {
        /// The task stops waiting, and the answer is discarded when it arrives.
        case untilCancelled
        /// The task continues to wait, because it needs the run's identifier in the answer to cancel the run.
        case untilAnswered
    }

    enum Expectation {
        case reply(CheckedContinuation<Reply, any Error>)
        /// The answer is ignored.
        case ignored
        /// The request resumes a run's feeds on a new connection. If it is refused, the feeds end with the error.
        case resumption(RunID)
        /// The answer contains further files of a run that has ended.
        case collection(NumberedEvent, RunEnd, [SharedFileDescriptor])
    }

    /// A request that has not been answered. After a reconnection, it is sent again.
    struct OpenRequest {
        var request: ClientRequest
        var files: [SharedFileDescriptor]
        var expectation: Expectation
    }

    struct Table {
        var lastID: UInt64 = 0
        var open: [UInt64: OpenRequest] = [:]
        /// The feeds of the runs that this connection requested.
        var feeds: [RunID: RunFeed] = [:]
        var watches: [RunID: [RunFeed]] = [:]
        /// The runs for which a cancelled task has already sent a cancel request. Without this set, the task would send
        /// another cancel request for each of its waits.
        var cancelling: Set<RunID> = []
        /// The error that ended the connection; nil while the connection is usable.
        var failure: IntentClientError?
        /// True after the client has closed the connection.
        var isClosed = false
    }

    let socket: SharedFileDescriptor
    let table = Mutex(Table())
    /// The lock that serializes writes of frames to the socket.
    let sending = Mutex(())
    let renewal: Renewal?

    /// The parameters for reconnecting to the daemon.
    struct Renewal: Sendable {
        var software: String
        /// The user that a service acts for (``Hello/webUser``); nil for its own.
        var webUser: String?
        var patience: Duration
        var interrupted: (@Sendable (ConnectionInterruption) -> Void)?
        /// A closure that opens a socket to the daemon.
        var open: @Sendable () throws(IntentClientError) -> SharedFileDescriptor
    }

    /// The entry point that history records for the requests; nil for ``EntryPoint/socket``.
    let entryPoint: EntryPoint?

    init(socket: SharedFileDescriptor, renewal: Renewal? = nil, entryPoint: EntryPoint? = nil) {
        self.entryPoint = entryPoint
        self.socket = socket
        self.renewal = renewal
    }

    /// Starts the reader thread, which retains this object until the connection closes.
    func start() throws(IntentClientError) {
        do throws(SystemError) {
            try DetachedThread.start { self.readMessages() }
        } catch {
            throw IntentClientError(noThread: error)
        }
    }

    /// Closes the connection, which makes all pending requests fail.
    func close() {
        table.withLock { $0.isClosed = true }
        UnixSocket.shutDown(socket.rawValue)
    }

    /// Sends a request and waits for its answer.
    ///
    /// - Throws: ``IntentClientError`` when the request is refused or the connection closes; `CancellationError`.
    func request(
        _ request: ClientRequest,
        files: [SharedFileDescriptor] = [],
        patience: Patience = .untilCancelled
    ) async throws -> Reply {
        let id = nextID()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let open = OpenRequest(request: request, files: files, expectation: .reply(continuation))
                if let failure = expect(open, at: id) {
                    continuation.resume(throwing: failure)
                    return
                }
                send(NumberedRequest(id: id, request), files)
                // If the task was cancelled before the request was registered, the handler had no effect. Abandon the
                // request here instead.
                if Task.isCancelled { abandon(id, patience) }
            }
        } onCancel: {
            abandon(id, patience)
        }
    }

    /// Sends a request, and returns the value that `value` extracts from the answer.
    ///
    /// - Throws: ``IntentClientError/wrongAnswer`` if the answer is of another kind.
    func answer<Value>(to request: ClientRequest, _ value: (ClientAnswer) -> Value?) async throws -> Value {
        guard let value = value(try await self.request(request).answer) else { throw IntentClientError.wrongAnswer }
        return value
    }

    /// Cancels a run unless it has ended. Does not wait for the run's end.
    func requestCancellation(of run: RunID) {
        let isFirst = table.withLock { $0.feeds[run] != nil && $0.cancelling.insert(run).inserted }
        if isFirst { ask(.cancel(run: run.text), .ignored) }
    }

    func nextID() -> UInt64 {
        table.withLock { table in
            table.lastID += 1
            return table.lastID
        }
    }

    /// Registers a request as open. Returns an error if the connection is closed.
    func expect(_ request: OpenRequest, at id: UInt64) -> IntentClientError? {
        table.withLock { table in
            if let failure = table.failure { return failure }
            table.open[id] = request
            return nil
        }
    }

    private func abandon(_ id: UInt64, _ patience: Patience) {
        switch patience {
        case .untilAnswered: return
        case .untilCancelled: answer(id, .failure(CancellationError()))
        }
    }

    func answer(_ id: UInt64, _ result: Result<Reply, any Error>) {
        switch table.withLock({ $0.open.removeValue(forKey: id) })?.expectation {
        case .reply(let continuation): continuation.resume(with: result)
        case .resumption(let run): if case .failure(let error) = result { failFeeds(of: run, because: error) }
        case .collection(let event, let end, let files):
            if case .success(let reply) = result {
                collect(end, of: event, files + reply.files)
            } else {
                finish(event, end, [])
            }
        case .ignored, nil: return
        }
    }

    /// Sends a request. Files that do not fit into one frame are sent in preceding `files` requests.
    func send(_ request: NumberedRequest, _ files: [SharedFileDescriptor]) {
        var files = files[...]
        while files.count > Frame.descriptorLimit {
            let part = Array(files.prefix(Frame.descriptorLimit))
            files = files.dropFirst(part.count)
            let id = nextID()
            let announcement = ClientRequest.files(count: part.count)
            // The answer can be ignored: if the daemon refuses these files, it also refuses the request that needs
            // them.
            _ = expect(OpenRequest(request: announcement, files: [], expectation: .ignored), at: id)
            sendFrame(NumberedRequest(id: id, announcement), part)
        }
        sendFrame(request, Array(files))
    }

    private func sendFrame(_ request: NumberedRequest, _ files: [SharedFileDescriptor]) {
        let frame: [UInt8]
        do throws(FrameError) {
            frame = try Frame.encode(WireCoding.encode(request), limit: Frame.clientPayloadLimit)
        } catch {
            let hint = "pass large values as files"
            answer(request.id, .failure(IntentClientError(.tooLarge, "the request is too large: \(error)", hint: hint)))
            return
        }
        var sentByteCount = 0
        do throws(SystemError) {
            try sending.withLock { _ throws(SystemError) in
                while sentByteCount < frame.count {
                    let attached = sentByteCount == 0 ? files : []
                    let rest = frame[sentByteCount...]
                    // The socket is blocking, so the call waits while the send buffer is full.
                    sentByteCount += try UnixSocket.send(rest, descriptors: attached, on: socket.rawValue) ?? 0
                }
            }
        } catch {
            switch error.code {
            case .brokenPipe, .connectionReset, .notConnected:
                // Leave the error to the reader thread. It first reads the daemon's last message, which may contain the
                // reason, and then reconnects.
                return
            default:
                answer(request.id, .failure(IntentClientError(.system, "cannot send the request: \(error)")))
                // Close the connection after a partial frame, because the daemon would read the next frame as the rest
                // of this one.
                if sentByteCount > 0 { close() }
            }
        }
    }
}
