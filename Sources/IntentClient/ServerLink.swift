internal import IntentLinux
internal import IntentProtocol
internal import IntentWire
internal import Synchronization

/// One connection: requests out in the order of their calls, answers and events in on a thread of its own.
///
/// The thread, rather than tasks, keeps the order of the socket: an event can never overtake the answer before it.
final class ServerLink: Sendable {
    struct Reply: Sendable {
        var answer: ClientAnswer
        var files: [SharedFileDescriptor]
        /// Where the events of an accepted or watched run go.
        var feed: RunFeed?
    }

    /// What the cancellation of the waiting task does to a request.
    enum Patience {
        /// Stops waiting; the answer is dropped when it comes.
        case untilCancelled
        /// Waits on: the answer says what must be undone.
        case untilAnswered
    }

    enum Expectation {
        case reply(CheckedContinuation<Reply, any Error>)
        /// The answer is of no interest.
        case nobody
        /// The feeds of a run go on over a new connection.
        case resumption(RunID)
        /// Parts of the files with which a run ended, after those that came.
        case collection(NumberedEvent, RunEnd, [SharedFileDescriptor])
    }

    /// A request without its answer, to be sent again over a new connection.
    struct OpenRequest {
        var request: ClientRequest
        var files: [SharedFileDescriptor]
        var expectation: Expectation
    }

    struct Table {
        var lastID: UInt64 = 0
        var open: [UInt64: OpenRequest] = [:]
        /// Of runs that were accepted here.
        var feeds: [RunID: RunFeed] = [:]
        var watches: [RunID: [RunFeed]] = [:]
        /// Runs whose end was asked for by a cancelled task, which asks again at each step.
        var cancelling: Set<RunID> = []
        /// Why the connection ended.
        var failure: IntentClientError?
        /// Somebody wants no more of it.
        var isClosed = false
    }

    let socket: SharedFileDescriptor
    let table = Mutex(Table())
    /// Held while a frame is written, so that frames never mix.
    let sending = Mutex(())
    let renewal: Renewal?

    /// How to come back to a daemon that went away.
    struct Renewal: Sendable {
        var path: String
        var software: String
        var patience: Duration
        var interrupted: (@Sendable (ConnectionInterruption) -> Void)?
    }

    init(socket: SharedFileDescriptor, renewal: Renewal? = nil) {
        self.socket = socket
        self.renewal = renewal
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
        let request = ClientRequest.cancel(run: run.text)
        guard expect(OpenRequest(request: request, files: [], expectation: .nobody), at: id) == nil else { return }
        send(NumberedRequest(id: id, request), [])
    }

    func nextID() -> UInt64 {
        table.withLock { table in
            table.lastID += 1
            return table.lastID
        }
    }

    /// Enters a request, or returns why nothing can be asked any more.
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
        case .nobody, nil: return
        }
    }

    /// Sends a request; of files that are too many for one frame, the first ones before it.
    func send(_ request: NumberedRequest, _ files: [SharedFileDescriptor]) {
        var files = files[...]
        while files.count > Frame.descriptorLimit {
            let part = Array(files.prefix(Frame.descriptorLimit))
            files = files.dropFirst(part.count)
            let id = nextID()
            let announcement = ClientRequest.files(count: part.count)
            // Where they are refused, so is the request that they belong to.
            _ = expect(OpenRequest(request: announcement, files: [], expectation: .nobody), at: id)
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
                // The reader finds the end too, after the daemon's last words, which tell more; and comes back.
                return
            default:
                answer(request.id, .failure(IntentClientError(.system, "cannot send the request: \(error)")))
                // Half a frame cannot be taken back.
                if sentByteCount > 0 { close() }
            }
        }
    }
}
