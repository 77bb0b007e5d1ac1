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
    private let client: SharedFileDescriptor
    private var server: SharedFileDescriptor?
    private var clientSource: EventSource?
    private var serverSource: EventSource?
    private var state: State
    private var up = Flow()
    private var down = Flow()
    private var lastUse: Int64
    /// Called when the name must be looked up. The result is passed to ``resolved(_:)``.
    var resolve: () -> Void = {}
    /// Called with the numbers of bytes that were sent to and received from the host since the last call.
    var used: (_ sent: Int64, _ received: Int64, _ isNew: Bool) -> Void = { _, _, _ in }
    /// Called once, when the connection has ended. The reason is nil for a connection that was open.
    var ended: (RefusedConnection.Reason?) -> Void = { _ in }

    /// - Parameter host: The name, or the text of an address.
    init(_ client: SharedFileDescriptor, to host: String, _ port: UInt16, by grant: HostGrant, on loop: EventLoop) {
        (self.client, self.host, self.port, self.grant, self.loop) = (client, host, port, grant, loop)
        lastUse = ClockReading.monotonicNanoseconds()
        state = .resolving
    }

    func start() {
        do {
            clientSource = try loop.descriptor(client, .readable) { [weak self] events in self?.clientReady(events) }
            if case .address(let address) = grant.host { return connect(to: [address]) }
            guard FirstBytes.isChecked(port), !grant.isUnchecked else {
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
            (server, serverSource) = (opened, source)
            state = .connecting(Array(rest))
            return updateWatches()
        }
        end(.unreachable)
    }

    // MARK: Events

    private func clientReady(_ events: PollEvents) {
        switch state {
        case .checking: readFirstBytes()
        case .open: move(events, from: client, to: server, \.up, \.down)
        case .resolving, .connecting, .closed: break
        }
    }

    private func serverReady(_ events: PollEvents) {
        switch state {
        case .connecting(let rest):
            guard let server else { return }
            guard intentd_socket_error(server.rawValue) == 0, !events.contains(.failed) else {
                return connect(to: rest)
            }
            state = .open
            used(0, 0, true)
            lastUse = ClockReading.monotonicNanoseconds()
            send(\.up, to: server)
        case .open:
            if let server { move(events, from: server, to: client, \.down, \.up) }
        case .checking, .resolving, .closed: break
        }
    }

    private func readFirstBytes() {
        guard let bytes = receive(from: client) else { return }
        up.held += bytes
        switch FirstBytes.check(up.held, on: port, for: host) {
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

    /// Receives bytes from one end and sends them to the other; then sends the bytes that the end can take again.
    private func move(
        _ events: PollEvents,
        from: SharedFileDescriptor,
        to: SharedFileDescriptor?,
        _ incoming: ReferenceWritableKeyPath<EgressConnection, Flow>,
        _ outgoing: ReferenceWritableKeyPath<EgressConnection, Flow>
    ) {
        guard let to else { return }
        if events.contains(.writable), !self[keyPath: outgoing].held.isEmpty { send(outgoing, to: from) }
        guard case .open = state, !events.isDisjoint(with: [.readable, .hungUp, .failed, .endOfInput]),
            self[keyPath: incoming].held.isEmpty, !self[keyPath: incoming].isEnded
        else { return }
        lastUse = ClockReading.monotonicNanoseconds()
        guard let bytes = receive(from: from) else { return }
        if bytes.isEmpty { self[keyPath: incoming].isEnded = true }
        self[keyPath: incoming].held = bytes
        send(incoming, to: to)
    }

    /// Returns the bytes that have arrived, or no byte at the end of the stream. Returns nil if no bytes have arrived yet, or
    /// if the connection is broken, which ends it.
    private func receive(from socket: SharedFileDescriptor) -> [UInt8]? {
        var error: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, count in
            let received = recv(socket.rawValue, buffer.baseAddress, Self.chunk, Int32(MSG_DONTWAIT))
            error = received < 0 ? errno : 0
            count = max(0, received)
        }
        if error == EAGAIN || error == EINTR { return nil }
        if error != 0 {
            end(nil)
            return nil
        }
        return bytes
    }

    /// Sends the held bytes of a direction, and the end of the direction after them.
    private func send(_ flow: ReferenceWritableKeyPath<EgressConnection, Flow>, to socket: SharedFileDescriptor) {
        let held = self[keyPath: flow].held
        if !held.isEmpty {
            let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
            let sent = Glibc.send(socket.rawValue, held, held.count, flags)
            if sent < 0, errno != EAGAIN, errno != EINTR { return end(nil) }
            self[keyPath: flow].byteCount += Int64(max(0, sent))
            self[keyPath: flow].held = sent >= held.count ? [] : Array(held[max(0, sent)...])
        }
        if self[keyPath: flow].held.isEmpty, self[keyPath: flow].isEnded, !self[keyPath: flow].isClosed {
            shutdown(socket.rawValue, Int32(SHUT_WR))
            self[keyPath: flow].isClosed = true
            reportUse()
        }
        if up.isClosed && down.isClosed { return end(nil, isComplete: true) }
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
        case .open where seconds > Self.idleLimit: end(nil)
        case .checking, .resolving, .connecting, .open, .closed: break
        }
    }

    /// Ends the connection. Unless it is complete, both sides receive a reset, so that none takes a broken transfer for a
    /// complete one.
    func end(_ reason: RefusedConnection.Reason?, isComplete: Bool = false) {
        if case .closed = state { return }
        state = .closed
        if !isComplete {
            intentd_reset_on_close(client.rawValue)
            if let server { intentd_reset_on_close(server.rawValue) }
        }
        clientSource = nil
        serverSource = nil
        server = nil
        reportUse()
        ended(reason)
    }
}
