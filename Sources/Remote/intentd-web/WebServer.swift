import CIntentHTTP
import Glibc
import IntentCommandLine
import IntentLinux
import IntentProtocol
import IntentSystemd

/// The HTTP server, which carries out the decisions of ``WebAccess`` on one thread.
final class WebServer {
    let loop: EventLoop
    let listener: WebListener
    private let page: PageFolder
    /// The program and arguments that start intentctl, to which the server appends a command such as `doctor`.
    private let command: [String]
    private let opensBrowser: Bool
    private let isPrivate: Bool
    private let endsWithInput: Bool
    var access: WebAccess
    /// The rules of the service; nil for the server of one user.
    var service: WebService?
    /// The timer of the service's regular work.
    var review: EventSource?
    private var daemon: OpaquePointer?
    var sources: [EventSource] = []
    private var timer: EventSource?
    private var turn: EventSource?
    private var idleTimer: EventSource?
    /// True for the server of a session of `intentctl --host`, with the number of its connections.
    let isSession: Bool
    var connectionCount = 0
    /// The time at which the server exits without a further channel.
    var sessionTimer: EventSource?
    /// The time of the last request of the page or of a program.
    private var usedAt = WebServer.now
    let api: APIServer
    let headerFile: String?
    /// The program that opens the browser (xdg-open). It is not terminated, because it may have become the browser.
    private var opener: ChildProcess?
    private var opening: OpeningFile?
    /// All report processes that have not been reaped.
    private var reports: [ChildProcess] = []

    init(_ arguments: WebArguments) throws {
        loop = try EventLoop()
        page = try PageFolder(at: arguments.page)
        listener = try WebListener(arguments.listener)
        service = arguments.listener == .service ? try WebService(arguments, on: listener) : nil
        command = arguments.command
        opensBrowser = arguments.opensBrowser
        isPrivate = arguments.listener == .privateSocket
        isSession = arguments.listener == .standardStreams
        endsWithInput = arguments.endsWithInput
        let socket = arguments.socket
        let mcp = MCPEndpoint(command: arguments.command, on: loop)
        api = APIServer(on: loop, mcp: mcp) { _ throws(SystemError) in
            SharedFileDescriptor(try UnixSocket.connect(.stream, to: socket))
        }
        headerFile = arguments.headerFile
        if isSession { api.limits = .session }
        if let service {
            api.limits = .service
            api.serveHooks(in: arguments.hooks, settings: service.access.settings)
            api.resource = service.access.resource
        }
        access = WebAccess(listener.access, at: Self.now)
    }

    static var now: Duration { .nanoseconds(ClockReading.monotonicNanoseconds()) }

    /// Serves requests until a signal arrives, or until there has been no request for ``WebLimits/idleLife``.
    ///
    /// - Returns: The exit code of the process.
    func run() throws -> Int32 {
        // SAFETY: this object outlives the loop, and therefore every call from libmicrohttpd.
        let context = Unmanaged.passUnretained(self).toOpaque()
        daemon = cmicrohttpd_start(
            listener.socket.rawValue,
            service == nil ? WebLimits.connectionCount : WebLimits.serviceConnectionCount,
            service?.perAddressCount ?? 0,
            isSession ? 0 : WebLimits.connectionSeconds,
            WebLimits.headerByteCount,
            service?.certificate,
            service?.privateKey,
            { context, connection, path, method, _, data, count, state in
                WebServer.from(context).respond(connection, path, method, data, count, state)
            },
            { context, connection, state, _ in
                WebServer.from(context).changed(connection, isWaiting: true)
                WebServer.from(context).complete(state)
            },
            { context, connection, _, code in
                let isOpen = code == MHD_ConnectionNotificationCode(rawValue: 0)
                WebServer.from(context).changed(connection, isWaiting: isOpen)
                WebServer.from(context).countConnection(isOpen: isOpen)
            },
            context
        )
        guard let daemon else { throw SystemError("MHD_start_daemon", code: Errno(rawValue: errno)) }
        defer { end() }
        turn = try loop.deferred { [weak self] in self?.serve() }
        timer = try loop.timer(atNanoseconds: ClockReading.monotonicNanoseconds()) { [weak self] in self?.serve() }
        sources.append(try loop.descriptor(cmicrohttpd_epoll(daemon), [.readable]) { [weak self] _ in self?.serve() })
        for number in [SIGTERM, SIGINT, SIGHUP] {
            sources.append(try loop.signal(number) { [weak self] in self?.loop.exit(0) })
        }
        sources.append(try loop.signal(SIGCHLD) { [weak self] in self?.reap() })
        idleTimer = try loop.timer(atNanoseconds: idleInstant) { [weak self] in self?.exitIfIdle() }
        try writeHeader(access.authorization)
        if service != nil {
            try startService()
        } else if isSession {
            try beginSession()
        } else if isPrivate {
            tellStarter()
        } else {
            announce()
        }
        if endsWithInput { try watchInput() }
        return try loop.run()
    }

    private var idleInstant: Int64 { (usedAt + WebLimits.idleLife).nanoseconds }

    private func exitIfIdle() {
        guard service == nil, !isSession else { return }
        if !api.isIdle { usedAt = Self.now }
        if Self.now >= usedAt + WebLimits.idleLife {
            WebConsole.note("exiting: no page has been open for 8 hours")
            return loop.exit(0)
        }
        do throws(SystemError) {
            try idleTimer?.rearm(atNanoseconds: idleInstant)
        } catch {
            loop.exit(1)
        }
    }

    private func end() {
        for report in reports { report.signal(SIGTERM) }
        api.mcp.end()
        // Do not call MHD_stop_daemon, which is not permitted while connections are suspended. This process exits now.
        listener.close()
        opening?.remove()
        if let headerFile { _ = unlink(headerFile) }
    }

    /// Tells the program that has started the server the address and the header field.
    private func tellStarter() {
        let address: JSONValue = [
            "socket": .string(listener.path ?? ""), "authorization": .string(access.authorization),
        ]
        WebConsole.output(address.text())
    }

    /// Exits with the program that has started the server, which keeps standard input open.
    private func watchInput() throws(SystemError) {
        let input = SharedFileDescriptor(owning: 0, closer: { _ in })
        sources.append(
            try loop.descriptor(input, [.readable]) { [weak self] _ in
                // What the program writes has no meaning.
                if (try? File.read(0, upTo: 4096))?.isEmpty != false { self?.loop.exit(0) }
            }
        )
    }

    private func announce() {
        var name = utsname()
        _ = uname(&name)
        let host = withUnsafeBytes(of: &name.nodename) { String(foreign: $0.prefix { $0 != 0 }) }
        let isRemote = getenv("SSH_CONNECTION") != nil
        let lines = listener.announcement(entrance: access.entrance, hostName: host, isRemoteLogin: isRemote)
        WebConsole.output(lines[0])
        for line in lines.dropFirst() { WebConsole.note(line) }
        guard opensBrowser else { return }
        do throws(SystemError) {
            opening = try OpeningFile(leadingTo: lines[0])
            opener = try opening?.open()
        } catch {
            WebConsole.note("cannot open a browser: \(error). Open the address above.")
        }
    }

    private func reap() {
        reports.removeAll { $0.exitCodeIfEnded() != nil }
        api.mcp.reap()
        if opener?.exitCodeIfEnded() != nil { opener = nil }
    }

    // MARK: libmicrohttpd

    private static func from(_ context: UnsafeMutableRawPointer?) -> WebServer {
        // SAFETY: `run()` passed this object, which outlives the daemon.
        Unmanaged<WebServer>.fromOpaque(context!).takeUnretainedValue()
    }

    /// Runs libmicrohttpd, and arms the timer for its next call.
    private func serve() {
        guard let daemon else { return }
        MHD_run(daemon)
        var milliseconds: UInt64 = 0
        guard MHD_get_timeout(daemon, &milliseconds) == .YES else { return }
        do throws(SystemError) {
            if milliseconds == 0 { return try turn?.fireOnce() ?? () }
            let instant = ClockReading.monotonicNanoseconds() + Int64(min(milliseconds, 60_000)) * 1_000_000
            try timer?.rearm(atNanoseconds: instant)
        } catch {
            WebConsole.note("intentd-web: \(error)")
            loop.exit(1)
        }
    }

    func serveSoon() {
        do throws(SystemError) {
            try turn?.fireOnce()
        } catch {
            loop.exit(1)
        }
    }

    private func complete(_ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?) {
        guard let raw = state?.pointee else { return }
        state?.pointee = nil
        let request = Unmanaged<PendingRequest>.fromOpaque(raw).takeRetainedValue()
        request.exchange?.end()
    }

    private func respond(
        _ connection: OpaquePointer?,
        _ path: UnsafePointer<CChar>?,
        _ method: UnsafePointer<CChar>?,
        _ data: UnsafePointer<CChar>?,
        _ count: UnsafeMutablePointer<Int>?,
        _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> MHD_Result {
        guard let connection, let path, let method, let count, let state else { return .NO }
        guard let raw = state.pointee else {
            // This is the first call for the request. libmicrohttpd has not read the body yet.
            let decision = decide(request(of: connection, path, method), on: connection)
            // A refusal that precedes a body ends the connection: the client does not send a long body, and receives the
            // refusal of a short one only after it has sent it.
            let isBodyShort = hasShortBody(connection)
            switch decision {
            case .refuse(let refusal): if !isBodyShort { return refuse(refusal, on: connection) }
            // The connection is suspended. libmicrohttpd repeats this call when it is resumed.
            case .wait: return .YES
            case .enter, .file, .report, .api: usedAt = Self.now
            }
            let pending = PendingRequest(decision, on: connection)
            if case .api(var caller) = decision {
                if isSession { caller = sessionCaller(value(of: "User-Agent", on: connection)) }
                if let exchange = exchange(by: caller, on: connection, String(foreign: method), String(foreign: path)) {
                    pending.exchange = exchange
                    exchange.whenAnswered = { [weak self, weak pending] in self?.resume(pending) }
                    pending.whenSuspended = { [weak self, weak pending] in self?.watchHangUp(of: pending) }
                    exchange.prepare()
                    if exchange.storesFile { changed(connection, isWaiting: false) }
                } else {
                    pending.refusal = unknown(String(foreign: method), String(foreign: path))
                }
                if !isBodyShort, let answer = pending.refusal ?? pending.exchange?.answer {
                    return send(answer, of: nil, on: connection)
                }
            }
            state.pointee = Unmanaged.passRetained(pending).toOpaque()
            return .YES
        }
        let request = Unmanaged<PendingRequest>.fromOpaque(raw).takeUnretainedValue()
        if count.pointee > 0, let data {
            data.withMemoryRebound(to: UInt8.self, capacity: count.pointee) {
                request.append(UnsafeBufferPointer(start: $0, count: count.pointee))
            }
            count.pointee = 0
            return .YES
        }
        changed(connection, isWaiting: false)
        return answer(request, on: connection)
    }

    private func request(
        of connection: OpaquePointer,
        _ path: UnsafePointer<CChar>,
        _ method: UnsafePointer<CChar>
    ) -> WebRequest {
        func value(_ name: String, _ kind: MHD_ValueKind = .HEADER_KIND) -> String? {
            self.value(of: name, on: connection, kind)
        }
        return WebRequest(
            String(foreign: method),
            String(foreign: path),
            token: value("token", .GET_ARGUMENT_KIND),
            host: value("Host"),
            origin: value("Origin"),
            fetchSite: value("Sec-Fetch-Site"),
            cookie: value("Cookie"),
            key: value("X-Intentd-Key"),
            authorization: value("Authorization")
        )
    }

    private func value(
        of name: String,
        on connection: OpaquePointer,
        _ kind: MHD_ValueKind = .HEADER_KIND
    ) -> String? {
        MHD_lookup_connection_value(connection, kind, name).map { String(foreign: $0) }
    }

    private func answer(_ request: PendingRequest, on connection: OpaquePointer) -> MHD_Result {
        switch request.decision {
        case .refuse(let refusal): return refuse(refusal, on: connection)
        case .wait: return .NO
        case .enter(let cookie, let key):
            let bytes = Array(PageFile.entrance(key: key).utf8)
            return send(bytes, 200, "text/html; charset=utf-8", [("Set-Cookie", cookie)], on: connection)
        case .file(let name):
            guard let file = page[name] else { return refuse(.unknownPath, on: connection) }
            return send(file.bytes, 200, file.type, on: connection)
        case .report(let report): return answer(request, with: report, on: connection)
        case .api:
            if let refusal = request.refusal { return send(refusal, of: nil, on: connection) }
            guard let exchange = request.exchange else { return .NO }
            if !request.hasBegun {
                request.hasBegun = true
                exchange.begin()
            }
            guard let answer = exchange.answer else {
                request.suspend()
                return .YES
            }
            return send(answer, of: request, on: connection)
        }
    }

    /// Creates a response that consists of the events of a request.
    func eventResponse(for request: PendingRequest) -> OpaquePointer? {
        // SAFETY: the response retains the request until libmicrohttpd has made its last call to the reader.
        let context = Unmanaged.passRetained(request)
        return MHD_create_response_from_callback(
            UInt64.max,
            32 << 10,
            { context, _, buffer, limit in
                guard let context, let buffer else { return -2 }
                return Unmanaged<PendingRequest>.fromOpaque(context).takeUnretainedValue().readEvents(buffer, limit)
            },
            context.toOpaque(),
            { context in if let context { Unmanaged<PendingRequest>.fromOpaque(context).release() } }
        )
    }

    private func answer(_ request: PendingRequest, with report: WebReport, on connection: OpaquePointer) -> MHD_Result {
        if request.report == nil {
            reap()
            guard reports.count < WebLimits.reportCount else { return refuse(.tooManyReports, on: connection) }
            do throws(SystemError) {
                let process = try ReportProcess(command + report.words, on: loop)
                process.whenEnded = { [weak self, weak request] in self?.resume(request) }
                reports.append(process.process)
                request.report = process
            } catch {
                return refuse(.cannotStart("\(error)"), on: connection)
            }
        }
        guard let process = request.report, process.hasEnded else {
            request.suspend()
            return .YES
        }
        return send(process.bytes, 200, "application/json", on: connection)
    }

    func resume(_ request: PendingRequest?) {
        guard let request, request.isSuspended else { return }
        request.isSuspended = false
        MHD_resume_connection(request.connection)
        serveSoon()
    }

    // MARK: Answers

    func send(
        _ bytes: [UInt8],
        _ status: UInt32,
        _ type: String?,
        _ headers: [(String, String)] = [],
        on connection: OpaquePointer
    ) -> MHD_Result {
        var bytes = bytes
        let response = MHD_create_response_from_buffer(bytes.count, &bytes, .RESPMEM_MUST_COPY)
        if let type { MHD_add_response_header(response, "Content-Type", type) }
        for (name, value) in headers { MHD_add_response_header(response, name, value) }
        return queue(response, status, on: connection)
    }
}
