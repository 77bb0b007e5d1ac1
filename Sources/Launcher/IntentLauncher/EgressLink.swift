import IntentDaemon
import IntentLauncherMessages
import IntentLinux
import IntentSystemd

/// The launcher's connection to intentd-egress, which serves the sandboxes of apps with `AllowHosts=`.
///
/// The launcher keeps the sockets of these sandboxes. If intentd-egress ends, the next one receives them, and only the
/// connections end that were open: new connections wait in the sockets.
final class EgressLink {
    /// The socket of intentd-egress.socket.
    private static let servicePath = "/run/intentd-egress/egress.sock"
    /// The time after which a lost connection is made again, doubled after each failure.
    private static let pause: ClosedRange<Int64> = 100_000_000...10_000_000_000

    /// A sandbox with the sockets of its network namespace.
    struct Served: Sendable {
        var grants: [HostGrant]
        var sockets: [SharedFileDescriptor]
        var generation = 0
    }

    private let loop: EventLoop
    private let journal: Journal
    private let children: ChildTable
    /// The folder of credentials for the program that the launcher starts; nil if systemd starts it.
    private let credentialFolder: String?
    private(set) var served: [Int: Served] = [:]
    /// The connection, for the program that replaces the launcher's; nil while intentd-egress is not connected.
    private(set) var connection: SharedFileDescriptor?
    /// The process that this launcher has started.
    private(set) var process: Int32?
    private var socket: LaunchSocket?
    private var retry: EventSource?
    private var delay = pause.lowerBound
    /// The questions that wait for an answer.
    private(set) var open: Set<HostQuestion> = []
    /// Called with each event of a sandbox.
    var happened: (_ sandbox: Int, HostEvent) -> Void = { _, _ in }

    init(on loop: EventLoop, _ journal: Journal, _ children: ChildTable, credentialFolder: String?) {
        (self.loop, self.journal, self.children, self.credentialFolder) = (loop, journal, children, credentialFolder)
    }

    /// Connects unless a connection exists. Call this method before a sandbox is made that needs it.
    func connect() throws {
        guard socket == nil else { return }
        if let credentialFolder {
            let ends = try UnixSocket.Pair(.sequencedPacket).shared()
            let program = try ProcessFacts.pathBesideOurs("intentd-egress")
            let child = try ChildProcess.start(
                program,
                arguments: ["--connected", credentialFolder],
                socket: ends.second
            )
            children.addHelper(child.number)
            process = child.number
            try use(ends.first)
        } else {
            try use(SharedFileDescriptor(try UnixSocket.connect(.sequencedPacket, to: Self.servicePath)))
        }
    }

    private func use(_ connection: SharedFileDescriptor) throws(SystemError) {
        socket = try LaunchSocket(
            connection,
            on: loop,
            descriptorLimit: 0,
            received: { [weak self] payload, _ in
                self?.received(try WireCoding.decode(EgressReport.self, from: payload))
            },
            ended: { [weak self] in self?.lost($0) }
        )
        self.connection = connection
    }

    private func received(_ report: EgressReport) {
        switch report.event {
        case .asked(let question): open.insert(question)
        case .withdrawn(let question): open.remove(question)
        case .refused, .used: break
        }
        if served[report.sandbox] != nil { happened(report.sandbox, report.event) }
        if case .refused = report.event { socket?.send(.noted) }
    }

    /// Passes a decision on.
    func decide(_ question: HostQuestion, isPermitted: Bool) {
        if open.remove(question) != nil { socket?.send(EgressCommand.decide(question, isPermitted: isPermitted)) }
    }

    /// Receives the reports that have arrived, so that they precede the ends of runs.
    func drain() { socket?.drain() }

    // MARK: Sandboxes

    func serve(_ sandbox: Int, _ grants: [HostGrant], _ sockets: [SharedFileDescriptor]) {
        send(sandbox, Served(grants: grants, sockets: sockets))
    }

    private func send(_ sandbox: Int, _ new: Served) {
        served[sandbox] = new
        socket?.send(
            .serve(sandbox: sandbox, grants: new.grants, generation: new.generation),
            descriptors: new.sockets
        )
    }

    func end(_ sandbox: Int) {
        open = open.filter { $0.sandbox != sandbox }
        if served.removeValue(forKey: sandbox) != nil { socket?.send(.end(sandbox: sandbox)) }
    }

    // MARK: Loss

    private func lost(_ reason: String) {
        socket = nil
        connection = nil
        process = nil
        // The connections that waited are reset.
        for question in open { happened(question.sandbox, .withdrawn(question)) }
        open = []
        guard !served.isEmpty else { return }
        journal.write(.warning, "intentd-egress ended (\(reason)); its open connections are reset; connecting again")
        armRetry()
    }

    private func armRetry() {
        let instant = ClockReading.monotonicNanoseconds() + delay
        delay = min(delay * 2, Self.pause.upperBound)
        // Without a timer, the next sandbox that needs intentd-egress connects.
        retry = try? loop.timer(atNanoseconds: instant) { [weak self] in self?.reconnect() }
    }

    private func reconnect() {
        retry = nil
        do {
            try connect()
            delay = Self.pause.lowerBound
        } catch {
            journal.write(.error, "cannot connect to intentd-egress: \(error)")
            return armRetry()
        }
        serveAgain()
    }

    private func serveAgain() {
        for (sandbox, var old) in served {
            old.generation += 1
            send(sandbox, old)
        }
    }

    // MARK: Program replacement

    /// Continues with what the replaced program served.
    func adopt(_ served: [Int: Served], connection: SharedFileDescriptor?, process: Int32?, open: Set<HostQuestion>) {
        self.served = served
        self.open = open
        self.process = process
        if let process { children.addHelper(process) }
        guard !served.isEmpty || connection != nil else { return }
        do {
            guard let connection else { return reconnect() }
            try use(connection)
        } catch {
            reconnect()
        }
    }
}
