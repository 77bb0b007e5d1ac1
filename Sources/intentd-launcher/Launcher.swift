import Glibc
import IntentConfiguration
import IntentLinux
import IntentSandbox
import IntentSystemd
import IntentWire

/// The parent of all workers: makes their sandboxes, reports their ends, and obeys one `intentd` at a time.
///
/// Joins its parts, each of which owns one state. Single-threaded, without Swift concurrency: a crash of the launcher ends
/// every run.
final class Launcher {
    /// How long the launcher stays without an `intentd`.
    private static let patienceNanoseconds: Int64 = 30_000_000_000

    let loop: EventLoop
    let journal: Journal
    let supervisorSocket: LauncherArguments.SupervisorSocket
    let listener: SharedFileDescriptor?
    var link: SupervisorLink?
    var files: AppFiles
    let folders: RunFolders
    let states: StateFolders
    let identities: SandboxIdentities
    let isolation: HostIsolation
    var adoption: AdoptionState
    var children = ChildTable()
    var slots: [SlotID: Slot] = [:]
    var sandboxes = SandboxTable()
    var forkServers = ForkServerTable()
    var launches: LaunchTurns?
    var diskWatch = DiskWatch()
    /// The measurement of runs and state folders that is under way.
    var look: DiskLook?
    /// Sizes of state folders at their latest measurement, by path; nil inside: the folder cannot be measured.
    var stateSizes: [String: Int64?] = [:]
    /// Requests that wait for a measurement of a state folder.
    var stateWaiters: [StateQuota: [LaunchRequest]] = [:]
    let closer: SocketCloser
    var replacement: ProgramReplacement
    private var sources: [EventSource] = []
    private var guardTimer: EventSource?
    private(set) var isQuitting = false

    /// - Parameter state: What the program left that this one replaced in its process; nil: this is a first start.
    init(_ arguments: LauncherArguments, after state: LauncherState?, on loop: EventLoop, journal: Journal)
        throws(SystemError)
    {
        self.loop = loop
        self.journal = journal
        supervisorSocket = arguments.supervisorSocket
        closer = try SocketCloser()
        files = AppFiles(arguments.installation)
        folders = RunFolders(at: arguments.cacheFolder)
        states = StateFolders(at: arguments.stateFolder, journal: journal)
        identities = SandboxIdentities(arguments, states: states)
        isolation = HostIsolation(
            of: SandboxHost(cgroupsAt: state?.cgroups),
            identities,
            requires: arguments.requiredGrade ?? arguments.supervisorSocket.standardGrade
        )
        adoption = AdoptionState(after: state)
        replacement = ProgramReplacement(journal)
        if let state {
            listener = SharedFileDescriptor(owning: state.listener)
            return
        }
        switch arguments.supervisorSocket {
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

    func start(_ state: LauncherState?) throws(SystemError) {
        try folders.make(sharesResults: supervisorSocket.sharesResults)
        if state == nil { RunDirectory.removeAll(in: folders.runs) }
        isolation.tryOut(in: folders.runs)
        launches = try LaunchTurns(on: loop, journal: journal) { [weak self] in self?.launch($0) }
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
        switch supervisorSocket {
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
        // A private launcher has no operator who reads its log; `intentctl status` shows the isolation.
        switch supervisorSocket {
        case .connected: break
        case .listen, .handed:
            for missing in isolation.common.missing { journal.write(.warning, "isolation is reduced: \(missing)") }
        }
        ServiceNotification.ready.send()
    }

    /// Removes everything of the runs. Called last.
    func finish() {
        slots = [:]
        isolation.host.cgroups?.remove()
        RunDirectory.removeAll(in: folders.runs)
    }

    // MARK: The supervisor

    private func accept() {
        guard let listener else { return }
        do {
            while let socket = try UnixSocket.accept(on: listener.rawValue) {
                // A launcher that quits accepts no intentd.
                guard !isQuitting else { continue }
                let peer = try UnixSocket.peer(of: socket.rawValue)
                guard isSupervisor(peer) else {
                    journal.write(
                        .warning,
                        "refused a connection of user \(peer.user): they are not intentd's user"
                    )
                    continue
                }
                // An app that was granted this socket is a descendant of the launcher, whatever its uid.
                guard try PeerProcess(of: socket.rawValue)?.ancestry(from: getpid()) == .elsewhere else {
                    journal.write(
                        .warning,
                        "refused a connection of a process that is in a sandbox or has exited"
                    )
                    continue
                }
                // systemd runs one intentd at a time: the earlier one has exited.
                if link != nil { lost("another intentd took over") }
                let supervisor = SharedFileDescriptor(socket)
                if !beginsUpgrade(for: supervisor) { try connect(supervisor) }
            }
        } catch {
            journal.write(.error, "cannot accept a connection: \(error), continuing without it")
        }
    }

    private func isSupervisor(_ peer: UnixSocket.Peer) -> Bool {
        switch supervisorSocket {
        // The mode of the socket's file admits intentd's user alone. In a user namespace all users outside look alike.
        case .handed: true
        case .listen, .connected: peer.user == getuid() || peer.user == 0
        }
    }

    /// Serves an intentd that waited for the end of an upgrade.
    func serve(_ supervisor: SharedFileDescriptor) {
        do {
            try connect(supervisor)
        } catch {
            journal.write(.error, "cannot accept a connection: \(error), continuing without it")
        }
    }

    private func connect(_ socket: SharedFileDescriptor) throws(SystemError) {
        link = try SupervisorLink(
            socket,
            on: loop,
            received: { [weak self] command, descriptors in self?.obey(command, descriptors) },
            pause: { [weak self] in self?.launches?.beginNext() },
            lost: { [weak self] reason in self?.lost(reason) }
        )
        guardTimer = nil
        // intentd reads the files when it starts. Both must have the same.
        files.read()
        report(
            .hello(
                Hello(software: "intentd-launcher \(Hello.softwareVersion)"),
                isolation: isolation.common,
                process: getpid()
            ),
            descriptors: folders.descriptors
        )
    }

    func report(_ report: LaunchReport, descriptors: [SharedFileDescriptor] = []) {
        link?.send(report, descriptors: descriptors)
    }

    private func obey(_ command: LaunchCommand, _ descriptors: [SharedFileDescriptor]) {
        switch command {
        case .hello(let hello):
            if hello.protocolVersion != Hello.currentVersion {
                lost(
                    "intentd has version \(hello.protocolVersion) of the launcher protocol, not \(Hello.currentVersion)"
                )
            }
        case .launch(let request): queue(request)
        case .signal(let id, let signal): self.signal(id, signal)
        case .open(let id, let paths, let place): open(paths, of: id, keeping: place)
        case .release(let id): release(id)
        case .measure: measureDisk()
        case .observe(let id):
            guard let slot = slots[id], let seen = WorkerObservation(of: slot.process) else { return }
            report(.observed(slot: id, seen))
        case .keepNotes: adoption.keepNotes(descriptors.first)
        case .keepInputs(let run): adoption.keepInputs(descriptors.first, of: run)
        case .dropInputs(let run): if let socket = adoption.removeInputs(of: run) { close(socket) }
        case .adopt: reportKeptSlots()
        case .reload:
            // intentd found no problem when it read the files a moment ago.
            for problem in files.reload() { journal.write(.error, "not reloaded: \(problem)") }
        case .quit: quit()
        }
    }

    /// The connection of an `intentd` ended. Its runs wait to be adopted by the next one, and end when none comes.
    private func lost(_ reason: String) {
        guard let link else { return }
        // Commands that it sent before its end are obeyed.
        link.drain()
        guard self.link === link else { return }
        self.link = nil
        adoption.supervisorLost(atNanoseconds: ClockReading.monotonicNanoseconds())
        switch supervisorSocket {
        case .connected: quit()
        case .listen, .handed:
            launches?.beginAll()
            if !slots.isEmpty {
                journal.write(.warning, "\(reason); \(slots.count) workers continue and wait for the next intentd")
            }
            do {
                try armGuard()
            } catch {
                journal.write(.error, "cannot arm the timer for the next intentd (\(error)), quitting")
                quit()
            }
        }
    }

    private func armGuard() throws(SystemError) {
        let end = ClockReading.monotonicNanoseconds() + Self.patienceNanoseconds
        guardTimer = try loop.timer(atNanoseconds: end) { [weak self] in
            guard let self, link == nil else { return }
            journal.write(.notice, "no intentd connected within 30 s, killing \(slots.count) workers and quitting")
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

    /// Closes a socket that may have files of clients in its queue.
    func close(_ socket: SharedFileDescriptor) {
        if let child = closer.close(socket, on: loop) { children.addHelper(child) }
    }

    private func endAllSlots() {
        launches?.removeAll()
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

extension LauncherArguments.SupervisorSocket {
    /// What every app must have that does not set `Require=`.
    fileprivate var standardGrade: IsolationGrade {
        switch self {
        case .listen, .handed: .full
        // A developer tries an app: the grade that their machine provides is better than a refusal.
        case .connected: .reduced
        }
    }

    /// intentd runs as another user.
    fileprivate var sharesResults: Bool {
        switch self {
        case .listen, .connected: false
        case .handed: true
        }
    }
}
