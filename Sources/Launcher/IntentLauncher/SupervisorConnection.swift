import Glibc
import IntentDaemon
import IntentLauncherMessages
import IntentLinux
import IntentSandbox
import IntentSystemd

/// The launcher's connection to intentd. The launcher serves one intentd at a time, and waits at most 30 s for the next
/// intentd.
final class SupervisorConnection {
    enum Event {
        /// An intentd has connected. No report has been sent to it yet.
        case connected
        /// The connection ended. All commands received before the end have been handled.
        case lost(reason: String)
        /// The launcher stopped waiting for intentd because the time limit expired or its timer could not be armed.
        case abandoned(reason: String)
    }

    /// The time limit for the next intentd to connect.
    private static let timeLimitNanoseconds: Int64 = 30_000_000_000

    private let loop: EventLoop
    private let journal: Journal
    private let socket: LauncherArguments.SupervisorSocket
    /// The listening socket; nil for a launcher that serves only a single intentd.
    let listener: SharedFileDescriptor?
    private var listenerSource: EventSource?
    private var link: LaunchSocket?
    private var waitTimer: EventSource?
    /// True while the launcher is quitting and therefore refuses new connections.
    var refusesConnections = false
    /// Called with each event.
    var handle: (Event) -> Void = { _ in }
    /// Called with the payload and descriptors of each command. If it throws, the connection ends.
    var received: ([UInt8], [SharedFileDescriptor]) throws -> Void = { _, _ in }
    /// Called after all commands that arrived together have been handled.
    var paused: () -> Void = {}
    /// Called with each new connection. If it returns true, the connection waits for ``serve(_:)``.
    var defers: (SharedFileDescriptor) -> Bool = { _ in false }

    /// - Parameter inherited: The listening socket of the replaced program; nil to create one.
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

    /// True if the launcher survives the loss of its intentd and can then serve another intentd.
    var outlivesSupervisor: Bool {
        switch socket {
        case .listen, .handed: true
        case .connected: false
        }
    }

    /// Serves the intentd that is already connected, or waits for the first intentd.
    ///
    /// - Parameter inherited: The connection that the replaced program accepted; nil if no intentd is connected.
    func start(_ inherited: Int32?) throws(SystemError) {
        if let listener {
            listenerSource = try loop.descriptor(listener, .readable) { [weak self] _ in self?.accept() }
        }
        switch socket {
        case .connected(let descriptor): try connect(SharedFileDescriptor(owning: descriptor))
        case .listen, .handed:
            if let inherited {
                try connect(SharedFileDescriptor(owning: inherited))
            } else {
                try armWaitTimer()
            }
        }
    }

    func send(_ report: LaunchReport, descriptors: [SharedFileDescriptor] = []) {
        link?.send(report, descriptors: descriptors)
    }

    /// Logs the reason why a requested worker cannot start, and reports it to intentd.
    func refuse(_ request: LaunchRequest, _ message: String) { refuse(request, LaunchFailure(message: message)) }

    func refuse(_ request: LaunchRequest, _ failure: LaunchFailure) {
        if logsFailure(of: request) {
            journal.write(.error, "\(request.app): \(failure.message)", [("INTENT_APP", request.app.text)])
        }
        var failure = failure
        failure.message = String(failure.message.prefix(scalars: 2000))
        send(.launchFailed(slot: request.slot, failure))
    }

    /// False for a spare of a private daemon. If its run is requested, the run fails for the same reason, and the
    /// caller is told.
    func logsFailure(of request: LaunchRequest) -> Bool { outlivesSupervisor || !request.isSpare }

    /// Serves an intentd that had to wait for an upgrade.
    func serve(_ supervisor: SharedFileDescriptor) {
        do {
            try connect(supervisor)
        } catch {
            journal.write(.error, "cannot accept a connection: \(error)")
        }
    }

    /// Ends the connection. If the launcher outlives its intentd, the runs wait for adoption by the next intentd, and
    /// are killed if no intentd connects in time.
    func endConnection(_ reason: String) {
        guard let link else { return }
        // Carry out the commands that intentd sent before the connection ended.
        link.drain()
        guard self.link === link else { return }
        self.link = nil
        handle(.lost(reason: reason))
        guard outlivesSupervisor else { return }
        do {
            try armWaitTimer()
        } catch {
            handle(.abandoned(reason: "cannot arm the timer that limits the wait for the next intentd (\(error))"))
        }
    }

    /// Closes the connection because this program received SIGTERM. intentd then records its runs as lost, instead of
    /// as killed by the signals that this program sends.
    func disconnect() { link = nil }

    private func accept() {
        guard let listener else { return }
        do {
            while let socket = try UnixSocket.accept(on: listener.rawValue) {
                guard !refusesConnections else { continue }
                let peer = try UnixSocket.peer(of: socket.rawValue)
                guard isSupervisor(peer) else {
                    journal.write(
                        .warning,
                        "refused a connection from user \(peer.user), which is not intentd's user"
                    )
                    continue
                }
                // Refuse descendants of the launcher regardless of their uid, because the operator may have granted
                // this socket to an app.
                guard try PeerProcess(of: socket.rawValue)?.ancestry(from: getpid()) == .elsewhere else {
                    journal.write(
                        .warning,
                        "refused a connection from a process that is in a sandbox or has exited"
                    )
                    continue
                }
                // End the previous connection. systemd runs one intentd at a time, so the previous intentd has exited.
                if link != nil { endConnection("another intentd connected") }
                let supervisor = SharedFileDescriptor(socket)
                if !defers(supervisor) { try connect(supervisor) }
            }
        } catch {
            journal.write(.error, "cannot accept a connection: \(error)")
        }
    }

    private func isSupervisor(_ peer: UnixSocket.Peer) -> Bool {
        switch socket {
        // The mode of the socket's file lets only intentd's user connect. The uid cannot be checked here, because all
        // unmapped users have the same id in the launcher's user namespace.
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
            ended: { [weak self] reason in self?.endConnection("lost the connection to intentd: \(reason)") }
        )
        waitTimer = nil
        handle(.connected)
    }

    private func armWaitTimer() throws(SystemError) {
        let end = ClockReading.monotonicNanoseconds() + Self.timeLimitNanoseconds
        waitTimer = try loop.timer(atNanoseconds: end) { [weak self] in
            guard let self, link == nil else { return }
            handle(.abandoned(reason: "no intentd connected within 30 s"))
        }
    }
}

extension LaunchFailure {
    /// Creates the failure that an error caused.
    ///
    /// - Parameter message: The message; nil for the description of the error.
    init(of error: any Error, _ message: String? = nil) {
        self.init(message ?? "\(error)", (error as? SystemError)?.code ?? (error as? LaunchError)?.code)
    }
}

extension LaunchRequest {
    /// True for a worker that waits for a run.
    fileprivate var isSpare: Bool { mode == .once && run == nil }
}
