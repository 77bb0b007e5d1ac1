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
    }

    struct Table {
        var lastID: UInt64 = 0
        var open: [UInt64: Expectation] = [:]
        /// Of runs that were accepted here.
        var feeds: [RunID: RunFeed] = [:]
        var watches: [RunID: [RunFeed]] = [:]
        /// Runs whose end was asked for by a cancelled task, which asks again at each step.
        var cancelling: Set<RunID> = []
        /// Why the connection ended.
        var failure: IntentClientError?
    }

    let socket: SharedFileDescriptor
    let table = Mutex(Table())
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

    func answer(_ id: UInt64, _ result: Result<Reply, any Error>) {
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
}
