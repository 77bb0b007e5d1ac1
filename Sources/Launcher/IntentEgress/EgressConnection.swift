import CIntentEgress
import Glibc
import IntentLauncherMessages
import IntentLinux
import IntentSystemd

/// A connection of a sandbox's process, and the connection to the host that it stands for.
final class EgressConnection {
    private enum State {
        /// Reads the first bytes, until the name in them is known.
        case checking
        /// Waits for a look-up or its turn to start one.
        case resolving
        /// Connects to an address; these addresses remain.
        case connecting([HostAddress])
        /// Performs the handshake of TLS, and waits for these events.
        case securing(PollEvents)
        case open
        case closed
    }

    /// The bytes in one direction.
    private struct Flow {
        /// Bytes that the receiver could not take yet.
        var held: [UInt8] = []
        /// True once the sender has ended its direction, and once the receiver knows.
        var isEnded = false
        var isClosed = false
        /// The number of bytes that the receiver has taken since the last report.
        var byteCount: Int64 = 0
    }

    /// The time in which a connection must be open, and after which an idle connection ends, in seconds.
    private static let openingLimit: Int64 = 30
    private static let idleLimit: Int64 = 3600
    private static let chunk = 64 << 10

    let host: String
    let port: UInt16
    private let grant: HostGrant
    private let loop: EventLoop
    private let client: HostSocket
    private var server: HostSocket?
    private var clientSource: EventSource?
    private var serverSource: EventSource?
    private var state: State
    /// What inserts the credential of the grant.
    private let insertion: Insertion?
    /// The rest of the body of the request into which a credential was inserted.
    private var body: RequestBody?
    /// The response to this request; nil without a credential.
    private var response: ResponseFraming?
    /// What the app reads before the connection ends.
    private var farewell: [UInt8] = []
    private var up = Flow()
    private var down = Flow()
    private var lastUse: Int64
    /// The secret of a credential, and the rules of TLS.
    struct Insertion {
        var rewriter: HeadRewriter
        var secret: () -> Credentials.Secret
        var rules: HostSocket.Rules
    }

    /// Called when the name must be looked up. The result is passed to ``resolved(_:)``.
    var resolve: () -> Void = {}
    /// Called with the numbers of bytes that were sent to and received from the host since the last call.
    var used: (_ sent: Int64, _ received: Int64, _ isNew: Bool) -> Void = { _, _, _ in }
    /// Called once, when the connection has ended. The reason is nil for a connection that was open; the text adds to it.
    var ended: (RefusedConnection.Reason?, _ detail: String?) -> Void = { _, _ in }
    /// The method and path of the request into which a credential was inserted.
    private(set) var request: String?

    /// - Parameters:
    ///   - host: The name, or the text of an address.
    ///   - port: The port of the host.
    ///   - insertion: For a grant with a credential.
    init(
        _ client: SharedFileDescriptor,
        to host: String,
        _ port: UInt16,
        by grant: HostGrant,
        _ insertion: Insertion?,
        on loop: EventLoop
    ) {
        (self.host, self.port, self.grant, self.loop) = (host, port, grant, loop)
        self.client = HostSocket(client)
        self.insertion = insertion
        lastUse = ClockReading.monotonicNanoseconds()
        state = .resolving
    }

    func start() {
        do {
            clientSource = try loop.descriptor(client.socket, .readable) { [weak self] events in
                self?.clientReady(events)
            }
            if case .address(let address) = grant.host { return connect(to: [address]) }
            guard insertion != nil || FirstBytes.isChecked(port) && !grant.isUnchecked else {
                updateWatches()
                return resolve()
            }
            state = .checking
            updateWatches()
        } catch {
            end(.limit)
        }
    }

    /// Continues with the addresses of the name. The connection is made to one of these addresses, without another look-up,
    /// so that a name server cannot answer the check and the connection differently.
    func resolved(_ found: [LookUps.Found]) {
        guard case .resolving = state else { return }
        guard !found.isEmpty else { return end(.noAddress) }
        let permitted = found.filter { grant.allowsPrivate || !($0.address.isPrivate || $0.isOwn) }
        guard !permitted.isEmpty else { return end(.privateAddress) }
        connect(to: permitted.map(\.address))
    }

    private func connect(to addresses: [HostAddress]) {
        serverSource = nil
        server = nil
        var rest = addresses[...]
        while let address = rest.popFirst() {
            let socket = intentd_connect_tcp(address.array, port)
            guard socket >= 0 else { continue }
            let opened = SharedFileDescriptor(owning: socket)
            guard let source = try? loop.descriptor(opened, .writable, { [weak self] in self?.serverReady($0) }) else {
                return end(.limit)
            }
            (server, serverSource) = (HostSocket(opened), source)
            state = .connecting(Array(rest))
            return updateWatches()
        }
        end(.unreachable)
    }

    // MARK: Events

    private func clientReady(_ events: PollEvents) {
        switch state {
        case .checking: readFirstBytes()
        case .open: clientMoved(events)
        case .resolving, .connecting, .securing, .closed: break
        }
    }

    private func serverReady(_ events: PollEvents) {
        switch state {
        case .connecting(let rest):
            guard let server else { return }
            guard intentd_socket_error(server.socket.rawValue) == 0, !events.contains(.failed) else {
                return connect(to: rest)
            }
            guard let insertion else { return begin() }
            guard server.beginTLS(with: host, by: insertion.rules) else { return end(.limit) }
            secure()
        case .securing: secure()
        case .open: serverMoved(events)
        case .checking, .resolving, .closed: break
        }
    }

    private func secure() {
        switch server?.continueHandshake() {
        case .complete: begin()
        case .later(let events)?:
            state = .securing(events)
            updateWatches()
        case .distrusted(let reason)?: end(.certificate, reason)
        case .failed(let reason)?: end(.unreachable, "TLS failed: \(reason)")
        case nil: end(.unreachable)
        }
    }

    private func begin() {
        state = .open
        used(0, 0, true)
        lastUse = ClockReading.monotonicNanoseconds()
        sendUp()
    }

    private func readFirstBytes() {
        guard let bytes = received(from: client) else { return }
        up.held += bytes
        switch insertion.map(insert) ?? FirstBytes.check(up.held, on: port, for: host) {
        // The client has ended its direction before its name was known.
        case .needsMore where bytes.isEmpty: end(.otherName)
        case .needsMore: break
        case .differs: end(.otherName)
        case .matches:
            state = .resolving
            updateWatches()
            resolve()
        }
    }

    /// Replaces the head of the request once it has arrived. Ends the connection if the request or the credential cannot be
    /// used.
    private func insert(_ insertion: Insertion) -> FirstBytes.Verdict {
        switch insertion.secret() {
        case .unusable(let reason): end(.credential, reason)
        case .found(let secret):
            switch insertion.rewriter.rewrite(up.held, with: secret) {
            case .needsMore: break
            case .refused(let reason): end(.request, reason)
            case .accepted(var accepted):
                let rest = accepted.body.take(up.held[accepted.byteCount...])
                guard !accepted.body.isMalformed else {
                    end(.request, "has a body with malformed chunks")
                    return .needsMore
                }
                up.held = accepted.head + rest
                (request, body) = (accepted.summary, accepted.body)
                response = ResponseFraming(isHead: accepted.summary.hasPrefix(utf8: "HEAD "))
                return .matches
            }
        }
        return .needsMore
    }

    private func clientMoved(_ events: PollEvents) {
        if events.contains(.writable), !down.held.isEmpty { sendDown() }
        guard case .open = state, Self.mayReceive(events), up.held.isEmpty, !up.isEnded else { return }
        lastUse = ClockReading.monotonicNanoseconds()
        guard let bytes = received(from: client) else { return }
        if bytes.isEmpty { up.isEnded = true }
        // What follows the body is another request, which must be the first of a connection of its own.
        up.held = body.map { _ in Array(body?.take(bytes[...]) ?? []) } ?? bytes
        guard body?.isMalformed != true else { return end(nil) }
        sendUp()
    }

    private func serverMoved(_ events: PollEvents) {
        if events.contains(.writable), !up.held.isEmpty { sendUp() }
        guard case .open = state, Self.mayReceive(events), down.held.isEmpty, !down.isEnded, let server else { return }
        lastUse = ClockReading.monotonicNanoseconds()
        // Some servers end a connection without the end of TLS. The app itself notices a response that is too short.
        guard let bytes = received(from: server, mayBreak: response?.showsItsEnd == true) else { return }
        if bytes.isEmpty { down.isEnded = true }
        response?.take(bytes)
        down.held = bytes
        sendDown()
    }

    private static func mayReceive(_ events: PollEvents) -> Bool {
        !events.isDisjoint(with: [.readable, .hungUp, .failed, .endOfInput])
    }

    /// Returns the bytes that have arrived, or no byte at the end of the stream. Returns nil if no bytes have arrived yet, or
    /// if the connection is broken, which ends it.
    private func received(from socket: HostSocket, mayBreak: Bool = false) -> [UInt8]? {
        switch socket.receive(Self.chunk) {
        case .bytes(let bytes): return bytes
        case .ended: return []
        case .later, .sent: return nil
        case .broken where mayBreak: return []
        case .broken:
            end(nil)
            return nil
        }
    }

    private func sendUp() { if let server { send(\.up, to: server) } }
    private func sendDown() { send(\.down, to: client) }

    /// Sends the held bytes of a direction, and the end of the direction after them.
    private func send(_ flow: ReferenceWritableKeyPath<EgressConnection, Flow>, to socket: HostSocket) {
        let held = self[keyPath: flow].held
        if !held.isEmpty {
            switch socket.send(held) {
            case .sent(let count):
                self[keyPath: flow].byteCount += Int64(count)
                self[keyPath: flow].held = count >= held.count ? [] : Array(held[count...])
            case .later: break
            case .bytes, .ended, .broken: return end(nil)
            }
        }
        if self[keyPath: flow].held.isEmpty, self[keyPath: flow].isEnded, !self[keyPath: flow].isClosed {
            socket.endSending()
            self[keyPath: flow].isClosed = true
            reportUse()
        }
        // The host has answered the only request of a connection with a credential.
        if down.isClosed && (up.isClosed || body?.isEnded == true) { return end(nil, isComplete: true) }
        updateWatches()
    }

    /// Watches each end for what can be done with it. An end for which there is nothing to do must not be watched at all: the
    /// kernel would report again and again that its peer has closed it.
    private func updateWatches() {
        var (ofClient, ofServer): (PollEvents, PollEvents) = ([], [])
        switch state {
        case .checking: ofClient = .readable
        case .resolving, .closed: break
        case .connecting: ofServer = .writable
        case .securing(let events): ofServer = events
        case .open:
            if up.held.isEmpty, !up.isEnded { ofClient.insert(.readable) }
            if !down.held.isEmpty { ofClient.insert(.writable) }
            if down.held.isEmpty, !down.isEnded { ofServer.insert(.readable) }
            if !up.held.isEmpty { ofServer.insert(.writable) }
        }
        do throws(SystemError) {
            try clientSource?.watchOnly(ofClient)
            try serverSource?.watchOnly(ofServer)
        } catch {
            end(.limit)
        }
    }

    /// Reports the bytes since the last report. Called when a direction ends, and once a second.
    func reportUse() {
        guard up.byteCount > 0 || down.byteCount > 0 else { return }
        used(up.byteCount, down.byteCount, false)
        up.byteCount = 0
        down.byteCount = 0
    }

    // MARK: The end

    /// Ends the connection if it has taken too long to open, or has been idle for too long.
    func endIfOverdue(at now: Int64) {
        let seconds = (now - lastUse) / 1_000_000_000
        switch state {
        case .checking where seconds > Self.openingLimit: end(.otherName)
        case .resolving where seconds > Self.openingLimit: end(.noAddress)
        case .connecting where seconds > Self.openingLimit: end(.unreachable)
        case .securing where seconds > Self.openingLimit: end(.unreachable, "TLS was not established in time")
        case .open where seconds > Self.idleLimit: end(nil)
        case .checking, .resolving, .connecting, .securing, .open, .closed: break
        }
    }

    /// Ends the connection. Unless it is complete, both sides receive a reset, so that none takes a broken transfer for a
    /// complete one.
    func end(_ reason: RefusedConnection.Reason?, _ detail: String? = nil, isComplete: Bool = false) {
        if case .closed = state { return }
        state = .closed
        // An app that sends plain HTTP can read why its request was refused.
        if insertion != nil, let reason { farewell = Self.answer(to: reason, detail) }
        if !isComplete {
            if farewell.isEmpty { client.resetOnClose() }
            server?.resetOnClose()
        }
        clientSource = nil
        serverSource = nil
        server = nil
        reportUse()
        ended(reason, detail)
    }

    /// Sends the app the reason for the end, if it can receive one.
    func sayFarewell() {
        if !farewell.isEmpty { _ = client.send(farewell) }
        farewell = []
    }

    private static func answer(to reason: RefusedConnection.Reason, _ detail: String?) -> [UInt8] {
        let status = reason == .request || reason == .otherName ? "400 Bad Request" : "502 Bad Gateway"
        let text = "intentd-egress: \(reason.explanation(detail))\n"
        return Array(
            """
            HTTP/1.1 \(status)\r
            Content-Type: text/plain; charset=utf-8\r
            Content-Length: \(text.utf8.count)\r
            Connection: close\r
            \r
            \(text)
            """.utf8
        )
    }
}
