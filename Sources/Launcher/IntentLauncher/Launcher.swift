import Glibc
import IntentLauncherMessages
import IntentLinux
import IntentSandbox
import IntentSystemd

/// The parent process of all workers. It creates their sandboxes, reports their exits, and accepts commands from one
/// intentd at a time.
///
/// This class only connects its parts, each of which owns one piece of state. The launcher is single-threaded and does
/// not use Swift concurrency. A crash of the launcher would end every run.
final class Launcher {
    private let context: LauncherContext
    private let isolation: HostIsolation
    private let adoption: AdoptionState
    private let workers: Workers
    private let sandboxes: Sandboxes
    private let forkServers: ForkServers
    private let disk: DiskQuotas
    private let launches: Launches
    private let replacement: ProgramReplacement
    private var sources: [EventSource] = []
    private var isQuitting = false

    /// - Parameter state: The state of the launcher program that this program has replaced in the same process; nil if
    ///   the launcher starts in a new process.
    init(_ arguments: LauncherArguments, after state: LauncherState?, on loop: EventLoop, journal: Journal)
        throws(SystemError)
    {
        let children = ChildTable()
        context = LauncherContext(
            loop: loop,
            journal: journal,
            supervisor: try SupervisorConnection(
                arguments.supervisorSocket,
                inherited: state?.listener,
                on: loop,
                journal: journal
            ),
            children: children,
            folders: RunFolders(at: arguments.cacheFolder, on: loop, journal: journal),
            states: StateFolders(at: arguments.stateFolder, journal: journal),
            files: AppFiles(arguments.installation, schedules: arguments.scheduleFolder),
            socketCloser: try SocketCloser(on: loop, children: children),
            sources: SourceWatch(on: loop, journal: journal),
            egress: EgressLink(on: loop, journal, children, credentialFolder: arguments.credentialFolder)
        )
        adoption = AdoptionState(after: state)
        isolation = HostIsolation(
            of: SandboxHost(cgroupsAt: state?.cgroups),
            SandboxIdentities(arguments, states: context.states),
            requires: arguments.requiredGrade ?? arguments.supervisorSocket.defaultGrade
        )
        workers = Workers(context)
        sandboxes = Sandboxes(context, isolation, workers: workers)
        disk = DiskQuotas(context, workers: workers, sandboxes: sandboxes)
        forkServers = ForkServers(
            context,
            landlock: isolation.host.landlock,
            workers: workers,
            sandboxes: sandboxes,
            disk: disk
        )
        launches = Launches(
            context,
            adoption: adoption,
            isolation: isolation,
            workers: workers,
            sandboxes: sandboxes,
            forkServers: forkServers,
            disk: disk,
            turns: try LaunchTurns(on: loop, journal: journal)
        )
        replacement = ProgramReplacement(context, keepsCapabilities: isolation.identities.isAvailable)
        connectParts()
    }

    /// Connects the callbacks of parts that have no references to each other.
    private func connectParts() {
        context.supervisor.handle = { [weak self] event in self?.supervisorChanged(event) }
        context.supervisor.received = { [weak self] payload, descriptors in
            self?.obey(try WireCoding.decode(LaunchCommand.self, from: payload), descriptors)
        }
        context.supervisor.paused = { [weak self] in self?.launches.turns.beginNext() }
        context.supervisor.defers = { [weak self] connection in self?.beginUpgrade(for: connection) ?? false }
        workers.removed = { [weak self] slot in
            if let sandbox = slot.sandbox { self?.forkServers.removeSlot(slot.id, from: sandbox) }
            self?.quitWhenEmpty()
        }
        context.folders.changed = { [weak self] in self?.greet() }
        sandboxes.emptied = { [weak self] in self?.quitWhenEmpty() }
        sandboxes.launchEnded = { [weak self] in self?.replacement.proceed() }
        forkServers.launchEnded = { [weak self] in self?.replacement.proceed() }
        forkServers.reap = { [weak self] in self?.reap() }
        replacement.state = { [weak self] supervisor in self?.state(for: supervisor) }
    }

    func start(_ arguments: LauncherArguments, after state: LauncherState?) throws {
        if state == nil { context.folders.removeEarlierRuns() }
        try context.folders.make(sharesResults: arguments.supervisorSocket.sharesResults)
        context.folders.watch(with: context.sources)
        try isolation.runTrial(in: context.folders.runs, recordedAt: arguments.trialRecord)
        sources = [
            try context.loop.signal(SIGCHLD) { [weak self] in self?.reap() },
            try context.loop.signal(SIGTERM) { [weak self] in
                self?.context.supervisor.disconnect()
                self?.quit()
            },
            // Ignore Ctrl-C at a terminal: intentd receives the signal as well, and decides what to stop.
            try context.loop.signal(SIGINT) {},
        ]
        if let state { resume(state) }
        try context.supervisor.start(state?.supervisor)
        // Log nothing in a private launcher: no operator reads its log, and `intentctl status` shows the isolation.
        for missing in isolation.common.missing where context.supervisor.outlivesSupervisor {
            context.journal.write(.warning, "isolation is reduced, missing: \(missing)")
        }
        ServiceNotification.ready.send()
    }

    /// Removes the launcher's cgroups and run folders. Call this method last, after the event loop has returned.
    func finish() {
        workers.removeAll()
        isolation.host.cgroups?.remove()
        context.children.endRemovers()
        context.folders.removeRuns()
    }

    // MARK: The supervisor

    private func supervisorChanged(_ event: SupervisorConnection.Event) {
        switch event {
        case .connected:
            // intentd read the files when it started. Read them again, because both programs must use one version.
            context.files.read()
            greet()
        case .lost(let reason):
            adoption.supervisorLost(atNanoseconds: ClockReading.monotonicNanoseconds())
            guard context.supervisor.outlivesSupervisor else { return quit() }
            launches.turns.beginAll()
            if !workers.isEmpty {
                let message = "\(reason); \(workers.count) workers continue; waiting for the next intentd"
                context.journal.write(.warning, message)
            }
        case .abandoned(let reason):
            context.journal.write(.notice, "\(reason); killing workers (\(workers.count)) and exiting")
            quit()
        }
    }

    /// Passes intentd the facts about this launcher, and its folders.
    private func greet() {
        context.supervisor.send(
            .hello(
                Hello(software: "intentd-launcher \(Hello.softwareVersion)"),
                isolation: isolation.common,
                process: getpid(),
                problem: context.folders.problem
            ),
            descriptors: context.folders.descriptors + context.sources.descriptorsForNewSupervisor()
        )
    }

    private func obey(_ command: LaunchCommand, _ descriptors: [SharedFileDescriptor]) {
        switch command {
        case .hello(let hello):
            if hello.protocolVersion != Hello.currentVersion {
                context.supervisor.endConnection(
                    "intentd uses version \(hello.protocolVersion) of the launcher protocol, expected \(Hello.currentVersion)"
                )
            }
        case .launch(let request):
            // Only queue the launch. It begins after all commands that arrived together with it have been handled.
            guard !isQuitting else { return context.supervisor.refuse(request, "the launcher is quitting") }
            launches.turns.append(request)
        case .signal(let id, let signal): self.signal(id, signal)
        case .open(let id, let paths, let names): workers.open(paths, of: id, keeping: names)
        case .release(let id): workers.release(id)
        case .measure(let reportsUsage):
            disk.measure()
            if reportsUsage { workers.reportUsage() }
        case .observe(let id): workers.observe(id)
        case .keepNotes: adoption.keepNotes(descriptors.first, forkServers)
        case .keepInputs(let run): adoption.keepInputs(descriptors.first, of: run)
        case .dropInputs(let run): adoption.dropInputs(of: run, to: context.supervisor)
        case .adopt:
            workers.reportKept()
            adoption.report(to: context.supervisor)
            sandboxes.reportQuestions()
        case .reload:
            // intentd has read the files without errors immediately before this command, so no errors are expected.
            for problem in context.files.reload() { context.journal.write(.error, "not reloaded: \(problem)") }
            forkServers.retireReconfigured()
        case .decide(let question, let isPermitted): context.egress.decide(question, isPermitted: isPermitted)
        case .openCredentials(let run): context.openCredentials(of: run)
        case .quit: quit()
        }
    }

    private func signal(_ id: SlotID, _ signal: StopSignal) {
        if let slot = workers[id] { return slot.signal(signal) }
        // If the worker has no process yet, keep the signal until the process starts.
        if let preparation = sandboxes.preparation(of: id) { return preparation.signal = signal }
        guard launches.turns.remove(id) || disk.removeWaiter(id) || sandboxes.removeWaiting(id) else { return }
        let failure = LaunchFailure(message: "the launch was cancelled before the worker's process started")
        context.supervisor.send(.launchFailed(slot: id, failure))
    }

    // MARK: Children

    /// Reaps all children that have exited.
    private func reap() {
        // Reap all children before searching for orphans, so that the search reads /proc only once.
        while let end = forkServers.nextEnd() { ended(end) }
        workers.finishEnded()
        sandboxes.removeExited()
        replacement.proceed()
    }

    private func ended(_ end: ChildReaper.End) {
        if context.children.removeHelper(end.process) { return replacement.helperEnded(end) }
        if let sandbox = context.children.sandbox(of: end.process) { sandboxes.processEnded(end, of: sandbox) }
        workers.processEnded(end)
    }

    // MARK: Quitting

    private func quit() {
        isQuitting = true
        context.supervisor.refusesConnections = true
        launches.turns.removeAll()
        disk.removeWaiters()
        forkServers.endAll()
        workers.endAll()
        quitWhenEmpty()
    }

    private func quitWhenEmpty() {
        if isQuitting && workers.isEmpty && sandboxes.isEmpty { context.loop.exit(0) }
    }

    // MARK: Program replacement

    /// Starts an upgrade if the launcher's program was replaced on the disk. Returns true if the new intentd has to
    /// wait until the upgrade is complete.
    private func beginUpgrade(for connection: SharedFileDescriptor) -> Bool {
        let isFirst = !replacement.isUnderWay
        guard context.supervisor.outlivesSupervisor, replacement.begin(for: connection) else { return false }
        if isFirst {
            // Drop requests that have not begun, because the intentd that sent them has disconnected. Launches that
            // have begun are completed before the upgrade.
            disk.removeWaiters()
            forkServers.retireAll()
        }
        return true
    }

    /// Returns the state for the new program, or nil while a launch is in progress.
    private func state(for connection: SharedFileDescriptor) -> LauncherState? {
        guard let listener = context.supervisor.listener, !sandboxes.isLaunching, !isQuitting else { return nil }
        sandboxes.removeUnusedWorkspaces()
        workers.removeUnusedLeaves()
        return LauncherState(
            listener: listener.rawValue,
            supervisor: connection.rawValue,
            notes: adoption.notes?.rawValue,
            inputs: adoption.inputs.map { LauncherState.Input(run: $0.key, socket: $0.value.rawValue) },
            lastSlot: adoption.lastSlot,
            lastSandbox: sandboxes.lastNumber,
            lostNanoseconds: adoption.lostNanoseconds,
            cgroups: isolation.host.cgroups?.location,
            removers: Array(context.children.removers),
            staleFolders: Array(context.children.staleFolders),
            egress: LauncherState.Egress(context.egress),
            sandboxes: sandboxes.all.map(LauncherState.Sandbox.init),
            slots: workers.all.map(LauncherState.Slot.init)
        )
    }

    /// Adopts the workers and sandboxes of the replaced program.
    private func resume(_ state: LauncherState) {
        // Make the passed descriptors close-on-exec again, so that children inherit no descriptor that is not adopted.
        for descriptor in state.descriptors { try? FileDescriptor.setCloseOnExec(descriptor, true) }
        sandboxes.adopt(state)
        context.children.restore(removers: state.removers, staleFolders: state.staleFolders)
        for saved in state.slots {
            do {
                try workers.adopt(saved, in: saved.sandbox.flatMap { sandboxes[$0] }, on: isolation.host.cgroups)
            } catch {
                context.journal.write(.error, "cannot adopt worker \(saved.process) (\(error)); killing it")
                if saved.processEnd == nil { _ = kill(saved.process, SIGKILL) }
            }
        }
        context.journal.write(.notice, "adopted the previous launcher program's workers (\(workers.count))")
        // Reap the children that exited during the upgrade.
        reap()
        forkServers.retireAll()
    }
}
