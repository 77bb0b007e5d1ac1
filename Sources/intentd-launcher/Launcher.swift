import Glibc
import IntentConfiguration
import IntentLinux
import IntentSandbox
import IntentSystemd
import IntentWire

/// The parent of all workers: makes their places, tells of their ends, and obeys one `intentd` at a time.
///
/// Single-threaded, without Swift concurrency: it is small enough not to crash.
final class Launcher {
    /// How long it stays without an `intentd` before it goes too.
    private static let patienceNanoseconds: Int64 = 30_000_000_000

    let loop: EventLoop
    let journal: Journal
    let door: LauncherArguments.Door
    let installation: Installation
    var memory = InstallationMemory()
    let listener: SharedFileDescriptor?
    let cacheFolder: String
    let runsFolder: String
    /// Where the files of results wait until somebody has fetched them. Here they get their names; all else of them is
    /// `intentd`'s.
    var resultsFolder: SharedFileDescriptor?
    var resultsPath: String { cacheFolder + "/results" }
    let stateFolder: String?
    let host: SandboxHost
    /// What every app must have that says nothing itself.
    let requiredGrade: IsolationGrade
    /// The ids that sandboxes get; nil where the launcher has none to give, and all have its own user's.
    var ids: IDAssignments?
    /// Why it has none to give.
    let idsProblem: String?
    var link: SupervisorLink?
    /// The highest number that a slot was given.
    var lastSlot: UInt64 = 0
    /// What an `intentd` noted of its runs, for the one that comes after.
    var notes: SharedFileDescriptor?
    /// The sockets in which files of clients wait for runs that have no worker yet. The files themselves are never
    /// opened here: to close one can take as long as its file system likes.
    var inputs: [RunID: SharedFileDescriptor] = [:]
    /// When the last `intentd` was lost, on CLOCK_MONOTONIC.
    var lostNanoseconds: Int64?
    var slots: [SlotID: Slot] = [:]
    var slotOfProcess: [Int32: SlotID] = [:]
    /// Children of ours that remove large directories.
    var removers: Set<Int32> = []
    /// Folders of sandboxes that are gone, in which a remover is at work.
    var staleFolders: Set<String> = []
    var sandboxes: [Int: Sandbox] = [:]
    var sandboxOfProcess: [Int32: Sandbox] = [:]
    /// The sandbox in which new runs of an app and user are forked.
    var forkServers: [SandboxOwner: Sandbox] = [:]
    var deaths: [SandboxOwner: DeathTally] = [:]
    /// Counts the uses of fork servers: the one with the lowest number has gone unused for the longest time.
    var lastUse: UInt64 = 0
    /// Apps that have threads before their runs, and are executed for each run instead.
    var unforkable: [AppName: AppSettings] = [:]
    /// Launches that were asked for and not begun: users take turns.
    var launches = FairQueue<UInt32?, LaunchRequest>()
    var launchTurn: EventSource?
    var lastSandbox = 0
    var diskWatch = DiskWatch()
    /// The look at what runs and state folders take that is under way.
    var look: DiskLook?
    /// What state folders had when they were last looked at, by their paths; nil inside: it could not be told.
    var stateSizes: [String: Int64?] = [:]
    /// Requests that wait for a look at a state folder.
    var stateWaiters: [StateQuota: [LaunchRequest]] = [:]
    /// Children that work for the launcher itself, beside the removers.
    var ownChildren: Set<Int32> = []
    let closer: SocketCloser
    /// What was said of folders of state, once each.
    var saidOfState: Set<String> = []
    private var sources: [EventSource] = []
    private var guardTimer: EventSource?
    private(set) var isQuitting = false
    /// This very program; nil when it cannot be told.
    let program: ProgramFile?
    var upgrade: Upgrade?
    /// What took our place, and could not take over.
    var refusedProgram: ProgramFile?

    /// - Parameter state: What the program left that this one replaced in its process; nil: it was started anew.
    init(_ arguments: LauncherArguments, after state: LauncherState?, on loop: EventLoop, journal: Journal)
        throws(SystemError)
    {
        self.loop = loop
        self.journal = journal
        door = arguments.door
        closer = try SocketCloser()
        host = SandboxHost(cgroupsAt: state?.cgroups)
        do {
            program = try ProgramFile.own()
        } catch {
            journal.write(.warning, "own program not found (\(error)): it is not replaced while it runs")
            program = nil
        }
        installation = arguments.installation
        cacheFolder = arguments.cacheFolder
        runsFolder = arguments.cacheFolder + "/runs"
        stateFolder = arguments.stateFolder
        (ids, idsProblem) = Self.assignments(arguments)
        switch arguments.door {
        case .listen, .handed: requiredGrade = arguments.requiredGrade ?? .full
        // Somebody tries an app by himself: what his machine gives is better than nothing.
        case .connected: requiredGrade = arguments.requiredGrade ?? .reduced
        }
        if let state {
            listener = SharedFileDescriptor(owning: state.listener)
            return
        }
        switch arguments.door {
        case .listen(let path):
            let socket = SharedFileDescriptor(try UnixSocket.listen(.sequencedPacket, at: path, permissions: 0o600))
            try socket.setNonblocking()
            listener = socket
        case .handed:
            guard let handed = try SocketActivation.takeSockets().first else {
                throw SystemError("sd_listen_fds", on: "intentd-workers.socket", code: Errno(rawValue: ENOENT))
            }
            listener = handed.socket
        case .connected: listener = nil
        }
    }

    private static func assignments(_ arguments: LauncherArguments) -> (IDAssignments?, problem: String?) {
        switch arguments.ids {
        case .none: return (nil, "intentd-starter did not start it")
        case .failure(let problem): return (nil, problem.description)
        case .success(let range):
            do {
                return (try IDAssignments(range, in: arguments.stateFolder.map { "\($0)/.ids" }), nil)
            } catch {
                return (nil, "\(error)")
            }
        }
    }

    /// What operators give apps permissions with, beside those for everybody: the group of the launcher, or of nobody where that
    /// is root's.
    var grantsGroup: UInt32 { getgid() == 0 ? 65534 : getgid() }

    /// The user of processes outside of any sandbox; 65534, which owns nothing, where root has no ids to give.
    func openUser(of app: AppSettings, for owner: SandboxOwner) throws -> UInt32? {
        if let pair = try assignedIDs(of: app, for: owner) { return pair.app }
        return getuid() == 0 ? 65534 : nil
    }

    /// The ids of the owner's processes and files, with and without a sandbox; nil where the launcher has none to give.
    func assignedIDs(of app: AppSettings, for owner: SandboxOwner) throws -> SandboxIDs? {
        try ids?.ids(of: owner, isShared: sharesState(app))
    }

    func start(_ state: LauncherState?) throws(SystemError) {
        try makeRunsFolder()
        if state == nil { RunDirectory.removeAll(in: runsFolder) }
        tryOutSandbox()
        launchTurn = try loop.deferred { [weak self] in self?.takeLaunchTurn() }
        sources.append(try closer.watch(on: loop) { [weak self] socket in self?.close(socket) })
        sources.append(try loop.signal(SIGCHLD) { [weak self] in self?.reap() })
        for number in [SIGTERM, SIGINT] {
            sources.append(
                try loop.signal(number) { [weak self] in
                    // At a terminal intentd hears the interrupt too, and decides.
                    if number == SIGTERM { self?.quit() }
                }
            )
        }
        switch door {
        case .connected(let descriptor): try connect(SharedFileDescriptor(owning: descriptor))
        case .listen, .handed:
            if let listener {
                sources.append(try loop.descriptor(listener, .readable) { [weak self] _ in self?.accept() })
            }
            if let state {
                resume(state)
                try connect(SharedFileDescriptor(owning: state.supervisor))
            } else {
                try armGuard()
            }
        }
        // A private one has no operator to warn; `intentctl status` says what is on.
        switch door {
        case .connected: break
        case .listen, .handed:
            for missing in commonIsolation.missing { journal.write(.warning, "workers are isolated less: \(missing)") }
        }
        ServiceNotification.ready.send()
    }

    /// The last thing: nothing of any run stays.
    func finish() {
        slots = [:]
        host.cgroups?.remove()
        RunDirectory.removeAll(in: runsFolder)
    }

    // MARK: The supervisor

    private func accept() {
        guard let listener else { return }
        do {
            while let socket = try UnixSocket.accept(on: listener.rawValue) {
                // One that leaves serves nobody any more.
                guard !isQuitting else { continue }
                let peer = try UnixSocket.peer(of: socket.rawValue)
                guard isSupervisor(peer) else {
                    journal.write(.warning, "user \(peer.user) is not the one whose intentd is obeyed, refusing")
                    continue
                }
                // An app that was granted this socket is below us, whatever its uid.
                guard try PeerProcess(of: socket.rawValue)?.ancestry(from: getpid()) == .elsewhere else {
                    journal.write(
                        .warning,
                        "a process of a sandbox, or one that has ended, connects as intentd, refusing"
                    )
                    continue
                }
                // systemd runs one intentd at a time: one that comes replaces one that is dead.
                if link != nil { lost("another intentd took over") }
                let supervisor = SharedFileDescriptor(socket)
                if !beginsUpgrade(for: supervisor) { try connect(supervisor) }
            }
        } catch {
            journal.write(.error, "cannot take a connection: \(error), continuing without it")
        }
    }

    private func isSupervisor(_ peer: UnixSocket.Peer) -> Bool {
        switch door {
        // The mode of the socket's file lets nobody else connect. In a user namespace all users outside look alike.
        case .handed: true
        case .listen, .connected: peer.user == getuid() || peer.user == 0
        }
    }

    /// Serves one that had to wait.
    func serve(_ supervisor: SharedFileDescriptor) {
        do {
            try connect(supervisor)
        } catch {
            journal.write(.error, "cannot take a connection: \(error), continuing without it")
        }
    }

    private func connect(_ socket: SharedFileDescriptor) throws(SystemError) {
        link = try SupervisorLink(
            socket,
            on: loop,
            received: { [weak self] command, descriptors in self?.obey(command, descriptors) },
            pause: { [weak self] in self?.takeLaunchTurn() },
            lost: { [weak self] reason in self?.lost(reason) }
        )
        guardTimer = nil
        // It reads the files when it begins, and both must go by the same.
        memory.read(in: installation, on: .kernel)
        report(
            .hello(
                Hello(software: "intentd-launcher \(Hello.softwareVersion)"),
                isolation: commonIsolation,
                process: getpid()
            ),
            descriptors: resultsFolder.map { [$0] } ?? []
        )
    }

    func report(_ report: LaunchReport, descriptors: [SharedFileDescriptor] = []) {
        link?.send(report, descriptors: descriptors)
    }

    private func obey(_ command: LaunchCommand, _ descriptors: [SharedFileDescriptor]) {
        switch command {
        case .hello(let hello):
            if hello.protocolVersion != Hello.currentVersion {
                lost("intentd speaks version \(hello.protocolVersion) of the launcher protocol")
            }
        case .launch(let request): queue(request)
        case .signal(let id, let signal): self.signal(id, signal)
        case .open(let id, let paths, let place): open(paths, of: id, keeping: place)
        case .release(let id): release(id)
        case .measure: measureDisk()
        case .observe(let id):
            guard let slot = slots[id], let seen = WorkerObservation(of: slot.process) else { return }
            report(.observed(slot: id, seen))
        case .keepNotes:
            // One that was lost on its way, for want of a number, is no reason to let go of what is held.
            if let memory = descriptors.first { notes = memory }
            lostNanoseconds = nil
        case .keepInputs(let run): inputs[run] = descriptors.first
        case .dropInputs(let run): if let socket = inputs.removeValue(forKey: run) { close(socket) }
        case .adopt: tellOfKeptSlots()
        case .reload:
            let problems = memory.reload(in: installation, on: .kernel)
            // intentd found none a moment ago.
            for problem in problems { journal.write(.error, "not reloaded: \(problem)") }
        case .quit: quit()
        }
    }

    /// An `intentd` is gone: its runs wait for the next one, which takes them up; when none comes, they end.
    private func lost(_ reason: String) {
        guard let link else { return }
        // What it said before its end holds.
        link.drain()
        guard self.link === link else { return }
        self.link = nil
        // Since the last one that held the clocks: one that ends before it has taken over held none.
        if lostNanoseconds == nil { lostNanoseconds = ClockReading.monotonicNanoseconds() }
        switch door {
        case .connected: quit()
        case .listen, .handed:
            beginAllLaunches()
            if !slots.isEmpty {
                journal.write(.warning, "\(reason); \(slots.count) workers go on and wait for the next intentd")
            }
            do {
                try armGuard()
            } catch {
                journal.write(.error, "no timer to wait for the next intentd: \(error)")
                quit()
            }
        }
    }

    private func armGuard() throws(SystemError) {
        let end = ClockReading.monotonicNanoseconds() + Self.patienceNanoseconds
        guardTimer = try loop.timer(atNanoseconds: end) { [weak self] in
            guard let self, link == nil else { return }
            journal.write(.notice, "no intentd came within 30 s, ending \(slots.count) workers and leaving")
            quit()
        }
    }

    private func quit() {
        isQuitting = true
        endAllSlots()
        leaveWhenEmpty()
    }

    func leaveWhenEmpty() {
        if isQuitting && slots.isEmpty && sandboxes.isEmpty { loop.exit(0) }
    }

    /// Closes a socket in whose queue files of clients may wait.
    func close(_ socket: SharedFileDescriptor) {
        if let child = closer.close(socket, on: loop) { ownChildren.insert(child) }
    }

    private func endAllSlots() {
        launches = FairQueue()
        dropStateWaiters()
        for sandbox in sandboxes.values {
            sandbox.forkServer?.waiting = []
            retire(sandbox)
            sandbox.end()
        }
        for slot in slots.values {
            end(slot)
            settle(slot)
        }
    }

    /// Ends and releases a slot without a supervisor, such as one that begins while the launcher quits.
    func end(_ slot: Slot) {
        slot.isReleased = true
        slot.signal(.kill)
    }
}
