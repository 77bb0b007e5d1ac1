import Glibc
import IntentAPI
import IntentCommandLine
import IntentLinux
import IntentProtocol
import IntentSystemd

/// The Model Context Protocol over Streamable HTTP. Revision 2026-07-28 has one request in each POST, and no sessions;
/// earlier revisions have sessions with their handshake. A process of each caller performs the protocol.
///
/// Use an instance only on the loop's thread.
final class MCPEndpoint {
    private let command: [String]
    private let loop: EventLoop
    private var processes: [APICaller: MCPProcess] = [:]
    private var ended: [ChildProcess] = []
    private var sessions: [String: MCPHTTPSession] = [:]
    /// Requests without a response.
    private var waiting: [ObjectIdentifier: MCPReply] = [:]
    private var timer: EventSource?

    /// - Parameter command: The command line of intentctl.
    init(command: [String], on loop: EventLoop) {
        self.command = command
        self.loop = loop
    }

    func receive(_ exchange: APIExchange) {
        let request = exchange.request
        switch request.route.method {
        case "POST": post(exchange)
        case "DELETE":
            guard let session = session(of: exchange) else { return }
            end(session)
            exchange.respond(.empty())
        default:
            guard let session = session(of: exchange) else { return }
            guard request.acceptsEvents else {
                return exchange.respond(Self.refusal(406, "Accept: expected text/event-stream"))
            }
            let last = request.headers["last-event-id"].flatMap { UInt64($0) }
            let stream = session.listen(after: last)
            exchange.whenEnded = { [weak session] in session?.left(stream) }
            respond(with: stream, to: exchange)
            armTimer()
        }
    }

    /// Ends everything of callers that are no longer permitted.
    func review(isPermitted: (APICaller) -> Bool) {
        for (caller, process) in processes where !isPermitted(caller) { process.end() }
    }

    func end() { for process in processes.values { process.end() } }

    /// Reaps processes that have exited.
    func reap() { ended.removeAll { $0.exitCodeIfEnded() != nil } }

    // MARK: Messages

    private func post(_ exchange: APIExchange) {
        let post: MCPPost
        do throws(MCPPost.Refusal) {
            post = try MCPPost(exchange.body, headers: exchange.request.headers)
        } catch {
            return exchange.respond(.json(error.body, status: error.status))
        }
        let process: MCPProcess
        do throws(SystemError) {
            guard
                processes[exchange.caller] != nil
                    || processes.keys.count(where: { $0.name == exchange.caller.name }) < WebLimits.callerProcessCount
            else { return exchange.respond(Self.refusal(503, "you use too many tokens with other scopes")) }
            process = try self.process(of: exchange.caller)
        } catch {
            return exchange.respond(ErrorReport(.noDaemon, "cannot start intentctl: \(error)"))
        }
        if post.isStateless {
            guard case .request = post.kind else { return exchange.respond(Self.accepted) }
            return serve(post, exchange, process)
        }
        if post.method == "initialize" { return begin(post, exchange, process) }
        guard let session = session(of: exchange) else { return }
        guard case .request(let id, let token) = post.kind else {
            session.send(post.line)
            if case .cancellation(let id) = post.kind { session.cancel(id) }
            return exchange.respond(Self.accepted)
        }
        let reply = reply(to: exchange, isStateless: false)
        session.expect(reply, id: id, token: token)
        exchange.whenEnded = { [weak self, weak session] in
            self?.forget(reply)
            session?.left(reply.stream)
        }
        session.send(post.line)
    }

    /// Serves a request of revision 2026-07-28, which ends when its client closes the connection.
    private func serve(_ post: MCPPost, _ exchange: APIExchange, _ process: MCPProcess) {
        let reply = reply(to: exchange, isStateless: true)
        let number = process.open { value, text in
            let isResponse = value.members["method"] == nil
            reply.send(EventText.mcp(text, number: nil), value, text, isResponse: isResponse)
        }
        exchange.whenEnded = { [weak self, weak process] in
            self?.forget(reply)
            if !reply.isAnswered, case .request(let id, _) = post.kind {
                let cancellation: JSONValue = [
                    "jsonrpc": "2.0", "method": "notifications/cancelled", "params": ["requestId": id],
                ]
                process?.send(Array(cancellation.text().utf8), to: number)
            }
            process?.close(number)
        }
        process.send(post.line, to: number)
    }

    private func begin(_ post: MCPPost, _ exchange: APIExchange, _ process: MCPProcess) {
        guard sessions.values.count(where: { $0.caller == exchange.caller }) < WebLimits.sessionCount else {
            return exchange.respond(Self.refusal(503, "you have too many sessions: end one with DELETE"))
        }
        guard case .request(let id, let token) = post.kind else {
            return exchange.respond(Self.refusal(400, "initialize: expected a request"))
        }
        let session = MCPHTTPSession(SecretText().text, of: exchange.caller, in: process)
        sessions[session.name] = session
        let reply = reply(to: exchange, isStateless: false)
        reply.headers = [("Mcp-Session-Id", session.name)]
        session.expect(reply, id: id, token: token)
        exchange.whenEnded = { [weak self, weak session] in
            self?.forget(reply)
            session?.left(reply.stream)
        }
        session.send(post.line)
    }

    private func reply(to exchange: APIExchange, isStateless: Bool) -> MCPReply {
        let reply = MCPReply(to: exchange, isStateless: isStateless)
        waiting[ObjectIdentifier(reply)] = reply
        armTimer()
        return reply
    }

    private func forget(_ reply: MCPReply) { waiting[ObjectIdentifier(reply)] = nil }

    // MARK: Sessions

    /// Returns the session that a request names, or answers the request.
    private func session(of exchange: APIExchange) -> MCPHTTPSession? {
        guard let name = exchange.request.headers["mcp-session-id"] else {
            let status: UInt32 = exchange.request.route.method == "POST" ? 400 : 405
            exchange.respond(Self.refusal(status, "expected the header Mcp-Session-Id, or a request of 2026-07-28"))
            return nil
        }
        guard let session = sessions[name], session.caller == exchange.caller else {
            exchange.respond(Self.refusal(404, "the session has ended"))
            return nil
        }
        return session
    }

    private func end(_ session: MCPHTTPSession) {
        sessions[session.name] = nil
        session.end()
    }

    private func process(of caller: APICaller) throws(SystemError) -> MCPProcess {
        if let process = processes[caller], !process.hasEnded { return process }
        var words = command + ["mcp", "--sessions", "--software", caller.software]
        if let user = caller.user { words += ["--as", user] }
        for pattern in caller.allowed ?? [] { words += ["--only", pattern] }
        let process = try MCPProcess(words, on: loop)
        process.whenEnded = { [weak self, weak process] in
            guard let self, let process else { return }
            processes[caller] = nil
            process.process.signal(SIGTERM)
            ended.append(process.process)
            for session in sessions.values where session.process === process { end(session) }
            for reply in waiting.values where reply.caller == caller { reply.fail() }
        }
        processes[caller] = process
        return process
    }

    // MARK: Time

    /// Begins streams for requests that take long, keeps streams alive, and ends sessions and processes without use.
    private func armTimer() {
        guard timer == nil else { return }
        do throws(SystemError) {
            let instant = ClockReading.monotonicNanoseconds() + 10_000_000_000
            timer = try loop.timer(atNanoseconds: instant) { [weak self] in
                guard let self else { return }
                timer = nil
                for reply in waiting.values { reply.keepAlive() }
                for session in sessions.values {
                    session.keepAlive()
                    if session.isExpired { end(session) }
                }
                for process in processes.values where process.isIdle { process.end() }
                if !processes.isEmpty || !sessions.isEmpty { armTimer() }
            }
        } catch {
            // Without the timer, a proxy can close a stream of a long call.
            timer = nil
        }
    }

    private func respond(with stream: TextStream, to exchange: APIExchange) {
        exchange.respond(HTTPAnswer(status: 200, headers: MCPReply.streamHeaders, body: .stream(stream)))
    }

    static var accepted: HTTPAnswer { HTTPAnswer(status: 202, body: .bytes([])) }

    private static func refusal(_ status: UInt32, _ message: String) -> HTTPAnswer {
        .json(MCPPost.Refusal(status: status, code: -32600, message: message).body, status: status)
    }
}
