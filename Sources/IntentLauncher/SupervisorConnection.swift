import Glibc
import IntentDaemon
import IntentLinux
import IntentSystemd
import IntentWire

/// The launcher's connection to intentd. It serves one intentd at a time, and waits at most 30 s for the next one.
final class SupervisorConnection {
    enum Event {
        /// An intentd has connected. It has not received any message yet.
        case connected
        /// The connection ended. All commands that arrived before its end were handled.
        case lost(reason: String)
        /// No intentd has connected in time, or none can connect.
        case abandoned(reason: String)
    }

    /// How long the launcher waits for the next intentd.
    private static let patienceNanoseconds: Int64 = 30_000_000_000

    private let loop: EventLoop
    private let journal: Journal
    private let socket: LauncherArguments.SupervisorSocket
    /// Nil for a launcher that serves only a single intentd.
    let listener: SharedFileDescriptor?
    private var listenerSource: EventSource?
    private var link: LaunchSocket?
    private var guardTimer: EventSource?
    /// True while the launcher quits: it refuses every other intentd.
    var refusesConnections = false
    private var handle: (Event) -> Void = { _ in }
    private var paused: () -> Void = {}
    private var received: ([UInt8], [SharedFileDescriptor]) throws -> Void = { _, _ in }
    private var defers: (SharedFileDescriptor) -> Bool = { _ in false }

    /// - Parameter inherited: The listener of the replaced program.
    init(
        _ socket: LauncherArguments.SupervisorSocket,
        inherited: Int32?,
        on loop: EventLoop,
        journal: Journal
    ) throws(SystemError) {
        self.loop = loop
        self.journal = journal
        self.socket = socket
        if let inherited {
            listener = SharedFileDescriptor(owning: inherited)
            return
        }
        switch socket {
        case .listen(let path):
            let made = SharedFileDescriptor(try UnixSocket.listen(.sequencedPacket, at: path, permissions: 0o600))
            try made.setNonblocking()
            listener = made
        case .handed:
            guard let handed = try SocketActivation.receiveSockets().first else {
                throw SystemError("sd_listen_fds", on: "intentd-workers.socket", code: Errno(rawValue: ENOENT))
            }
            listener = handed.socket
        case .connected: listener = nil
        }
    }

    /// True when the launcher may serve several intentds, one after the other.
    var outlivesSupervisor: Bool {
        switch socket {
        case .listen, .handed: true
        case .connected: false
        }
    }

    /// Serves the intentd that is already connected, or waits for the first one.
    ///
    /// - Parameters:
    ///   - inherited: The connection that the replaced program accepted.
    ///   - handle: Receives each event.
    ///   - received: Receives the payload of each command. An error that it throws ends the connection.
    ///   - paused: Called after the last of the commands that arrived together.
    ///   - defers: Returns true for a new intentd that has to wait for ``serve(_:)``.
    func start(
        _ inherited: Int32?,
        handle: @escaping (Event) -> Void,
        received: @escaping ([UInt8], [SharedFileDescriptor]) throws -> Void,
        paused: @escaping () -> Void,
        defers: @escaping (SharedFileDescriptor) -> Bool
    ) throws(SystemError) {
        self.handle = handle
        self.received = received
        self.paused = paused
        self.defers = defers
        if let listener {
            listenerSource = try loop.descriptor(listener, .readable) { [weak self] _ in self?.accept() }
        }
        switch socket {
        case .connected(let descriptor): try connect(SharedFileDescriptor(owning: descriptor))
        case .listen, .handed:
            if let inherited {
                try connect(SharedFileDescriptor(owning: inherited))
            } else {
                try armGuard()
            }
        }
    }

    func send(_ report: LaunchReport, descriptors: [SharedFileDescriptor] = []) {
        link?.send(report, descriptors: descriptors)
    }

    /// Logs why a requested worker cannot start, and reports the reason to intentd.
    func refuse(_ request: LaunchRequest, _ message: String) {
        journal.write(.error, "\(request.app): \(message)", [("INTENT_APP", request.app.text)])
        send(.launchFailed(slot: request.slot, LaunchFailure(message: String(message.prefix(2000)))))
    }

    /// Serves an intentd that had to wait.
    func serve(_ supervisor: SharedFileDescriptor) {
        do {
            try connect(supervisor)
        } catch {
            journal.write(.error, "cannot accept a connection: \(error)")
        }
    }

    /// Ends the connection. Its runs wait for adoption by the next intentd, and end if none connects in time.
    func lose(_ reason: String) {
        guard let link else { return }
        // Obey the commands that intentd sent before the connection ended.
        link.drain()
        guard self.link === link else { return }
        self.link = nil
        handle(.lost(reason: reason))
        guard outlivesSupervisor else { return }
        do {
            try armGuard()
        } catch {
            handle(.abandoned(reason: "cannot arm the timer for the next intentd (\(error))"))
        }
    }

    /// Ends the connection because this program was told to exit. intentd then records its runs as lost, instead of as
    /// ended by the signals that this program sends.
    func leave() { link = nil }

    private func accept() {
        guard let listener else { return }
        do {
            while let socket = try UnixSocket.accept(on: listener.rawValue) {
                guard !refusesConnections else { continue }
                let peer = try UnixSocket.peer(of: socket.rawValue)
                guard isSupervisor(peer) else {
                    journal.write(
                        .warning,
                        "refused a connection from user \(peer.user), who is not the user of intentd"
                    )
                    continue
                }
                // A process with a grant of this socket is a descendant of the launcher, whatever its uid.
                guard try PeerProcess(of: socket.rawValue)?.ancestry(from: getpid()) == .elsewhere else {
                    journal.write(
                        .warning,
                        "refused a connection from a process that is in a sandbox or has exited"
                    )
                    continue
                }
                // systemd runs one intentd at a time, so the earlier one has exited.
                if link != nil { lose("another intentd connected") }
                let supervisor = SharedFileDescriptor(socket)
                if !defers(supervisor) { try connect(supervisor) }
            }
        } catch {
            journal.write(.error, "cannot accept a connection: \(error)")
        }
    }

    private func isSupervisor(_ peer: UnixSocket.Peer) -> Bool {
        switch socket {
        // The mode of the socket's file admits only intentd's user. Inside a user namespace, all users from outside
        // have the same id.
        case .handed: true
        case .listen, .connected: peer.user == getuid() || peer.user == 0
        }
    }

    private func connect(_ supervisor: SharedFileDescriptor) throws(SystemError) {
        link = try LaunchSocket(
            supervisor,
            on: loop,
            descriptorLimit: 1,
            received: received,
            pause: paused,
            ended: { [weak self] reason in self?.lose("lost the connection to intentd: \(reason)") }
        )
        guardTimer = nil
        handle(.connected)
    }

    private func armGuard() throws(SystemError) {
        let end = ClockReading.monotonicNanoseconds() + Self.patienceNanoseconds
        guardTimer = try loop.timer(atNanoseconds: end) { [weak self] in
            guard let self, link == nil else { return }
            handle(.abandoned(reason: "no intentd connected within 30 s"))
        }
    }
}
