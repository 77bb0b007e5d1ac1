import Glibc
import IntentConfiguration
import IntentDaemon
import IntentHistory
import IntentLifecycle
package import IntentLinux
package import IntentSystemd
import IntentWire

/// Joins the run table to the world: turns what happens into events, and carries out the actions in order.
///
/// It decides nothing. All of it runs on one event loop.
package actor Supervisor {
    package nonisolated let loop: EventLoop
    let journal: Journal
    let apps: AppDirectory
    private let listener: ClientListener
    let clients: ClientSessions
    private let pressure: PressureWatch
    private var status: StatusReporter?
    /// When the launcher looks at what runs write.
    private var diskPacer: Pacer?
    private let onlyClient: SharedFileDescriptor?
    /// The session that ends this program with its own end.
    private var onlyClientID: ClientID?
    private let launcherSocket: SharedFileDescriptor
    let unit: ServiceUnit?
    var stopping = Stopping()
    /// The path of this program.
    let ownProgram: String
    var upgradeTrial: UpgradeTrial?
    let closing: ClosingThreads

    var runTable: RunTable
    /// Nil where runs are remembered no longer than this program lives.
    let history: History?
    var recording = Recording()
    /// What runs may still print into the journal.
    var quotas: [RunID: JournalQuota] = [:]
    var metrics = RunMetrics()
    /// Runs that are looked at when most of their time has passed, with the instant at which that is over.
    var observations: [RunID: Now.Monotonic] = [:]
    /// Events that wait while another is being carried out, so that actions keep their order.
    private var events: [RunTable.Event] = []
    private var isHandling = false

    var launcher: LaunchSocket?
    let launcherStays: Bool
    var faults = FaultPoints()
    /// The runs and workers of an earlier `intentd`, until all are adopted. No client is served before.
    var inheritance: Inheritance? = Inheritance()
    /// Where runs stand, for the next supervisor; nil where none can take them up.
    var notes: RunNotes?
    /// More may be posted at once: it is sent together.
    private var isTogether = false
    var workers: [SlotID: WorkerLink] = [:]
    /// Workers that report progress while many do.
    let reporters: GatheredEvents
    var reportPace = ReportPace()
    /// Files of answers, until their run hears them.
    var answerFiles: [RunID: [SharedFileDescriptor]] = [:]
    /// Files of clients, until their run begins.
    var inputs: [RunID: [SharedFileDescriptor]] = [:]
    /// The users of those files, as far as this `intentd` took them from their clients.
    var inputOwners: [RunID: Caller] = [:]
    /// Runs with a remainder that the launcher holds for the next `intentd`.
    var keptAtLauncher: Set<RunID> = []
    /// What no record has of runs.
    var remainders: [RunID: RunRemainder] = [:]
    /// The runs with files that an earlier `intentd` kept, until it is known which runs wait for them.
    var inheritedInputs: Set<RunID> = []
    /// The files of results, until they are handed over; nil where the launcher has no place for them.
    var results: KeptResults?
    var resultsSource: EventSource?
    /// Result files that are being kept, by slot.
    var collecting: [SlotID: Collection] = [:]
    /// Without kept results: files that go only to clients that follow the run.
    var unkeptFiles: [RunID: [SharedFileDescriptor]] = [:]
    private var timers: [RunTable.TimerID: ArmedTimer] = [:]
    private var sources: [EventSource] = []

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    package init(_ options: SupervisorOptions, on loop: EventLoop, journal: Journal) throws(SystemError) {
        self.loop = loop
        self.journal = journal
        onlyClient = options.onlyClient
        launcherSocket = options.launcher
        launcherStays = options.launcherStays
        unit = options.unit
        ownProgram = try ProcessFacts.executablePath()
        closing = try ClosingThreads()
        pressure = PressureWatch(on: loop, journal: journal)
        listener = ClientListener(options.listeners, on: loop, journal: journal)
        clients = try ClientSessions(on: loop, journal: journal, closing: closing, operators: options.operators)
        reporters = try GatheredEvents(on: loop, pauseNanoseconds: ClientOutbox.progressPause)
        history = if let place = options.history { try History(place) } else { nil }
        apps = AppDirectory(options.installation, journal: journal)
        let settings = apps.readSettings()
        runTable = RunTable(
            capacity: RunTable.Capacity(settings),
            succession: options.history == nil ? .none : .adopts,
            at: .current
        )
    }

    /// Begins to serve; the loop must run after it.
    package func start() throws(SystemError) {
        launcher = try LaunchSocket(
            launcherSocket,
            on: loop,
            descriptorLimit: Frame.descriptorLimit,
            received: { payload, descriptors in
                self.launcherReported(try WireCoding.decode(LaunchReport.self, from: payload), descriptors)
            },
            ended: { reason in
                if self.launcherLeft() { return }
                self.journal.write(.error, "the launcher is gone: \(reason)", .launcherLost)
                self.notes?.log.close()
                self.handle(.launcherLost)
            }
        )
        launcher?.send(LaunchCommand.hello(Hello(software: "intentd \(Hello.softwareVersion)")))
        try clients.start { event in self.hear(event) }
        reporters.together = { body in self.together(body) }
        try startRecording()
        for signal in [SIGTERM, SIGINT] {
            sources.append(
                try loop.signal(signal) {
                    // A private supervisor shares its client's terminal, and its client decides.
                    if signal == SIGTERM || self.onlyClient == nil { self.toldToEnd() }
                }
            )
        }
        status = StatusReporter(on: loop) { self.statusText }
        diskPacer = Pacer(on: loop, nanoseconds: Self.measurePause) { self.measureDisk() }
        try pressure.start()
    }

    /// Everything that was there before is taken over: from here on clients are heard.
    func serve() {
        listener.start(
            accepted: { connection in
                let closer = self.closing.closer(forPeerOf: connection.rawValue)
                self.clients.add(SharedFileDescriptor(connection, closer: closer))
            },
            failed: { self.stop() }
        )
        if let onlyClient { onlyClientID = clients.add(onlyClient) }
        handle(.started(apps.findApps()))
    }

    /// Lets the run table decide about an event, after those that came before.
    func handle(_ event: RunTable.Event) {
        guard !isHandling else { return events.append(event) }
        isHandling = true
        for action in runTable.handle(event, at: .current) { pass(action) }
        while !events.isEmpty {
            for action in runTable.handle(events.removeFirst(), at: .current) { pass(action) }
        }
        isHandling = false
        // Clients first: what they may hear is on record, or held until it is.
        sendPosted()
        sendRecords()
        status?.schedule()
        if runTable.load.runningCount > 0 { diskPacer?.schedule() }
    }

    /// Does something in which much may come together, and sends what is posted meanwhile only then.
    func together(_ body: () -> Void) {
        let isPart = isTogether
        isTogether = true
        body()
        isTogether = isPart
        if !isHandling { sendPosted() }
    }

    /// Sends what was posted, unless more may be posted at once.
    func sendPosted() { if !isTogether { clients.sendPosted() } }

    func isLive(_ run: RunID) -> Bool { runTable.isLive(run) }

    func output(of slot: SlotID, _ stream: OutputStream, _ text: String) {
        if let run = runTable.run(of: slot) {
            journalOutput(of: run, stream, text)
            recordOutput(of: run, stream, text)
        }
        handle(.printed(slot, stream, text: text))
        sendRecords()
    }

    /// With the launcher's first word it is known how runs are isolated, and it is asked what it has.
    func launcherSaysIsolation(_ isolation: Isolation) {
        let isFirst = runTable.isolation == nil
        handle(.isolationReported(isolation))
        if isFirst { launcher?.send(.adopt) }
    }

    // MARK: Clients

    /// The launcher that made or listens on the socket to it.
    var launcherSocketPeer: Int32? { try? UnixSocket.peer(of: launcherSocket.rawValue).process }

    func hear(_ event: ClientSessions.Event) {
        switch event {
        case .asked(let session, let request): take(request, from: session)
        case .tookFiles(let run): handedOver(run)
        case .left(let client):
            handle(.clientLeft(client))
            if client == onlyClientID { handle(.stopRequested) }
            exitIfDrained()
        case .failed: stop()
        }
    }

    // MARK: Timers

    func arm(_ timer: RunTable.TimerID, at instant: Now.Instant) {
        set(timer, to: observing(timer, before: instant))
    }

    /// Without another look at the worker before.
    func armAtOnce(_ timer: RunTable.TimerID, at instant: Now.Monotonic) { set(timer, to: .monotonic(instant)) }

    private func set(_ timer: RunTable.TimerID, to instant: Now.Instant) {
        do {
            if try timers[timer]?.move(to: instant) == true { return }
            timers[timer] = try ArmedTimer(instant, on: loop) { self.fired(timer) }
        } catch {
            // A run without its clock must not run on.
            journal.write(.error, "no timer for a limit (\(error)), taking it as over")
            events.append(.timerFired(timer))
        }
    }

    /// Runs with workers that a debugger traces at this moment.
    var heldRuns: Set<RunID> {
        Set(workers.filter { $0.value.isTraced }.keys.compactMap(runTable.run(of:)))
    }

    private func fired(_ timer: RunTable.TimerID) {
        if observe(timer) { return }
        guard case .run(let run) = timer, let slot = runTable.slot(of: run) else { return handle(.timerFired(timer)) }
        // What it said before its limit counts, looked at or not.
        workers[slot]?.catchUp()
        if timers[timer]?.isAhead == true { return }
        noteLateness(of: timer)
        handle(workers[slot]?.isTraced == true ? .heldByDebugger(run) : .timerFired(timer))
    }

    func disarm(_ timer: RunTable.TimerID) {
        timers[timer] = nil
        if case .run(let run) = timer { observations[run] = nil }
    }

    // MARK: Status and the end

    private var statusText: String {
        let now = Now.current
        return StatusLine.text(
            runTable.load,
            nextDeadline: runTable.nextDeadline.map { $0 - now.monotonic },
            problem: historyProblem(at: now),
            brokenApps: brokenApps,
            configuration: apps.problems
        )
    }

    func updateStatus() { status?.update() }

    /// While a run is live, the launcher looks at what runs write, now and then.
    private func measureDisk() {
        guard runTable.load.runningCount > 0 else { return }
        launcher?.send(.measure)
        diskPacer?.schedule()
    }

    private static let measurePause: Int64 = 250_000_000
}

extension Now {
    /// The time as the kernel has it.
    static var current: Now {
        Now(
            monotonic: Monotonic(nanoseconds: ClockReading.monotonicNanoseconds()),
            boottime: Boottime(nanoseconds: ClockReading.boottimeNanoseconds())
        )
    }
}
