import CIntentEgress
import Glibc
import IntentLauncherMessages
import IntentLinux
import IntentSystemd

/// A sandbox that intentd-egress serves: its sockets, its names and its connections.
final class EgressSandbox {
    /// The maximum number of connections of a sandbox, of its look-ups at a time, and of its connections for DNS over TCP.
    static let connectionLimit = 256
    private static let lookUpLimit = 2
    private static let streamLimit = 16
    /// The events of a sandbox in a second, which are queries and new connections, and its reports.
    private static let eventRate: (perSecond: Int64, burst: Int64) = (500, 500)
    private static let reportRate: (perSecond: Int64, burst: Int64) = (20, 100)
    private static let pauseNanoseconds: Int64 = 50_000_000

    private let loop: EventLoop
    private let lookUps: LookUps
    private let credentials: Credentials
    private let sockets: [SharedFileDescriptor]
    private var names: NameTable
    private var sources: [EventSource] = []
    private var connections: [ObjectIdentifier: EgressConnection] = [:]
    private var streams: [ObjectIdentifier: DNSStream] = [:]
    /// The connections that wait for a turn to look their name up, and the number of look-ups in progress.
    private var waiting: [EgressConnection] = []
    private var lookUpCount = 0
    private var events: TokenBucket
    private var reports: TokenBucket
    private var pause: EventSource?
    /// Returns the number of connections that the sandbox may have now.
    private let share: () -> Int
    private let happened: (HostEvent, _ noted: (() -> Void)?) -> Void
    /// The connections that wait for a person's decision.
    private var questions: HostQuestions

    /// - Parameters:
    ///   - share: The sandbox's share of the descriptors of this process, as a number of connections.
    ///   - happened: Called with each event, and for a refusal with a function to call when the launcher has noted it.
    ///   - number: The number of the sandbox.
    init(
        _ grants: [HostGrant],
        generation: Int,
        _ sockets: [SharedFileDescriptor],
        on loop: EventLoop,
        _ lookUps: LookUps,
        _ credentials: Credentials,
        share: @escaping () -> Int,
        happened: @escaping (HostEvent, _ noted: (() -> Void)?) -> Void,
        number: Int
    ) throws(SystemError) {
        let now = ClockReading.monotonicNanoseconds()
        (self.loop, self.lookUps, self.sockets) = (loop, lookUps, sockets)
        self.credentials = credentials
        (self.share, self.happened) = (share, happened)
        questions = HostQuestions(of: number, generation: generation)
        names = NameTable(grants, generation: generation)
        events = TokenBucket(perSecond: Self.eventRate.perSecond, burst: Self.eventRate.burst, at: now)
        reports = TokenBucket(perSecond: Self.reportRate.perSecond, burst: Self.reportRate.burst, at: now)
        for socket in sockets {
            var port: UInt16 = 0
            var isDatagram: Int32 = 0
            try syscall("getsockname") { intentd_own_port(socket.rawValue, &port, &isDatagram) }
            try socket.setNonblocking()
            let number = socket.rawValue
            let source = try loop.descriptor(socket, .readable) { [weak self] _ in
                guard let self, mayServe() else { return }
                switch (port, isDatagram) {
                case (HostGrant.dnsPort, 0): acceptStream(number)
                case (HostGrant.dnsPort, _): answerDatagram(socket)
                default: acceptConnection(number)
                }
            }
            sources.append(source)
        }
    }

    var connectionCount: Int { connections.count }

    /// Ends everything. The sockets close when the sandbox is released; each of them would keep the network namespace.
    func end() {
        sources = []
        pause = nil
        waiting = []
        for connection in connections.values { connection.end(nil) }
        connections = [:]
        streams = [:]
        questions.removeAll()
    }

    func endOverdue(at now: Int64) {
        for connection in connections.values {
            connection.reportUse()
            connection.endIfOverdue(at: now)
        }
        for stream in streams.values { stream.endIfOverdue(at: now) }
    }

    // MARK: Fairness

    /// Returns whether the next event may be served now. Otherwise, its socket and all others wait for a moment.
    private func mayServe() -> Bool {
        if events.take(at: ClockReading.monotonicNanoseconds()) { return true }
        rest()
        return false
    }

    private func rest() {
        guard pause == nil else { return }
        watchSockets(false)
        let end = ClockReading.monotonicNanoseconds() + Self.pauseNanoseconds
        pause = try? loop.timer(atNanoseconds: end) { [weak self] in
            self?.pause = nil
            self?.watchSockets(true)
        }
        // Without a timer, continue at once.
        if pause == nil { watchSockets(true) }
    }

    private func watchSockets(_ isWatching: Bool) {
        // A source that cannot be changed keeps its state; the limit then applies to the others.
        for source in sources { try? source.watchOnly(isWatching ? .readable : []) }
    }

    /// Reports a refusal, and calls `noted` once the launcher knows it; at once if the sandbox has reported too often.
    private func report(
        _ host: String,
        _ port: UInt16?,
        _ reason: RefusedConnection.Reason,
        _ detail: String? = nil,
        noted: @escaping () -> Void = {}
    ) {
        guard reports.take(at: ClockReading.monotonicNanoseconds()) else { return noted() }
        happened(.refused(RefusedConnection(host: host, port: port, reason: reason, detail: detail)), noted)
    }

    // MARK: DNS

    /// Answers a query with `send`, once the launcher knows of a refusal.
    private func answer(_ query: ArraySlice<UInt8>, send: @escaping ([UInt8]) -> Void) {
        var refusal: (String, NameTable.Entry)?
        guard let answer = DNSAnswer.to(query, from: &names, refused: { refusal = ($0, $1) }) else { return }
        guard let (name, entry) = refusal else { return send(answer) }
        report(name, nil, entry == .full ? .limit : .notGranted) { send(answer) }
    }

    private func answerDatagram(_ socket: SharedFileDescriptor) {
        var bytes = [UInt8](repeating: 0, count: DNSAnswer.queryLimit)
        var sender = intentd_sender()
        let count = intentd_receive_datagram(socket.rawValue, &bytes, bytes.count, &sender)
        guard count >= 0 else { return }
        answer(bytes[..<count]) { answer in
            var sender = sender
            intentd_answer_datagram(socket.rawValue, answer, answer.count, &sender)
        }
    }

    private func acceptStream(_ listener: Int32) {
        guard let (socket, _, _) = accept(listener) else { return }
        guard streams.count < Self.streamLimit else { return }
        let stream = DNSStream(socket, on: loop) { [weak self] in self?.answer($0, send: $1) }
        let id = ObjectIdentifier(stream)
        streams[id] = stream
        stream.ended = { [weak self] in self?.streams[id] = nil }
        stream.start()
    }

    // MARK: Connections

    private func accept(_ listener: Int32) -> (SharedFileDescriptor, HostAddress, UInt16)? {
        var address = [UInt8](repeating: 0, count: 16)
        var port: UInt16 = 0
        let accepted = intentd_accept_tcp(listener, &address, &port)
        if accepted < 0, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) { rest() }
        return accepted < 0 ? nil : (SharedFileDescriptor(owning: accepted), HostAddress(address), port)
    }

    private func acceptConnection(_ listener: Int32) {
        guard connections.count + questions.connectionCount < min(Self.connectionLimit, share()) else { return rest() }
        guard let (client, address, ownPort) = accept(listener) else { return }
        let host: String
        var literal: HostAddress?
        switch names.target(of: address) {
        case .name(let name): host = name
        // No grant permits such an address. A name below a wildcard gets another one after a restart of this process.
        case .nothing: return intentd_reset_on_close(client.rawValue)
        case .address: (host, literal) = (address.text, address)
        }
        if let grant = names.grant(for: host, at: literal, port: ownPort) {
            open(client, to: host, ownPort, by: grant)
        } else if literal == nil, names.asks(about: ownPort) {
            ask(about: host, ownPort, for: client)
        } else {
            refuse(client, host, ownPort)
        }
    }

    private func open(_ client: SharedFileDescriptor, to host: String, _ ownPort: UInt16, by grant: HostGrant) {
        let port = grant.credential?.port ?? ownPort
        let insertion = grant.credential.flatMap { credentials.insertion(of: $0, for: host) }
        guard grant.credential == nil || insertion != nil else {
            return refuse(client, host, port, .limit, "OpenSSL cannot be used")
        }
        let connection = EgressConnection(client, to: host, port, by: grant, insertion, on: loop)
        let id = ObjectIdentifier(connection)
        connections[id] = connection
        connection.resolve = { [weak self, weak connection] in
            guard let self, let connection else { return }
            waiting.append(connection)
            lookUpNext()
        }
        let target = RefusedConnection(host: host, port: port, reason: .notGranted).target
        connection.used = { [happened, weak connection] sent, received, isNew in
            var use = HostUse(
                host: target,
                connectionCount: isNew ? 1 : 0,
                sentByteCount: sent,
                receivedByteCount: received
            )
            if isNew, let credential = grant.credential {
                use.credential = credential.name
                use.requests = (connection?.request).map { [$0] }
            }
            happened(.used(hosts: [use]), nil)
        }
        connection.ended = { [weak self, weak connection] reason, detail in
            guard let self else { return }
            connections[id] = nil
            waiting.removeAll { ObjectIdentifier($0) == id }
            // The connection, which `noted` keeps, closes once the launcher knows.
            if let reason { report(host, port, reason, detail) { [connection] in connection?.sayFarewell() } }
        }
        connection.start()
    }

    private func refuse(
        _ client: SharedFileDescriptor,
        _ host: String,
        _ port: UInt16,
        _ reason: RefusedConnection.Reason = .notGranted,
        _ detail: String? = nil
    ) {
        intentd_reset_on_close(client.rawValue)
        report(host, port, reason, detail) { withExtendedLifetime(client) {} }
    }

    // MARK: Questions

    private func ask(about host: String, _ port: UInt16, for client: SharedFileDescriptor) {
        guard let (question, waiter) = questions.add(client, host, port) else {
            return refuse(client, host, port, .limit, "too many connections wait for a person's decision")
        }
        // Without a source, the end of the connection is noticed after the decision.
        let source = try? loop.descriptor(client, .endOfInput) { [weak self] _ in
            guard let self, let ended = questions.remove(waiter, of: question) else { return }
            happened(.withdrawn(ended), nil)
        }
        if questions.watch(waiter, of: question, with: source) { happened(.asked(question), nil) }
    }

    /// Opens or refuses the connections that wait for the answer to a question.
    func decide(_ question: HostQuestion, isPermitted: Bool) {
        for client in questions.end(question) {
            if isPermitted, let grant = names.grant(by: question) {
                open(client, to: question.host, question.port, by: grant)
            } else {
                refuse(client, question.host, question.port, .declined)
            }
        }
    }

    private func lookUpNext() {
        while lookUpCount < Self.lookUpLimit, let connection = waiting.first {
            waiting.removeFirst()
            guard lookUps.count < LookUps.limit else {
                connection.end(.limit)
                continue
            }
            lookUpCount += 1
            do {
                try lookUps.start(connection.host) { [weak self, weak connection] found in
                    self?.lookUpCount -= 1
                    connection?.resolved(found)
                    self?.lookUpNext()
                }
            } catch {
                lookUpCount -= 1
                connection.end(.limit)
            }
        }
    }
}
