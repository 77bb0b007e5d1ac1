import IntentAPI
import IntentConfiguration
import IntentLinux
import IntentProtocol
import IntentSystemd

/// Answers the requests to the API, with connections to intentd.
///
/// Use an instance only on the loop's thread.
final class APIServer {
    let files: StoredFiles
    let mcp: MCPEndpoint
    private let loop: EventLoop
    private let connect: (APICaller) throws(SystemError) -> SharedFileDescriptor
    var limits = Limits.ownUser
    /// The hooks of the service; nil for the server of one user.
    private(set) var hooks: Hooks?
    /// The answer links of the service; nil for the server of one user.
    private(set) var answerLinks: AnswerLinks?
    /// The service as a resource of OAuth 2.1; nil for the server of one user.
    var resource: ProtectedResource?
    private var links: [String: IntentdLink] = [:]
    private var callers: [String: APICaller] = [:]
    /// Runs that end when no client receives their events any more.
    private var attached: [RunID: AttachedRun] = [:]
    private var streams: [ObjectIdentifier: (stream: RunStream, caller: APICaller)] = [:]
    private var keepAliveTimer: EventSource?

    /// - Parameter connect: Opens a socket to intentd.
    init(
        on loop: EventLoop,
        files: StoredFiles = StoredFiles(),
        mcp: MCPEndpoint,
        connect: @escaping (APICaller) throws(SystemError) -> SharedFileDescriptor
    ) {
        self.loop = loop
        self.files = files
        self.mcp = mcp
        self.connect = connect
    }

    /// Ends the streams of callers that are no longer permitted, and closes unused connections.
    func review(isPermitted: (APICaller) -> Bool) {
        for entry in streams.values where !isPermitted(entry.caller) { entry.stream.end() }
        for (run, entry) in attached where !isPermitted(entry.caller) { release(run) }
        for (name, caller) in callers where !isPermitted(caller) {
            links.removeValue(forKey: name)?.close()
            callers[name] = nil
        }
        mcp.review(isPermitted: isPermitted)
        for (name, link) in links where link.isIdle {
            link.idleCount += 1
            if link.idleCount > WebLimits.idleReviewCount {
                link.close()
                (links[name], callers[name]) = (nil, nil)
            }
        }
    }

    /// True if no client receives events.
    var isIdle: Bool { streams.isEmpty }

    /// True if a client that returns would miss a run or a file if the server exited now.
    var isNeeded: Bool { !attached.isEmpty || files.hasUnused }

    /// Called when a run with the rule `cancel` has ended or was released.
    var whenReleased: () -> Void = {}

    func perform(_ exchange: APIExchange) {
        let name = exchange.caller.name
        if links[name].map({ $0.openCount >= limits.requestCount }) == true
            || streams.values.count(where: { $0.caller.name == name }) >= limits.streamCount
        {
            var error = ErrorReport(
                .tooManyRequests,
                "too many of your requests are open",
                hint: "wait for their answers"
            )
            error.retryAfter = .seconds(1)
            return exchange.respond(error)
        }
        // A token that permits only some intents gives access only to their runs.
        if exchange.caller.allowed != nil, let run = exchange.request.path["run"].flatMap({ RunID($0) }) {
            return link(of: exchange.caller).send(.story(run: run.text)) { [weak self, weak exchange] result in
                guard let exchange else { return }
                switch result {
                case .success((.story(let story), _)):
                    let summary = story.summary
                    guard exchange.caller.permits(summary.app, summary.intent) else {
                        return exchange.respond(ErrorReport(.unknownRun, "unknown run '\(run)'"))
                    }
                    self?.perform(permitted: exchange)
                case .success: exchange.respond(Self.unexpected)
                case .failure(let error): exchange.respond(error)
                }
            }
        }
        perform(permitted: exchange)
    }

    private func perform(permitted exchange: APIExchange) {
        do throws(ErrorReport) {
            switch exchange.request.route.action {
            case .request(let type):
                guard exchange.caller.permits(request: type) else { throw exchange.caller.refusal }
                let request = try exchange.request.clientRequest(type, body: exchange.body)
                let names = try exchange.request.answerFiles(body: exchange.body)
                pass(request, files: try open(names, for: exchange), named: names, for: exchange)
            case .perform, .undo: try start(exchange)
            case .events: try watch(exchange)
            case .leave:
                let run = try run(of: exchange)
                if attached[run]?.caller == exchange.caller { release(run) }
                exchange.respond(.empty())
            case .resultFile: try sendResultFile(exchange)
            case .readFile:
                let file = try files.file(exchange.request.path["file"] ?? "", for: exchange.caller.name)
                let condition = exchange.request.headers["if-modified-since"]
                if condition == HTTPAnswer.unmodified, StoredFiles.isUnmodified(file) {
                    return exchange.respond(HTTPAnswer(status: 304, body: .bytes([])))
                }
                exchange.respond { () throws(ErrorReport) in try .file(file, type: nil, for: exchange.request) }
            case .removeFile:
                try files.remove(exchange.request.path["file"] ?? "", for: exchange.caller.name)
                exchange.respond(.empty())
            case .describeAPI: describe(exchange)
            case .mcp: mcp.receive(exchange)
            case .hook:
                guard let hooks else { throw ErrorReport(.unknownPath, "not found") }
                hooks.receive(exchange)
            case .answerLink:
                guard let answerLinks else { throw ErrorReport(.unknownPath, "not found") }
                answerLinks.receive(exchange)
            case .resourceMetadata:
                let part = exchange.request.path["part"].map { "/" + $0 } ?? ""
                guard let metadata = resource?.metadata(at: APIRoute.metadataPath + part) else {
                    throw ErrorReport(.unknownPath, "not found")
                }
                exchange.respond(.json(metadata))
            case .storeFile, .extendFile: preconditionFailure("the exchange stores the file itself")
            }
        } catch {
            exchange.respond(error)
        }
    }

    /// The connection of a caller. Callers have one connection each.
    func link(of caller: APICaller) -> IntentdLink {
        // Callers with one name and several sets of scopes share a connection, which permits more than each of them.
        let known = callers.updateValue(caller, forKey: caller.name)
        if let link = links[caller.name], known?.user == caller.user { return link }
        links[caller.name]?.close()
        let link = makeLink(for: caller)
        links[caller.name] = link
        return link
    }

    private func makeLink(for caller: APICaller, ownsRuns: Bool = false) -> IntentdLink {
        IntentdLink(Hello(software: caller.software, webUser: caller.user), ownsRuns: ownsRuns, on: loop) {
            [connect] () throws(SystemError) in
            try connect(caller)
        }
    }

    private func pass(
        _ request: ClientRequest,
        files: [SharedFileDescriptor],
        named names: [String],
        for exchange: APIExchange
    ) {
        link(of: exchange.caller).send(request, files: files) { [weak self, weak exchange] result in
            if case .success = result, let exchange { self?.removeUsed(names, for: exchange) }
            switch result {
            case .success((.metrics(let text), _)):
                let type = "application/openmetrics-text; version=1.0.0; charset=utf-8"
                let body = HTTPAnswer.Body.bytes(Array(text.utf8))
                exchange?.respond(HTTPAnswer(status: 200, headers: [("Content-Type", type)], body: body))
            case .success((let answer, _)):
                guard let exchange else { return }
                guard let permitted = exchange.caller.permitted(answer) else {
                    return exchange.respond(exchange.caller.refusal)
                }
                exchange.respond(.json(permitted))
            case .failure(let error): exchange?.respond(error)
            }
        }
    }

    private func describe(_ exchange: APIExchange) {
        link(of: exchange.caller).send(.list) { [weak exchange] result in
            switch result {
            case .success((let answer, _)):
                guard let exchange else { return }
                guard case .apps(let apps)? = exchange.caller.permitted(answer) else {
                    return exchange.respond(Self.unexpected)
                }
                exchange.respond(.json(OpenAPI.document(for: apps)))
            case .failure(let error): exchange?.respond(error)
            }
        }
    }

    static let unexpected = ErrorReport(.noDaemon, "intentd sent another answer than expected", hint: "update intentd")

    /// Serves the hooks in a folder, and answer links.
    func serveHooks(in folder: String, settings: WebSettings) {
        answerLinks = AnswerLinks(settings: settings) { [weak self] caller, request, reply in
            self?.link(of: caller).send(request, reply)
        }
        hooks = Hooks(folder: folder) { [weak self] caller, request, reply in
            self?.link(of: caller).send(.perform(request)) { result in
                switch result {
                case .success((.accepted(let run), _)): reply(.success(run))
                case .success: reply(.failure(Self.unexpected))
                case .failure(let error): reply(.failure(error))
                }
            }
        }
    }

    // MARK: Runs

    private func start(_ exchange: APIExchange) throws(ErrorReport) {
        let performance = try exchange.request.performance(body: exchange.body)
        var request = performance.request
        // A plan performs intents of any app, so only a token for all intents permits it.
        let isPermitted = request.undoOf != nil || exchange.caller.permits(request.app, request.intent)
        guard request.plan == nil ? isPermitted : exchange.caller.permits(request: "perform") else {
            throw exchange.caller.refusal
        }
        let descriptors = try open(performance.files, writable: request.writable ?? [], for: exchange)
        request.fileCount = descriptors.count
        // A run that ends with its client has a connection of its own.
        let isAttached = request.onDisconnect == .cancel
        let link = isAttached ? makeLink(for: exchange.caller, ownsRuns: true) : link(of: exchange.caller)
        link.send(.perform(request), files: descriptors) { [weak self, weak exchange] result in
            guard let self else { return }
            switch result {
            case .success((.accepted(let run), _)):
                if isAttached { attach(link, to: run, of: exchange?.caller ?? .ownUser) }
                guard let exchange else { return }
                removeUsed(performance.files, except: request.writable ?? [], for: exchange)
                accepted(run, on: isAttached ? attached[run]?.link ?? link : link, exchange)
            case .success: exchange?.respond(Self.unexpected)
            case .failure(let error):
                if isAttached { link.close() }
                exchange?.respond(error)
            }
        }
    }

    /// Answers a request that has started a run, or was answered with an earlier run.
    private func accepted(_ run: RunID, on link: IntentdLink, _ exchange: APIExchange) {
        let answer = ClientAnswer.accepted(run: run)
        let headers = [("Location", "/\(APIRoute.version)/runs/\(run)")]
        guard exchange.request.acceptsEvents || exchange.request.wait != nil else {
            return exchange.respond(.json(answer, status: 202, headers))
        }
        // The first events may be in the same frames as the answer, so the stream is attached at once.
        let stream = RunStream(of: run, after: nil, hasText: exchange.request.acceptsEvents)
        attach(stream, on: link, for: exchange)
        stream.open(with: answer)
        if let text = stream.text { return respond(with: text, to: exchange, headers) }
        stream.whenFinished = { [weak exchange] end in
            exchange?.respond(.json(ClientAnswer.ended(end), headers + [("Preference-Applied", "wait")]))
        }
        let patience = exchange.request.wait ?? .zero
        do throws(SystemError) {
            let end = ClockReading.monotonicNanoseconds() + patience.nanoseconds
            let timer = try loop.timer(atNanoseconds: end) { [weak exchange] in
                exchange?.respond(.json(answer, status: 202, headers))
            }
            let ended = exchange.whenEnded
            exchange.whenEnded = {
                withExtendedLifetime(timer) {}
                ended()
            }
        } catch {
            exchange.respond(.json(answer, status: 202, headers))
        }
    }

    private func watch(_ exchange: APIExchange) throws(ErrorReport) {
        let run = try run(of: exchange)
        let serial = try exchange.request.lastEvent()
        let link = attached[run].flatMap { $0.caller == exchange.caller ? $0.link : nil } ?? link(of: exchange.caller)
        let stream = RunStream(of: run, after: serial)
        attach(stream, on: link, for: exchange)
        link.send(.watch(run: run.text, after: serial)) { [weak self, weak exchange] result in
            guard let exchange else { return }
            switch result {
            case .success((.watching(let watched), _)):
                stream.open(with: .watching(watched))
                if let text = stream.text { self?.respond(with: text, to: exchange, []) }
            case .success: exchange.respond(Self.unexpected)
            case .failure(let error): exchange.respond(error)
            }
        }
    }

    func run(of exchange: APIExchange) throws(ErrorReport) -> RunID {
        let text = exchange.request.path["run"] ?? ""
        guard let run = RunID(text) else {
            throw ErrorReport(.unknownRun, "unknown run '\(SafeText.line(text))'", hint: "GET /v1/history lists runs")
        }
        return run
    }

    private func respond(with text: TextStream, to exchange: APIExchange, _ headers: [(String, String)]) {
        exchange.respond(
            HTTPAnswer(
                status: 200,
                headers: [("Content-Type", "text/event-stream")] + headers,
                body: .stream(text)
            )
        )
    }

    // MARK: Streams

    private func attach(_ stream: RunStream, on link: IntentdLink, for exchange: APIExchange) {
        link.attach(stream, to: stream.run)
        streams[ObjectIdentifier(stream)] = (stream, exchange.caller)
        attached[stream.run]?.watcherCount += 1
        armKeepAlive()
        exchange.whenEnded = { [weak self, weak link] in
            link?.detach(stream, from: stream.run)
            self?.left(stream)
        }
    }

    private func left(_ stream: RunStream) {
        streams[ObjectIdentifier(stream)] = nil
        if streams.isEmpty { keepAliveTimer = nil }
        guard attached[stream.run] != nil else { return }
        attached[stream.run]?.watcherCount -= 1
        if stream.isFinished { return release(stream.run) }
        armRelease(of: stream.run)
    }

    /// A run with the rule `cancel`, and the number of streams that keep it.
    private struct AttachedRun {
        var caller: APICaller
        var link: IntentdLink
        var watcherCount = 0
        var timer: EventSource?
    }

    private func attach(_ link: IntentdLink, to run: RunID, of caller: APICaller) {
        guard attached[run] == nil else { return link.close() }
        attached[run] = AttachedRun(caller: caller, link: link)
        armRelease(of: run)
    }

    /// Closes the run's connection, so that intentd cancels the run, unless a client continues to receive its events.
    private func armRelease(of run: RunID) {
        do throws(SystemError) {
            let instant = ClockReading.monotonicNanoseconds() + limits.returnPatience.nanoseconds
            attached[run]?.timer = try loop.timer(atNanoseconds: instant) { [weak self] in
                guard self?.attached[run]?.watcherCount == 0 else { return }
                self?.release(run)
            }
        } catch {
            release(run)
        }
    }

    private func release(_ run: RunID) {
        attached.removeValue(forKey: run)?.link.close()
        whenReleased()
    }

    private func armKeepAlive() {
        guard keepAliveTimer == nil else { return }
        do throws(SystemError) {
            let instant = ClockReading.monotonicNanoseconds() + WebLimits.keepAlive.nanoseconds
            keepAliveTimer = try loop.timer(atNanoseconds: instant) { [weak self] in
                guard let self else { return }
                keepAliveTimer = nil
                for entry in streams.values { entry.stream.text?.keepAlive() }
                if !streams.isEmpty { armKeepAlive() }
            }
        } catch {
            // Without the timer, a connection without a client is noticed at the next event.
            keepAliveTimer = nil
        }
    }
}
