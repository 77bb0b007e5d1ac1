import Glibc
import IntentConfiguration
import IntentFleet
import IntentLinux
import IntentProtocol
import IntentSystemd

/// The fleet service on one host. Connects the database, intentd and the local users.
///
/// Use an instance only on the loop's thread.
final class FleetService {
    private let loop: EventLoop
    private let journal: Journal
    private let runs: HostedRuns
    private let front: FleetFront
    private let name: String
    private let labels: [String]
    private var offers: OfferLink?
    private var load: LoadLink?
    private var signals: [EventSource] = []
    private var statusTimer: EventSource?
    private var lastStatus = ""
    private var lastProblem = ""

    private static let statusInterval: Duration = .seconds(2)

    init(_ arguments: ServiceArguments, _ settings: FleetServiceSettings, on loop: EventLoop, journal: Journal) throws {
        self.loop = loop
        self.journal = journal
        name = try settings.name ?? Self.hostName()
        labels = settings.labels
        let outbox = try EndOutbox(folder: "\(arguments.stateFolder)/ends")
        front = try FleetFront(
            name: name,
            realm: settings.realm ?? name,
            servers: settings.databases,
            folder: arguments.stateFolder,
            appIDs: arguments.appIDs,
            on: loop,
            journal: journal
        )
        let received = try ReceivedInputs(
            folder: "\(arguments.stateFolder)/received",
            front: front,
            on: loop,
            journal: journal
        )
        runs = HostedRuns(socket: arguments.intentdSocket, inputs: received, on: loop, journal: journal)
        let spool = try InputSpool(folder: "\(arguments.stateFolder)/inputs", database: front.database, on: loop)
        front.inputs = spool
        front.isNameTaken = { [runs] in runs.node?.isNameTaken == true }
        front.desk = ErrandDesk(
            socket: arguments.intentdSocket,
            database: front.database,
            inputs: spool,
            runs: runs,
            on: loop
        )
        runs.committed = { [front] in front.ended($0) }
        front.database.hintHere = { [runs, name] host in
            if host.isEmpty { runs.node?.hint(.queue) } else if host == name { runs.node?.hint(.held) }
        }
        front.database.cancelledHere = { [runs] in runs.node?.cancelled($0, reason: $1) }
        front.database.submitHere = { [runs] in runs.node?.submit($0, $1) == true }
        let node = NodeSettings(
            offers: [:],
            slots: settings.slots,
            epoch: try Self.epoch(),
            lease: settings.lease,
            poll: settings.poll
        )
        runs.left = { loop.exit(0) }
        runs.misnamed = { [name] role in
            journal.write(
                .error,
                "fleet.conf has Name=\(name), but the connection of Database= has the role '\(role)'. Use the role with the host's "
                    + "name: user=\(name)"
            )
            loop.exit(78)
        }
        try runs.start(node, name: name, servers: settings.databases, outbox: outbox)
        runs.node?.ignoredSender = { [front] in front.database.serverProcess }
    }

    func start(_ arguments: ServiceArguments, sockets: [SharedFileDescriptor]) throws {
        front.start(on: sockets)
        let link = OfferLink(socket: arguments.intentdSocket, host: name, on: loop) { [weak self] report in
            self?.received(report)
        }
        offers = link
        link.ask()
        load = LoadLink(socket: arguments.intentdSocket, on: loop) { [runs, front] status in
            runs.count(status)
            front.refuse(agents: Set(status.agentUsers ?? []))
        }
        signals = [
            // Runs continue in intentd. The service's next process adopts them if it starts before the lease ends.
            try loop.signal(SIGTERM) { [loop] in loop.exit(0) },
            try loop.signal(SIGINT) { [loop] in loop.exit(0) },
            try loop.signal(SIGHUP) { link.ask() },
        ]
        if ServiceNotification.watchdogInterval != nil { try loop.enableWatchdog() }
        reportStatus()
        ServiceNotification.ready.send()
        journal.write(.info, "serving the fleet as '\(name)'")
    }

    func finish() {
        ServiceNotification.stopping.send()
        front.close()
    }

    private func received(_ report: OfferLink.Report) {
        switch report {
        case .installed(let apps):
            lastProblem = ""
            runs.offer(OfferPlan(apps, host: name, labels: labels))
        case .unusable(let problem):
            runs.offer(OfferPlan())
            guard problem != lastProblem else { return }
            lastProblem = problem
            journal.write(
                .warning,
                "\(problem); not performing runs of the fleet until intentd permits it (User= in [Fleet])"
            )
        }
    }

    private func reportStatus() {
        let state = runs.node?.isConnected == true ? "connected" : "not connected to the database"
        let problem = lastProblem.isEmpty ? "" : "; \(lastProblem)"
        let status = "\(name): \(state), performs \(runs.runCount) runs\(problem)"
        if status != lastStatus {
            lastStatus = status
            ServiceNotification.status(status).send()
        }
        statusTimer = LoopTimer.after(Self.statusInterval, on: loop) { [weak self] in self?.reportStatus() }
    }

    /// Returns the machine's boot id, because intentd preserves its runs across restarts of both services, but loses
    /// them at a reboot.
    private static func epoch() throws -> String {
        let text = try File.text(at: "/proc/sys/kernel/random/boot_id")
        return String(text.unicodeScalars.prefix { $0.properties.isASCIIHexDigit || $0 == "-" })
    }

    private static func hostName() throws -> String {
        let text = try File.text(at: "/proc/sys/kernel/hostname")
        let name = String(text.unicodeScalars.prefix { $0 != "." && !$0.isLineBreak }).lowercased()
        guard FleetSettings.isHostName(name) else {
            throw UsageError("the host name '\(name)' cannot be used. Set Name= in [Fleet] of fleet.conf.")
        }
        return name
    }
}
