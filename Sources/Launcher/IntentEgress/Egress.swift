import CIntentEgress
import IntentDaemon
import IntentLauncherMessages
import IntentLinux
import IntentSystemd

/// Serves launchers: a launcher that is connected from the beginning, or each one that connects to a listening socket.
final class Egress {
    /// The descriptors of this process that connections do not use.
    private static let reservedDescriptors = 256
    private static let sweepNanoseconds: Int64 = 1_000_000_000

    private let loop: EventLoop
    private let journal: Journal
    private let lookUps: LookUps
    private let credentials: Credentials
    /// Half of the descriptors that connections can use, because each connection has two.
    private let connectionCount: Int
    private let ownNamespace: UInt64
    private var launchers: [Int: Launcher] = [:]
    private var lastLauncher = 0
    private var listener: EventSource?
    private var sweep: EventSource?

    private final class Launcher {
        var socket: LaunchSocket?
        var sandboxes: [Int: EgressSandbox] = [:]
        /// What to do when the launcher has noted each of its reports, the oldest first.
        var unnoted: [() -> Void] = []
    }

    init(on loop: EventLoop, _ journal: Journal, _ credentials: Credentials, descriptorLimit: Int) throws(SystemError) {
        (self.loop, self.journal, self.credentials) = (loop, journal, credentials)
        lookUps = try LookUps(on: loop)
        connectionCount = max(16, (descriptorLimit - Self.reservedDescriptors) / 2)
        let own = try UnixSocket.Pair(.stream)
        ownNamespace = intentd_network_namespace(own.first.rawValue)
        sweep = try loop.timer(atNanoseconds: ClockReading.monotonicNanoseconds() + Self.sweepNanoseconds) {
            [weak self] in self?.endOverdue()
        }
    }

    /// Serves every launcher that connects. Calls `idle` when the last one has disconnected.
    func listen(on socket: SharedFileDescriptor, idle: @escaping () -> Void) throws(SystemError) {
        listener = try loop.descriptor(socket, .readable) { [weak self] _ in
            guard let self else { return }
            do {
                guard let accepted = try UnixSocket.accept(on: socket.rawValue) else { return }
                try serve(SharedFileDescriptor(accepted)) { [weak self] in
                    if self?.launchers.isEmpty == true { idle() }
                }
            } catch {
                journal.write(.error, "cannot accept a connection: \(error)")
            }
        }
    }

    /// Serves a launcher until its connection ends.
    func serve(_ connection: SharedFileDescriptor, ended: @escaping () -> Void) throws(SystemError) {
        lastLauncher += 1
        let number = lastLauncher
        let launcher = Launcher()
        launcher.socket = try LaunchSocket(
            connection,
            on: loop,
            descriptorLimit: HostGrant.portLimit + 2,
            received: { [weak self, weak launcher] payload, descriptors in
                guard let self, let launcher else { return }
                try obey(WireCoding.decode(EgressCommand.self, from: payload), descriptors, of: launcher)
            },
            ended: { [weak self, weak launcher] reason in
                guard let self, let launcher else { return }
                if reason != "\(RecordSocket.End.closed)" {
                    journal.write(.error, "the connection to a launcher ended: \(reason)")
                }
                for sandbox in launcher.sandboxes.values { sandbox.end() }
                launchers[number] = nil
                ended()
            }
        )
        launchers[number] = launcher
    }

    private func obey(_ command: EgressCommand, _ descriptors: [SharedFileDescriptor], of launcher: Launcher) throws {
        switch command {
        case .serve(let number, let grants, let generation):
            launcher.sandboxes.removeValue(forKey: number)?.end()
            // A socket of this network namespace would give the app the host's own ports.
            guard
                ownNamespace == 0
                    || descriptors.allSatisfy({ intentd_network_namespace($0.rawValue) != ownNamespace })
            else { return journal.write(.error, "sandbox \(number): a socket belongs to the host's network namespace") }
            launcher.sandboxes[number] = try EgressSandbox(
                grants,
                generation: generation,
                descriptors,
                on: loop,
                lookUps,
                credentials,
                share: { [weak self] in self?.share ?? 0 },
                happened: { [weak launcher] event, noted in
                    guard let launcher else { return }
                    if let noted { launcher.unnoted.append(noted) }
                    launcher.socket?.send(EgressReport(sandbox: number, event))
                },
                number: number
            )
        case .noted: if !launcher.unnoted.isEmpty { launcher.unnoted.removeFirst()() }
        case .decide(let question, let isPermitted):
            launcher.sandboxes[question.sandbox]?.decide(question, isPermitted: isPermitted)
        case .end(let number): launcher.sandboxes.removeValue(forKey: number)?.end()
        }
    }

    /// The number of connections that each sandbox may have: a fair share once many sandboxes exist.
    private var share: Int {
        let sandboxCount = launchers.values.reduce(0) { $0 + $1.sandboxes.count }
        return max(4, connectionCount / max(1, sandboxCount))
    }

    private func endOverdue() {
        let now = ClockReading.monotonicNanoseconds()
        for launcher in launchers.values {
            for sandbox in launcher.sandboxes.values { sandbox.endOverdue(at: now) }
        }
        // Without the timer, overdue connections end with their sandbox.
        try? sweep?.rearm(atNanoseconds: now + Self.sweepNanoseconds)
    }
}
