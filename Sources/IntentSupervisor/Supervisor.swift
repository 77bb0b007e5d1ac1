import Glibc
import IntentConfiguration
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
    let installation: Installation
    var memory: InstallationMemory
    private let listeners: [SharedFileDescriptor]
    private let onlyClient: SharedFileDescriptor?
    /// The session whose end is this program's.
    private var onlyClientID: ClientID?
    private let launcherSocket: SharedFileDescriptor
    let unit: ServiceUnit?
    var stopping = Stopping()
    /// The path of this program.
    let ownProgram: String
    var upgradeTrial: UpgradeTrial?
    var starvation = StarvationWatch()
    var pressureTimer: EventSource?
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

    var launcher: LauncherLink?
    let launcherStays: Bool
    var accounts = LocalAccounts()
    /// The launcher, below which all apps are.
    var launcherProcess: Int32?
    /// Such a refusal was logged.
    private var hasRefusedApp = false
    private let operators: OperatorRule
    var faults = FaultPoints()
    /// What is there already, until all of it is taken over; nobody is served before.
    var inheritance: Inheritance? = Inheritance()
    /// Where runs stand, for the next supervisor; nil where none can take them up.
    var notes: RunNotes?
    var sessions: [ClientID: ClientSession] = [:]
    /// Clients for whom something was posted that is not sent yet.
    var posted: Set<ClientID> = []
    /// The same of progress, which may wait a little.
    var postedProgress: Set<ClientID> = []
    /// More may be posted at once: it is sent together.
    private(set) var isTogether = false
    var progressTimer: EventSource?
    var progressSent: Int64 = 0
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
    /// What no record has of runs.
    var remainders: [RunID: RunRemainder] = [:]
    /// Of these, such as an earlier `intentd` had kept, until it is known which runs wait for them.
    var inheritedInputs: Set<RunID> = []
    /// The files of results, until they are handed over; nil where the launcher has no place for them.
    var results: KeptResults?
    var resultsSource: EventSource?
    /// Result files that are being kept, by slot.
    var collecting: [SlotID: Collection] = [:]
    /// Without such a place: files that go to those who follow the run, and to nobody else.
    var unkeptFiles: [RunID: [SharedFileDescriptor]] = [:]
    private var timers: [RunTable.TimerID: ArmedTimer] = [:]
    private var sources: [EventSource] = []
    private var listening: [EventSource] = []
    private var listenTimer: EventSource?
    private var lastClient: UInt64 = 0
    private var admission = ConnectionAdmission()
    var budget = AnswerBudget()
    /// Clients with something to read, in the order of their users' turns.
    var turns = FairQueue<Caller, ClientID>()
    var turnSource: EventSource?
    var pace = UserPace(processorCount: sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    /// Clients of users who wait until others have had time.
    var held: [ClientID] = []
    var paceTimer: EventSource?
    let coding: CodingThread
    private var codingSource: EventSource?
    /// Clients of whom no more is read until their users' answers are.
    var paused: Set<ClientID> = []
    var patienceTimer: EventSource?
    var patienceDeadline: Now.Monotonic?
    private var heapRelease = HeapRelease()
    private var statusTimer: EventSource?
    private var measureTimer: EventSource?
    private var lastStatus = ""
    /// Apps' files as they were last seen, numbered.
    var revisions: [AppName: (settings: AppSettings, number: UInt64)] = [:]
    /// Mistakes in the daemon's own files, as they were when it started: none since a reload.
    var configurationProblems: [ConfigurationProblem]
    /// The same of apps' files, as they were read last.
    var appProblems: [AppName: [ConfigurationProblem]] = [:]
    /// Apps that must not be used, by why.
    var refusedApps: [AppName: String] = [:]
    /// Mistakes in apps' files that were logged already, so that each is said once.
    var knownProblems: Set<ConfigurationProblem> = []

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    package init(_ options: SupervisorOptions, on loop: EventLoop, journal: Journal) throws(SystemError) {
        self.loop = loop
        self.journal = journal
        installation = options.installation
        listeners = options.listeners
        onlyClient = options.onlyClient
        launcherSocket = options.launcher
        launcherStays = options.launcherStays
        operators = options.operators
        unit = options.unit
        ownProgram = try ProcessFacts.executablePath()
        closing = try ClosingThreads()
        coding = try CodingThread()
        reporters = try GatheredEvents(on: loop, pauseNanoseconds: Self.progressPause)
        history = if let place = options.history { try History(place) } else { nil }
        memory = InstallationMemory()
        let settings = memory.daemon(in: options.installation, on: .kernel)
        runTable = RunTable(capacity: RunTable.Capacity(settings), at: .current)
        configurationProblems = settings.problems
        runTable.isSucceeded = options.history != nil
    }

    /// Begins to serve; the loop must run after it.
    package func start() throws(SystemError) {
        launcher = try LauncherLink(
            launcherSocket,
            on: loop,
            received: { report, descriptors in self.launcherReported(report, descriptors) },
            lost: { reason in
                if self.launcherLeft() { return }
                self.journal.write(.error, "the launcher is gone: \(reason)", .launcherLost)
                self.notes?.log.close()
                self.handle(.launcherLost)
            }
        )
        turnSource = try loop.deferred { self.takeTurn() }
        codingSource = try loop.descriptor(coding.outcomeCounter.rawValue, .readable) { _ in self.takeCoded() }
        reporters.together = { body in self.together(body) }
        for problem in configurationProblems { log(problem, .warning) }
        try startRecording()
        for signal in [SIGTERM, SIGINT] {
            sources.append(
                try loop.signal(signal) {
                    // A private supervisor shares its client's terminal, and its client decides.
                    if signal == SIGTERM || self.onlyClient == nil { self.toldToEnd() }
                }
            )
        }
        try startWatchdog()
    }

    /// Everything that was there before is taken over: from here on clients are heard.
    func serve() {
        do {
            try listen()
        } catch {
            journal.write(.error, "cannot listen (\(error)), trying again in a second")
            retryListening()
        }
        if let onlyClient { onlyClientID = addSession(onlyClient) }
        handle(.started(findApps()))
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
        scheduleStatus()
        scheduleMeasuring()
    }

    /// Does something in which much may come together, and sends what is posted meanwhile only then.
    func together(_ body: () -> Void) {
        let isPart = isTogether
        isTogether = true
        body()
        isTogether = isPart
        if !isHandling { sendPosted() }
    }

    func isLive(_ run: RunID) -> Bool { runTable.isLive(run) }

    func output(of slot: SlotID, _ stream: OutputStream, _ text: String) {
        if let run = runTable.run(of: slot) {
            journalOutput(of: run, stream, text)
            recordOutput(of: run, stream, text)
        }
        for action in runTable.output(of: slot, stream, text: text) { pass(action) }
        sendRecords()
        if !isHandling { sendPosted() }
    }

    /// With the launcher's first word it is known how runs are isolated, and it is asked what it has.
    func launcherSaysIsolation(_ isolation: Isolation) {
        let isFirst = runTable.isolation == nil
        runTable.isolation = isolation
        if isFirst { launcher?.send(.adopt) }
    }

    // MARK: Clients

    private func listen() throws(SystemError) {
        listening = []
        for listener in listeners {
            listening.append(try loop.descriptor(listener, .readable) { _ in self.accept(on: listener) })
        }
    }

    private func accept(on listener: SharedFileDescriptor) {
        do {
            // One at a time: a flood of connections leaves the loop to others in between.
            guard let socket = try UnixSocket.accept(on: listener.rawValue) else { return }
            let closer = closing.closer(forPeerOf: socket.rawValue)
            addSession(SharedFileDescriptor(socket, closer: closer))
        } catch {
            // Out of descriptors, most likely: the connection waits, and so must we, or this would be a busy loop.
            journal.write(.error, "cannot take a connection: \(error), trying again in a second")
            listening = []
            retryListening()
        }
    }

    private func retryListening() {
        do {
            listenTimer = try loop.timer(atNanoseconds: ClockReading.monotonicNanoseconds() + 1_000_000_000) {
                do {
                    try self.listen()
                } catch {
                    self.retryListening()
                }
            }
        } catch {
            journal.write(.error, "no timer to listen again (\(error)); stopping, so that a fresh start can serve")
            stop()
        }
    }

    @discardableResult
    private func addSession(_ socket: SharedFileDescriptor) -> ClientID? {
        lastClient += 1
        let id = ClientID(number: lastClient)
        do {
            let peer = try UnixSocket.peer(of: socket.rawValue)
            let process = try PeerProcess(of: socket.rawValue)
            if let refusal = refusal(of: process) {
                ClientSession.turnAway(socket, refusal)
                return nil
            }
            let user = Caller.local(user: peer.user, account: accounts.name(of: peer.user))
            let groups = try UnixSocket.peerGroups(of: socket.rawValue)
            let rank = operators.rank(of: user, groups: groups)
            guard admission.admit(id, of: user, isOperator: rank == .operator) else {
                ClientSession.turnAway(
                    socket,
                    ErrorReport(
                        .busy,
                        "you have as many connections as are still free for others",
                        hint: "try again with fewer connections, or when some of them have ended"
                    )
                )
                return nil
            }
            let session = try ClientSession(
                socket,
                id: id,
                user: user,
                peer: process,
                groups: groups,
                rank: rank,
                on: loop,
                closing: closing,
                input: { input in self.clientSaid(id, input) }
            )
            sessions[id] = session
            armPatience(for: session)
            return id
        } catch {
            admission.leave(id)
            journal.write(.error, "cannot serve a client: \(error), continuing without it")
            ClientSession.turnAway(
                socket,
                ErrorReport(.busy, "intentd cannot serve this connection: \(error)", hint: "try again in a moment")
            )
            return nil
        }
    }

    /// The launcher that made or listens on the socket to it.
    var launcherSocketPeer: Int32? { try? UnixSocket.peer(of: launcherSocket.rawValue).process }

    /// Why a process must not be a client; nil when it may be one.
    ///
    /// An app must not ask for runs: a grant of this socket, or a folder around it, would make it a client of the daemon
    /// that confines it.
    private func refusal(of process: PeerProcess?) -> ErrorReport? {
        guard let launcherProcess else { return nil }
        switch process?.ancestry(from: launcherProcess) {
        case .elsewhere: return nil
        case .below:
            // Once: an app can connect as often as it likes.
            if !hasRefusedApp {
                journal.write(.warning, "an app connects to the intentd that runs it, refusing. Check Sockets=.")
            }
            hasRefusedApp = true
            return ErrorReport(
                .notPermitted,
                "a process in a sandbox of this intentd cannot be its client",
                hint: "a run's parameters and result are its only ways to other apps"
            )
        case .unknown, nil:
            return ErrorReport(
                .notPermitted,
                "the process that made this connection has ended, so that nothing tells whether it may be a client",
                hint: "connect from a process that stays until the connection ends"
            )
        }
    }

    /// A client's connection is over.
    func sessionEnded(_ id: ClientID) {
        guard let session = sessions.removeValue(forKey: id) else { return }
        admission.leave(id)
        budget.left(id, of: session.user)
        if session.isDecoding || session.encodingCount > 0 { coding.drop(workOf: id, of: session.user) }
        paused.remove(id)
        resumeReading(of: session.user)
        handle(.clientLeft(id))
        if id == onlyClientID { handle(.stopRequested) }
        exitIfDrained()
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

    /// Runs whose workers a debugger traces at this moment.
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

    /// While a run is live, the launcher looks at what runs write, now and then.
    private func scheduleMeasuring() {
        guard measureTimer == nil, runTable.load.runningCount > 0 else { return }
        do {
            let instant = ClockReading.monotonicNanoseconds() + Self.measurePause
            measureTimer = try loop.timer(atNanoseconds: instant) {
                self.measureTimer = nil
                self.launcher?.send(.measure)
                self.scheduleMeasuring()
            }
        } catch {
            journal.write(.warning, "no timer to look at what runs write (\(error)), continuing without")
        }
    }

    private static let measurePause: Int64 = 250_000_000

    /// Tells systemd at most once a second, and only what changed.
    func scheduleStatus() {
        guard statusTimer == nil else { return }
        do {
            let instant = ClockReading.monotonicNanoseconds() + 1_000_000_000
            statusTimer = try loop.timer(atNanoseconds: instant) {
                self.statusTimer = nil
                self.updateStatus()
                self.releaseHeap()
            }
        } catch {
            updateStatus()
        }
    }

    /// Gives the kernel back what a flood has left free: at most once a second, and after the last event.
    private func releaseHeap() {
        guard let resident = try? Heap.residentByteCount(), heapRelease.hasGrown(residentByteCount: resident),
            heapRelease.isWorthwhile(freeByteCount: Heap.freeByteCount)
        else { return }
        Heap.release()
        if let left = try? Heap.residentByteCount() { heapRelease.released(residentByteCount: left) }
    }

    func updateStatus() {
        let now = Now.current
        let deadline = runTable.nextDeadline.map { $0 - now.monotonic }
        let text = StatusLine.text(
            runTable.load,
            nextDeadline: deadline,
            problem: historyProblem(at: now),
            brokenApps: brokenApps,
            configuration: configurationProblems + appProblems.sorted { $0.key < $1.key }.flatMap(\.value)
        )
        guard text != lastStatus else { return }
        lastStatus = text
        ServiceNotification.status(text).send()
    }
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
