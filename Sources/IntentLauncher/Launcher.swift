import Glibc
import IntentLinux
import IntentSandbox
import IntentSystemd
import IntentWire

/// The parent of all workers. It creates their sandboxes, reports their ends, and obeys one intentd at a time.
///
/// It connects its parts, each of which owns one state. It is single-threaded and does not use Swift concurrency: a
/// crash of the launcher ends every run.
final class Launcher {
    private let loop: EventLoop
    private let journal: Journal
    private let supervisor: SupervisorConnection
    private let folders: RunFolders
    private let isolation: HostIsolation
    private let adoption: AdoptionState
    private let children: ChildTable
    private let workers: Workers
    private let sandboxes: Sandboxes
    private let forkServers: ForkServers
    private let disk: DiskQuotas
    private let launches: Launches
    private let replacement: ProgramReplacement
    private var sources: [EventSource] = []
    private var isQuitting = false

    /// - Parameter state: The state that the replaced program left in this process; nil for a first start.
    init(_ arguments: LauncherArguments, after state: LauncherState?, on loop: EventLoop, journal: Journal)
        throws(SystemError)
    {
        let surroundings = Surroundings(
            loop: loop,
            journal: journal,
            supervisor: try SupervisorConnection(
                arguments.supervisorSocket,
                inherited: state?.listener,
                on: loop,
                journal: journal
            ),
            children: ChildTable(),
            folders: RunFolders(at: arguments.cacheFolder)
        )
        self.loop = loop
        self.journal = journal
        supervisor = surroundings.supervisor
        children = surroundings.children
        folders = surroundings.folders
        let closer = try SocketCloser(on: loop, children: children)
        let files = AppFiles(arguments.installation)
        let states = StateFolders(at: arguments.stateFolder, journal: journal)
        let identities = SandboxIdentities(arguments, states: states)
        adoption = AdoptionState(after: state, closer: closer)
        isolation = HostIsolation(
            of: SandboxHost(cgroupsAt: state?.cgroups),
            identities,
            requires: arguments.requiredGrade ?? arguments.supervisorSocket.standardGrade
        )
        workers = Workers(surroundings, closer: closer.closer)
        sandboxes = Sandboxes(surroundings, isolation, identities, states: states, workers: workers)
        disk = DiskQuotas(surroundings, states: states, workers: workers, sandboxes: sandboxes)
        forkServers = ForkServers(
            surroundings,
            landlock: isolation.host.landlock,
            files: files,
            states: states,
            workers: workers,
            sandboxes: sandboxes,
            disk: disk,
            closer: closer.closer
        )
        launches = Launches(
            surroundings,
            files: files,
            adoption: adoption,
            isolation: isolation,
            identities: identities,
            states: states,
            workers: workers,
            sandboxes: sandboxes,
            forkServers: forkServers,
            disk: disk,
            turns: try LaunchTurns(on: loop, journal: journal)
        )
        replacement = ProgramReplacement(surroundings, keepsCapabilities: identities.isAvailable)
        join()
    }

    /// Connects the events of parts that have no references to each other.
    private func join() {
        workers.removed = { [weak self] slot in
            guard let self else { return }
            if let sandbox = slot.sandbox { forkServers.left(sandbox, slot.id) }
            quitWhenEmpty()
        }
        sandboxes.emptied = { [weak self] in self?.quitWhenEmpty() }
        sandboxes.launchEnded = { [weak self] in self?.replacement.proceed() }
        forkServers.launchEnded = { [weak self] in self?.replacement.proceed() }
        forkServers.reap = { [weak self] in self?.reap() }
        replacement.state = { [weak self] supervisor in self?.state(for: supervisor) }
    }

    func start(_ arguments: LauncherArguments, after state: LauncherState?) throws(SystemError) {
        try folders.make(sharesResults: arguments.supervisorSocket.sharesResults)
        if state == nil { RunDirectory.removeAll(in: folders.runs) }
        isolation.tryOut(in: folders.runs)
        sources = [
            try loop.signal(SIGCHLD) { [weak self] in self?.reap() },
            try loop.signal(SIGTERM) { [weak self] in
                self?.supervisor.leave()
                self?.quit()
            },
            // At a terminal, intentd receives the interrupt as well and decides what ends.
            try loop.signal(SIGINT) {},
        ]
        if let state { resume(state) }
        try supervisor.start(
            state?.supervisor,
            handle: { [weak self] event in self?.supervisorChanged(event) },
            received: { [weak self] payload, descriptors in
                self?.obey(try WireCoding.decode(LaunchCommand.self, from: payload), descriptors)
            },
            paused: { [weak self] in self?.launches.turns.beginNext() },
            defers: { [weak self] connection in self?.beginsUpgrade(for: connection) ?? false }
        )
        // No operator reads the log of a private launcher; `intentctl status` shows its isolation.
        if supervisor.outlivesSupervisor {
            for missing in isolation.common.missing { journal.write(.warning, "isolation is reduced: \(missing)") }
        }
        ServiceNotification.ready.send()
    }

    /// Removes all data of runs. Call it last.
    func finish() {
        workers.removeAll()
        isolation.host.cgroups?.remove()
        children.endRemovers()
        RunDirectory.removeAll(in: folders.runs)
    }

    // MARK: The supervisor

    private func supervisorChanged(_ event: SupervisorConnection.Event) {
        switch event {
        case .connected:
            // intentd reads the files at its start, and both programs must use the same version of the files.
            launches.files.read()
            supervisor.send(
                .hello(
                    Hello(software: "intentd-launcher \(Hello.softwareVersion)"),
                    isolation: isolation.common,
                    process: getpid()
                ),
                descriptors: folders.descriptors
            )
        case .lost(let reason):
            adoption.supervisorLost(atNanoseconds: ClockReading.monotonicNanoseconds())
            guard supervisor.outlivesSupervisor else { return quit() }
            launches.turns.beginAll()
            if !workers.isEmpty {
                journal.write(.warning, "\(reason); \(workers.count) workers continue and wait for the next intentd")
            }
        case .abandoned(let reason):
            journal.write(.notice, "\(reason); killing \(workers.count) workers and quitting")
            quit()
        }
    }

    private func obey(_ command: LaunchCommand, _ descriptors: [SharedFileDescriptor]) {
        switch command {
        case .hello(let hello):
            if hello.protocolVersion != Hello.currentVersion {
                supervisor.lose(
                    "intentd has version \(hello.protocolVersion) of the launcher protocol, not \(Hello.currentVersion)"
                )
            }
        case .launch(let request):
            // The launch begins after all commands that arrived with it.
            guard !isQuitting else { return supervisor.refuse(request, "the launcher is quitting") }
            launches.turns.append(request)
        case .signal(let id, let signal): self.signal(id, signal)
        case .open(let id, let paths, let names): workers.open(paths, of: id, keeping: names)
        case .release(let id): workers.release(id)
        case .measure: disk.measure()
        case .observe(let id): workers.observe(id)
        case .keepNotes: adoption.keepNotes(descriptors.first)
        case .keepInputs(let run): adoption.keepInputs(descriptors.first, of: run)
        case .dropInputs(let run): adoption.dropInputs(of: run)
        case .adopt:
            workers.reportKept()
            adoption.report(to: supervisor)
        case .reload:
            // intentd has just read the files and found no mistake.
            for problem in launches.files.reload() { journal.write(.error, "not reloaded: \(problem)") }
        case .quit: quit()
        }
    }

    private func signal(_ id: SlotID, _ signal: StopSignal) {
        if let slot = workers[id] { return slot.signal(signal) }
        // The worker has no process yet. The signal is sent when it starts.
        if let preparation = sandboxes.preparation(of: id) { return preparation.signal = signal }
        guard launches.turns.remove(id) || disk.removeWaiter(id) || forkServers.removeWaiting(id) else { return }
        let failure = LaunchFailure(message: "it was cancelled before its process started")
        supervisor.send(.launchFailed(slot: id, failure))
    }

    // MARK: Children

    /// Reaps all children that have exited.
    private func reap() {
        // Reap all children first: the search for orphans then reads /proc only once.
        while let end = forkServers.nextEnd() { ended(end) }
        workers.finishEnded()
        sandboxes.removeExited()
        replacement.proceed()
    }

    private func ended(_ end: ChildReaper.End) {
        if children.removeHelper(end.process) { return replacement.helperEnded(end) }
        if let sandbox = children.sandbox(of: end.process) { sandboxes.processEnded(end, of: sandbox) }
        workers.processEnded(end)
    }

    // MARK: The end

    private func quit() {
        isQuitting = true
        supervisor.refusesConnections = true
        launches.turns.removeAll()
        disk.removeWaiters()
        forkServers.endAll()
        workers.endAll()
        quitWhenEmpty()
    }

    private func quitWhenEmpty() {
        if isQuitting && workers.isEmpty && sandboxes.isEmpty { loop.exit(0) }
    }

    // MARK: The next program

    /// Starts an upgrade if the program was replaced on disk; true if the new intentd has to wait for it.
    private func beginsUpgrade(for connection: SharedFileDescriptor) -> Bool {
        let isFirst = !replacement.isUnderWay
        guard supervisor.outlivesSupervisor, replacement.begin(for: connection) else { return false }
        if isFirst {
            // The intentd that requested these launches has disconnected. Launches that have begun are completed first.
            disk.removeWaiters()
            forkServers.retireAll()
        }
        return true
    }

    /// The state for the next program; nil while a launch is in progress.
    private func state(for connection: SharedFileDescriptor) -> LauncherState? {
        guard let listener = supervisor.listener, !sandboxes.isLaunching, !isQuitting else { return nil }
        forkServers.removeUnusedWorkspaces()
        workers.removeUnusedLeaves()
        return LauncherState(
            listener: listener,
            supervisor: connection,
            adoption,
            sandboxes,
            workers,
            children,
            cgroups: isolation.host.cgroups
        )
    }

    /// Adopts the workers and sandboxes of the replaced program.
    private func resume(_ state: LauncherState) {
        // Children must not inherit descriptors that are not adopted.
        for descriptor in state.descriptors { try? FileDescriptor.setCloseOnExec(descriptor, true) }
        sandboxes.adopt(state.sandboxes, lastNumber: state.lastSandbox)
        children.restore(removers: state.removers, staleFolders: state.staleFolders)
        for left in state.slots {
            do {
                try workers.adopt(left, in: left.sandbox.flatMap { sandboxes[$0] }, on: isolation.host.cgroups)
            } catch {
                journal.write(.error, "cannot adopt worker \(left.process) (\(error)); killing it")
                if left.processEnd == nil { _ = kill(left.process, SIGKILL) }
            }
        }
        journal.write(.notice, "adopted \(workers.count) workers of the earlier launcher program")
        // Some children may have exited during the upgrade.
        reap()
        forkServers.retireAll()
    }
}
