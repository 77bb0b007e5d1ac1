internal import IntentLinux
internal import IntentProtocol
internal import IntentWire
internal import Synchronization

/// One connection. Requests are sent in the order of the calls; a dedicated thread receives answers and events.
///
/// A thread, rather than tasks, keeps the order of the socket: an event can never overtake the answer before it.
final class ServerLink: Sendable {
    struct Reply: Sendable {
        var answer: ClientAnswer
        var files: [SharedFileDescriptor]
        /// Where the events of an accepted or watched run go.
        var feed: RunFeed?
    }

    /// What happens to a request when the task that waits for it is cancelled.
    enum Patience {
        /// The wait ends, and the answer is dropped.
        case untilCancelled
        /// The wait continues after a cancellation, because the answer determines what must be undone.
        case untilAnswered
    }

    enum Expectation {
        case reply(CheckedContinuation<Reply, any Error>)
        /// The answer is ignored.
        case ignored
        /// The feeds of a run continue over a new connection.
        case resumption(RunID)
        /// Fetches the remaining files of an ended run.
        case collection(NumberedEvent, RunEnd, [SharedFileDescriptor])
    }

    /// A request without an answer. It is sent again over a new connection.
    struct OpenRequest {
        var request: ClientRequest
        var files: [SharedFileDescriptor]
        var expectation: Expectation
    }

    struct Table {
        var lastID: UInt64 = 0
        var open: [UInt64: OpenRequest] = [:]
        /// The feeds of runs that this connection requested.
        var feeds: [RunID: RunFeed] = [:]
        var watches: [RunID: [RunFeed]] = [:]
        /// Runs that a cancelled task has already requested to cancel. The task would repeat the request at each of its
        /// waits; one is enough.
        var cancelling: Set<RunID> = []
        /// Why the connection ended.
        var failure: IntentClientError?
        /// The client closed the connection.
        var isClosed = false
    }

    let socket: SharedFileDescriptor
    let table = Mutex(Table())
    /// Held while a frame is written, so that frames never mix.
    let sending = Mutex(())
    let renewal: Renewal?

    /// How to reconnect to a daemon that exits.
    struct Renewal: Sendable {
        var software: String
        var patience: Duration
        var interrupted: (@Sendable (ConnectionInterruption) -> Void)?
        /// Opens a socket to the daemon.
        var open: @Sendable () throws(IntentClientError) -> SharedFileDescriptor
    }

    /// How the requests were made; nil: not told.
    let entryPoint: EntryPoint?

    init(socket: SharedFileDescriptor, renewal: Renewal? = nil, entryPoint: EntryPoint? = nil) {
        self.entryPoint = entryPoint
        self.socket = socket
        self.renewal = renewal
    }

    /// Starts the thread that reads. It keeps the link alive until the connection ends.
    func start() throws(IntentClientError) {
        do throws(SystemError) {
            try DetachedThread.start { self.readUntilTheEnd() }
        } catch {
            throw IntentClientError(.system, "cannot start the thread that reads: \(error)", hint: "raise 'ulimit -u'.")
        }
    }

    /// Ends the connection. Everything that waits fails.
    func close() {
        table.withLock { $0.isClosed = true }
        UnixSocket.shutDown(socket.rawValue)
    }

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
                let open = OpenRequest(request: request, files: files, expectation: .reply(continuation))
                if let failure = expect(open, at: id) {
                    continuation.resume(throwing: failure)
                    return
                }
                send(NumberedRequest(id: id, request), files)
                // The handler may have run before the request was registered.
                if Task.isCancelled { abandon(id, patience) }
            }
        } onCancel: {
            abandon(id, patience)
        }
    }

    /// Cancels a run without waiting for its end, unless it has ended.
    func requestCancellation(of run: RunID) {
        let isFirst = table.withLock { $0.feeds[run] != nil && $0.cancelling.insert(run).inserted }
        guard isFirst else { return }
        let id = nextID()
        let request = ClientRequest.cancel(run: run.text)
        guard expect(OpenRequest(request: request, files: [], expectation: .ignored), at: id) == nil else { return }
        send(NumberedRequest(id: id, request), [])
    }

    func nextID() -> UInt64 {
        table.withLock { table in
            table.lastID += 1
            return table.lastID
        }
    }

    /// Registers a request; returns an error when the connection has ended.
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
        case .resumption(let run): if case .failure(let error) = result { lose(run, because: error) }
        case .collection(let event, let end, let files):
            if case .success(let reply) = result {
                collect(end, of: event, files + reply.files)
            } else {
                finish(event, end, [])
            }
        case .ignored, nil: return
        }
    }

    /// Sends a request. Files that do not fit in one frame are sent before the request, in `files` requests.
    func send(_ request: NumberedRequest, _ files: [SharedFileDescriptor]) {
        var files = files[...]
        while files.count > Frame.descriptorLimit {
            let part = Array(files.prefix(Frame.descriptorLimit))
            files = files.dropFirst(part.count)
            let id = nextID()
            let announcement = ClientRequest.files(count: part.count)
            // If the files are refused, the request that they belong to is refused too.
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
            case .brokenPipe, .connectionReset, .notConnected:
                // The reader thread reaches the end too, but only after the daemon's last message, which says more. It
                // then reconnects.
                return
            default:
                answer(request.id, .failure(IntentClientError(.system, "cannot send the request: \(error)")))
                // Part of a frame was sent, so no other frame can follow.
                if sentByteCount > 0 { close() }
            }
        }
    }
}
