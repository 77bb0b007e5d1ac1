import IntentDaemon
import IntentLauncherMessages
import IntentLinux
import IntentProtocol
import IntentSystemd

/// A connection to intentd for one caller, with any number of requests and watched runs. It reconnects after intentd has
/// restarted: unanswered requests are repeated, and runs are watched again from their last event.
///
/// Use an instance only on the loop's thread.
final class IntentdLink {
    typealias Reply = (Result<(ClientAnswer, [SharedFileDescriptor]), ErrorReport>) -> Void

    private struct OpenRequest {
        var request: ClientRequest
        var files: [SharedFileDescriptor]
        /// The run that is watched again after a reconnection; nil for the request of a caller.
        var resumedRun: RunID?
        var reply: Reply
    }

    private static let helloID: UInt64 = 1
    private static let patience: Duration = .seconds(10)
    private static let pauses: [Duration] = [
        .milliseconds(5), .milliseconds(20), .milliseconds(50), .milliseconds(100),
    ]

    private let hello: Hello
    /// True if runs end with this connection, so that it claims them again after it has reconnected.
    private let ownsRuns: Bool
    private let loop: EventLoop
    private let connect: () throws(SystemError) -> SharedFileDescriptor
    private var stream: FrameStream?
    private var isGreeted = false
    private var open: [UInt64: OpenRequest] = [:]
    private var lastID = IntentdLink.helloID
    private var feeds: [RunID: EventFeed] = [:]
    private var attemptCount = 0
    private var giveUpAt: Int64?
    private var timer: EventSource?
    private var isClosed = false

    /// - Parameter connect: Opens a socket to intentd.
    init(
        _ hello: Hello,
        ownsRuns: Bool = false,
        on loop: EventLoop,
        connect: @escaping () throws(SystemError) -> SharedFileDescriptor
    ) {
        self.hello = hello
        self.ownsRuns = ownsRuns
        self.loop = loop
        self.connect = connect
    }

    /// How often in a row the server has found the connection without use.
    var idleCount = 0

    /// True if no request is open and no run is watched.
    var isIdle: Bool { open.isEmpty && feeds.values.allSatisfy(\.watchers.isEmpty) }

    /// The number of requests that have no answer yet.
    var openCount: Int { open.count }

    /// Sends a request, when intentd has accepted the connection. The reply is never called during this call.
    func send(_ request: ClientRequest, files: [SharedFileDescriptor] = [], _ reply: @escaping Reply) {
        idleCount = 0
        let id = add(OpenRequest(request: request, files: files, resumedRun: nil, reply: reply))
        if isGreeted { transmit(id) } else { start() }
    }

    /// Passes a run's events to a stream from now on.
    func attach(_ stream: RunStream, to run: RunID) {
        feeds[run, default: EventFeed()].watchers[ObjectIdentifier(stream)] = stream
    }

    func detach(_ stream: RunStream, from run: RunID) {
        feeds[run]?.watchers[ObjectIdentifier(stream)] = nil
        if feeds[run]?.watchers.isEmpty == true { feeds[run] = nil }
    }

    /// Closes the connection. Open requests are not answered.
    func close() {
        isClosed = true
        timer = nil
        stream?.close()
        (stream, open, feeds) = (nil, [:], [:])
    }

    // MARK: Connecting

    private func start() {
        guard stream == nil, timer == nil, !isClosed else { return }
        do {
            let socket = try connect()
            stream = try FrameStream(
                socket,
                files: .kept,
                on: loop,
                received: { [weak self] payload in self?.received(payload) },
                ended: { [weak self] reason in self?.lost("the connection to intentd was lost: \(reason)") }
            )
            stream?.send(NumberedRequest(id: Self.helloID, .hello(hello)))
        } catch {
            lost("cannot connect to intentd: \(error)")
        }
    }

    private func lost(_ reason: String) {
        (stream, isGreeted) = (nil, false)
        guard !isIdle, !isClosed else { return }
        let now = ClockReading.monotonicNanoseconds()
        let end = giveUpAt ?? now + Self.patience.nanoseconds
        giveUpAt = end
        guard now < end else {
            return fail(ErrorReport(.noDaemon, reason, hint: "check 'systemctl status intentd', then try again"))
        }
        let pause = Self.pauses[min(attemptCount, Self.pauses.count - 1)]
        attemptCount += 1
        do throws(SystemError) {
            timer = try loop.timer(atNanoseconds: now + pause.nanoseconds) { [weak self] in
                self?.timer = nil
                self?.start()
            }
        } catch {
            fail(ErrorReport(.noDaemon, "\(reason); cannot arm a timer: \(error)"))
        }
    }

    /// Answers all requests with an error, and ends all streams.
    private func fail(_ error: ErrorReport) {
        let (requests, ended) = (open, feeds)
        (open, feeds, giveUpAt, attemptCount) = ([:], [:], nil, 0)
        stream?.close()
        (stream, isGreeted) = (nil, false)
        for (_, request) in requests.sorted(by: { $0.key < $1.key }) { request.reply(.failure(error)) }
        for feed in ended.values { for watcher in feed.watchers.values { watcher.end() } }
    }

    private func greeted() {
        (isGreeted, giveUpAt, attemptCount) = (true, nil, 0)
        open = open.filter { $0.value.resumedRun == nil }
        for id in open.keys.sorted() { transmit(id) }
        for (run, feed) in feeds {
            let serial = feed.lastSerial > 0 ? feed.lastSerial : nil
            let request = ClientRequest.watch(run: run.text, after: serial, isReturn: ownsRuns)
            transmit(
                add(
                    OpenRequest(request: request, files: [], resumedRun: run) { [weak self] result in
                        guard case .failure = result, let feed = self?.feeds.removeValue(forKey: run) else { return }
                        for watcher in feed.watchers.values { watcher.end() }
                    }
                )
            )
        }
    }

    // MARK: Messages

    private func add(_ request: OpenRequest) -> UInt64 {
        lastID += 1
        open[lastID] = request
        return lastID
    }

    /// Sends a request. Files that do not fit into its frame precede it.
    private func transmit(_ id: UInt64) {
        guard let request = open[id] else { return }
        var files = request.files[...]
        while files.count > Frame.descriptorLimit {
            lastID += 1
            let part = Array(files.prefix(Frame.descriptorLimit))
            stream?.send(NumberedRequest(id: lastID, .files(count: part.count)), files: part)
            files = files.dropFirst(part.count)
        }
        stream?.send(NumberedRequest(id: id, request.request), files: Array(files))
    }

    private func received(_ payload: [UInt8]) {
        let fileCount = Int(clamping: PayloadShape.number(named: "files", in: payload) ?? 0)
        let files = fileCount > 0 ? stream?.takeFiles(fileCount) ?? [] : []
        // An unknown message of a newer intentd is ignored, unless it is an answer.
        guard let message = try? WireCoding.decode(ClientMessage.self, from: payload) else {
            if let id = NumberedRequest.id(in: payload) {
                answer(
                    id,
                    .failure(ErrorReport(.unknownRequest, "intentd sent an answer that this program does not know"))
                )
            }
            return
        }
        switch message {
        case .answer(Self.helloID, .hello(let server)):
            guard server.protocolVersion == Hello.currentVersion, server.webUser == hello.webUser else {
                return fail(ErrorReport(.noDaemon, "\(server.software) is of another version", hint: "update intentd"))
            }
            greeted()
        case .answer(Self.helloID, .refused(let error)), .answer(nil, .refused(let error)): fail(error)
        case .answer(let id?, .refused(let error)): answer(id, .failure(error))
        case .answer(let id?, let reply): answer(id, .success((reply, files)))
        case .answer(nil, _): break
        case .event(let event): deliver(event)
        }
    }

    private func answer(_ id: UInt64, _ result: Result<(ClientAnswer, [SharedFileDescriptor]), ErrorReport>) {
        open.removeValue(forKey: id)?.reply(result)
    }

    private func deliver(_ event: NumberedEvent) {
        guard let receivers = feeds[event.run]?.pass(event) else { return }
        if feeds[event.run]?.watchers.isEmpty == true { feeds[event.run] = nil }
        let text = receivers.contains { $0.text != nil } ? EventText.message(event) : []
        for receiver in receivers { receiver.receive(event, text) }
    }
}
