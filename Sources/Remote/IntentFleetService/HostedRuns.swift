import IntentFleet
import IntentLauncherMessages
import IntentLinux
import IntentProtocol
import IntentSystemd

/// The fleet runs that this host's intentd performs.
///
/// Use an instance only on the loop's thread.
final class HostedRuns {
    /// The interval at which progress is sent to the database. One statement contains all reports.
    private static let reportInterval: Duration = .seconds(1)
    /// The time within which either the database answers the first beat or the connection ends.
    private static let inputDelay: Duration = .seconds(10)

    private let socket: String
    private let loop: EventLoop
    private let journal: Journal
    private let inputs: ReceivedInputs
    private let idle: IdleClients
    private var inputTimer: EventSource?
    private(set) var node: FleetNode?
    private var links: [Attempt: HostedRunLink] = [:]
    private var reports: [Attempt: ProgressReport] = [:]
    private var reportTimer: EventSource?
    /// The attempts with a question that the database has not stored, because another transaction had locked the run.
    private var unasked: Set<Attempt> = []
    private var askTimer: EventSource?
    private var plan = OfferPlan()
    /// Receives each end that the database has stored for this host.
    var committed: (FleetRunEnd) -> Void = { _ in }
    /// Called when the host has left the fleet.
    var left: () -> Void = {}
    /// Receives the role of the connection if it differs from the host's name.
    var misnamed: (String) -> Void = { _ in }
    /// The last warning. It is not logged again if it is repeated.
    private var lastWarning = ""

    /// One of a run's attempts. An earlier attempt can continue in intentd until it has been cancelled there.
    private struct Attempt: Hashable {
        var run: Int64
        var number: Int
    }

    private struct Row: Encodable {
        var run: Int64
        var attempt: Int
        var report: ProgressReport
    }

    init(socket: String, inputs: ReceivedInputs, on loop: EventLoop, journal: Journal) {
        self.socket = socket
        self.inputs = inputs
        idle = IdleClients(on: loop)
        self.loop = loop
        self.journal = journal
    }

    var runCount: Int { links.count }

    /// Returns intentd's identifier for one of a run's attempts; nil if the attempt has ended or intentd has not
    /// accepted it.
    func local(run: Int64, attempt: Int) -> RunID? { links[Attempt(run: run, number: attempt)]?.local }

    /// Connects to the database.
    func start(_ settings: NodeSettings, name: String, servers: [String], outbox: EndOutbox) throws(SystemError) {
        let node = try FleetNode(settings, name: name, servers: servers, outbox: outbox, on: loop) {
            [weak self] request in self?.perform(request)
        }
        self.node = node
        try node.open()
    }

    /// Updates the number of intentd's runs outside the fleet. The counts in the status include fleet runs.
    func count(_ status: DaemonStatus) {
        node?.countLocalRuns(status.runningCount + status.queuedCount - links.count)
    }

    /// Replaces the host's offer. Runs in progress continue.
    func offer(_ plan: OfferPlan) {
        guard plan != self.plan else { return }
        self.plan = plan
        node?.offer(plan.offers)
        // Otherwise, sent when the database has admitted this host: another process with its name may have other apps.
        if node?.isAdmitted == true { node?.send(plan.publication) }
        journal.write(.info, "offering \(plan.offers.count) intents from \(plan.apps.count) apps to the fleet")
    }

    private func perform(_ request: FleetNode.Request) {
        switch request {
        case .connected:
            lastWarning = ""
            journal.write(.info, "connected to the fleet's database")
            node?.send(plan.publication)
            removeForeignInputs()
        case .start(let run): start(run)
        case .stop(let run, let attempt, let reason):
            links[Attempt(run: run, number: attempt)]?.stop(reason)
        case .answer(let run, let attempt, let answer):
            links[Attempt(run: run, number: attempt)]?.answer(answer)
        case .decided(let end, .committed):
            committed(end)
            journal.write(.info, "committed the result of run \(RunID(fleet: end.run))")
        case .decided(let end, .stale):
            journal.write(
                .warning,
                "discarded the result of run \(RunID(fleet: end.run)): this host no longer held the run"
            )
        case .left: left()
        case .misnamed(let role): misnamed(role)
        case .warn(let message):
            guard message != lastWarning else { return }
            lastWarning = message
            journal.write(.warning, message)
        }
    }

    private func start(_ run: FleetRun) {
        let attempt = Attempt(run: run.id, number: run.attempt)
        guard links[attempt] == nil else { return }
        let link = HostedRunLink(run, socket: socket, inputs: inputs, idle: idle, on: loop) { [weak self] report in
            self?.received(report, run)
        }
        links[attempt] = link
        link.start()
    }

    private func received(_ report: HostedRunLink.Report, _ run: FleetRun) {
        let attempt = Attempt(run: run.id, number: run.attempt)
        switch report {
        case .progress(let progress):
            reports[attempt] = progress
            if reportTimer == nil {
                reportTimer = LoopTimer.after(Self.reportInterval, on: loop) { [weak self] in self?.sendReports() }
            }
        case .question(let question): ask(question, attempt)
        case .end(let end):
            if links.removeValue(forKey: attempt)?.receivesFiles != false { inputs.discard(run) }
            reports[attempt] = nil
            node?.runEnded(end)
        }
    }

    /// Removes the files of runs that this host no longer holds. The answer to the first beat on a connection contains
    /// the runs that it holds.
    private func removeForeignInputs() {
        inputTimer = LoopTimer.after(Self.inputDelay, on: loop) { [weak self] in
            guard let self, node?.isConnected == true else { return }
            inputs.discard(except: links.values.map(\.run))
        }
    }

    private func ask(_ question: OpenQuestion?, _ attempt: Attempt) {
        let parameters = ["\(attempt.run)", "\(attempt.number)", question.map { WireCoding.text($0) }]
        node?.send(SQLStatement("select fleet.ask($1::bigint, $2::int, $3::jsonb)", parameters)) { [weak self] rows in
            // Null: another transaction has locked the run.
            guard let self, let row = rows.first, row == [nil] else { return }
            unasked.insert(attempt)
            guard askTimer == nil else { return }
            askTimer = LoopTimer.after(Self.reportInterval, on: loop) { [weak self] in self?.askAgain() }
        }
    }

    /// Sends the current questions of the runs that were locked.
    private func askAgain() {
        askTimer = nil
        let attempts = unasked
        unasked = []
        for attempt in attempts { if let link = links[attempt] { ask(link.question, attempt) } }
    }

    private func sendReports() {
        reportTimer = nil
        let rows = reports.map { Row(run: $0.key.run, attempt: $0.key.number, report: $0.value) }
        reports = [:]
        node?.send(SQLStatement("select fleet.report($1::json)", [WireCoding.text(rows)]))
    }
}
