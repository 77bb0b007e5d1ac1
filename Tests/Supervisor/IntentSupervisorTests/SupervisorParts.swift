import Glibc
import IntentDaemon
import IntentHistory
import IntentLauncherMessages
import IntentLifecycle
import IntentLinux
import IntentSystemd
import TestSupport

@testable import IntentSupervisor

/// The parts of a supervisor on a loop, with the launcher's end of the connection.
final class SupervisorParts {
    let loop: EventLoop
    let journal = Journal(identifier: "intentd-test")
    let decisions: RunDecisions
    let launcher: LauncherConnection
    let closing: ClosingThreads
    let clients: ClientSessions
    let workers: WorkerLinks
    /// The launcher's end.
    let peer: SharedFileDescriptor
    /// The reports of the launcher.
    private(set) var reports: [LaunchReport] = []
    /// The reason why the connection to the launcher ended.
    private(set) var launcherEnd: String?
    /// The actions that the run table decided.
    private(set) var actions: [RunTable.Action] = []
    /// The number of events for which all actions were performed.
    private(set) var performedCount = 0

    init(outlivesSupervisor: Bool = true, users: LocalUsers = LocalUsers()) throws {
        loop = try EventLoop()
        let ends = try UnixSocket.Pair(.sequencedPacket).shared()
        peer = ends.second
        try peer.setNonblocking()
        decisions = RunDecisions(RunTable(capacity: RunTable.Capacity(), succession: .none, at: .current))
        launcher = LauncherConnection(ends.first, outlivesSupervisor: outlivesSupervisor, journal: journal)
        closing = try ClosingThreads()
        clients = try ClientSessions(
            on: loop,
            journal: journal,
            closing: closing,
            operators: .rootAlone,
            users: users
        )
        workers = try WorkerLinks(
            on: loop,
            journal: journal,
            decisions: decisions,
            launcher: launcher,
            closing: closing
        )
        decisions.start(
            perform: { [weak self] action in self?.actions.append(action) },
            sendPosted: {},
            performed: { [weak self] in self?.performedCount += 1 }
        )
        try launcher.start(
            on: loop,
            received: { [weak self] report, _ in self?.reports.append(report) },
            ended: { [weak self] reason in
                self?.launcherEnd = reason
                self?.loop.exit(0)
            }
        )
        // The launcher connection sends its hello.
        _ = try commands()
    }

    func files() throws -> PassedFiles {
        PassedFiles(
            journal: journal,
            decisions: decisions,
            launcher: launcher,
            closing: closing,
            copies: try FileCopies(on: loop, closer: closing.closer(for: .others)),
            faults: FaultPoints(),
            outliveSupervisor: true
        )
    }

    /// Returns the commands that the launcher's end has received since the last call, with their descriptors.
    func commands() throws -> [(command: LaunchCommand, descriptors: [SharedFileDescriptor])] {
        var commands: [(LaunchCommand, [SharedFileDescriptor])] = []
        while case .message(let record, let descriptors) = try UnixSocket.receive(
            from: peer.rawValue,
            upTo: Frame.recordLimit,
            descriptorLimit: Frame.descriptorLimit
        ) {
            let payload = try Frame.decode(record: record)
            commands.append((try WireCoding.decode(LaunchCommand.self, from: payload), descriptors))
        }
        return commands
    }

    func report(_ report: LaunchReport) throws {
        let frame = try Frame.encode(WireCoding.encode(report), limit: Frame.recordLimit)
        _ = try UnixSocket.send(frame[...], on: peer.rawValue)
    }
}

/// Run identifiers made from small numbers.
enum Sample {
    static func run(_ number: UInt64) -> RunID { RunID(randomBits: number) }

    static func accepted(_ number: UInt64, fileCount: Int = 0) -> AcceptedRun {
        guard let app = AppName("Probe") else { preconditionFailure("'Probe' is a name") }
        return AcceptedRun(
            caller: CallerProcess(user: 1000, account: "ann", process: 7, software: "a test"),
            entryPoint: .commandLine,
            request: RequestID(randomBits: 0, number),
            app: app,
            intent: "Echo",
            traits: [],
            values: RunValues([:]),
            fileCount: fileCount,
            limits: RunLimits()
        )
    }

    static func unfinished(_ number: UInt64, slot: UInt64? = nil, fileCount: Int = 0) -> UnfinishedRun {
        UnfinishedRun(
            run: run(number),
            accepted: accepted(number, fileCount: fileCount),
            acceptedMonotonic: 0,
            acceptedBoottime: 0,
            state: slot == nil ? .queued : .running,
            slot: slot.map { SlotID(number: $0) }
        )
    }
}
