import Glibc
import IntentConfiguration
import IntentLauncherMessages
import IntentLinux
import IntentSandbox
import IntentSystemd

/// Creates, tracks and removes all sandboxes. A sandbox is removed once both of its processes have been reaped and its
/// last run has ended.
final class Sandboxes {
    private let context: LauncherContext
    private let isolation: HostIsolation
    private let workers: Workers
    /// The existing sandboxes, by number.
    private var sandboxes: [Int: Sandbox] = [:]
    /// The highest sandbox number used so far. Numbers are never reused, because they are part of the names of folders
    /// and cgroups.
    private(set) var lastNumber = 0
    /// Called with a fork server that was not executed, because an earlier step failed.
    var forkServerFailed: (Sandbox, ForkServer, LaunchError) -> Void = { _, _, _ in }
    /// Called with a fork server after its process has exited.
    var forkServerEnded: (Sandbox, ForkServer, ProcessEnd) -> Void = { _, _, _ in }
    /// Called with the launches that wait for a sandbox, when it fails before it executes the app.
    var launchesFailed: ([LaunchRequest], LaunchError) -> Void = { _, _ in }
    /// Called after a launch has succeeded or failed.
    var launchEnded: () -> Void = {}
    /// Called after the last sandbox was removed.
    var emptied: () -> Void = {}

    init(_ context: LauncherContext, _ isolation: HostIsolation, workers: Workers) {
        self.context = context
        self.isolation = isolation
        self.workers = workers
        context.egress.happened = { [weak self] number, event in
            if let slots = self?.slots(of: number) { return context.supervisor.send(.hosts(slots: slots, event)) }
            // Without a run, there is no person to ask.
            if case .asked(let question) = event { context.egress.decide(question, isPermitted: false) }
        }
    }

    /// Repeats the open questions to a new intentd.
    func reportQuestions() {
        for question in context.egress.open { context.egress.happened(question.sandbox, .asked(question)) }
    }

    var all: Dictionary<Int, Sandbox>.Values { sandboxes.values }
    var isEmpty: Bool { sandboxes.isEmpty }

    subscript(number: Int) -> Sandbox? { sandboxes[number] }

    /// Returns the slots of the workers in a sandbox; nil if it has none.
    private func slots(of sandbox: Int) -> [SlotID]? {
        sandboxes[sandbox].flatMap { $0.slots.isEmpty ? nil : Array($0.slots) }
    }

    /// Returns the preparation of a worker that has no process yet.
    func preparation(of slot: SlotID) -> Preparation? {
        for sandbox in all {
            switch sandbox.use {
            case .worker(let preparation?) where preparation.request.slot == slot: return preparation
            case .forkServer(let server):
                if let preparation = server.preparations[slot] { return preparation }
            case .worker, .remains: continue
            }
        }
        return nil
    }

    /// True while a launch is in progress.
    var isLaunching: Bool {
        all.contains { $0.report != nil || $0.forkServer?.preparations.isEmpty == false }
    }

    // MARK: Start

    /// Starts an app as a single worker in a separate sandbox.
    func startAlone(_ app: AppSettings, _ request: LaunchRequest, _ isolation: Isolation) throws {
        let owner = SandboxOwner(of: request)
        let sandbox = try make(of: app, for: owner, isolation: isolation) { folder, group, user in
            let workspace = try RunWorkspace(for: request.slot, in: folder, of: user, group?.leaf)
            return .worker(try workers.prepare(request, at: workspace, diskLimit: app.unit.sandbox.diskMax))
        }
        guard case .worker(let preparation?) = sandbox.use else {
            preconditionFailure("the sandbox was not created for a worker")
        }
        let state = context.states.folder(of: app, for: sandbox.owner, user: sandbox.ids?.app)
        // Do not enforce the quota while the app describes its intents. An app must be able to describe its intents
        // even if its state folder is full.
        if request.mode != .describe { sandbox.state = StateQuota(state, of: app) }
        let writable = WritableFolders(runs: preparation.workspace.directory.path, isOfOneRun: true, state: state)
        do {
            try start(
                sandbox,
                of: app,
                writable,
                mode: request.mode,
                home: InsidePath.own,
                directory: InsidePath.own,
                ends: preparation.workerEnds
            )
        } catch {
            // Remove the workspace first, because `remove(sandbox)` removes the sandbox folder only if it is empty.
            context.children.remove(preparation.workspace, from: .slot(request.slot))
            remove(sandbox)
            throw error
        }
        sandbox.group?.leaf.limit(app.unit.sandbox.leafLimits)
        preparation.closeWorkerEnds()
    }

    /// Creates a sandbox with its folder and cgroup, but without processes.
    func make(
        of app: AppSettings,
        for owner: SandboxOwner,
        isolation: Isolation,
        use: (_ folder: String, CgroupGroup?, _ user: UInt32?) throws -> Sandbox.Use
    ) throws -> Sandbox {
        let pair = try self.isolation.identities.ids(of: app, for: owner)
        let (number, folder, group) = try makeNumbered(for: pair?.app)
        do {
            let use = try use(folder, group, pair?.app)
            let sandbox = Sandbox(
                number: number,
                owner: owner,
                ids: pair,
                folder: folder,
                group: group,
                isolation: isolation,
                use: use
            )
            sandboxes[number] = sandbox
            return sandbox
        } catch {
            group?.remove()
            _ = rmdir(folder)
            throw error
        }
    }

    /// Creates a sandbox's folder and cgroup with the next number. Skips numbers with names that exist: a name that
    /// something left behind must not prevent a run.
    private func makeNumbered(for user: UInt32?) throws(SystemError) -> (Int, folder: String, CgroupGroup?) {
        for _ in 0..<64 {
            do throws(SystemError) {
                return try makeNext(for: user)
            } catch {
                guard error.code.rawValue == EEXIST else { throw error }
            }
        }
        return try makeNext(for: user)
    }

    private func makeNext(for user: UInt32?) throws(SystemError) -> (Int, folder: String, CgroupGroup?) {
        lastNumber += 1
        let folder = "\(context.folders.runs)/\(lastNumber)"
        if try syscall("mkdir", on: folder, nilOn: ENOENT, { mkdir(folder, 0o711) }) == nil {
            try context.folders.remake()
            try syscall("mkdir", on: folder) { mkdir(folder, 0o711) }
        }
        do throws(SystemError) {
            // Unlike mkdir, chmod ignores the umask. The app's user needs search permission for this folder to reach
            // the folders of its runs.
            try syscall("chmod", on: folder) { chmod(folder, 0o711) }
            let group = try isolation.host.cgroups?.makeGroup(named: "app-\(lastNumber)", user: user)
            return (lastNumber, folder, group)
        } catch {
            _ = rmdir(folder)
            throw error
        }
    }

    /// Starts pid 1 and the app's executable.
    ///
    /// - Parameters:
    ///   - home: The value of `$HOME` and `$TMPDIR`.
    ///   - directory: The working directory, as a path in the sandbox.
    ///   - ends: The app's ends of its connections: the socket and two pipes of a worker, or the control socket of a
    ///     fork server.
    func start(
        _ sandbox: Sandbox,
        of app: AppSettings,
        _ writable: WritableFolders,
        mode: WorkerMode,
        home: String,
        directory: String,
        ends: [SharedFileDescriptor]
    ) throws {
        let settings = app.unit.sandbox
        let host = isolation.host
        let grantsGroup = isolation.identities.grantsGroup
        var plan = try SandboxPlan(for: app, writable, as: sandbox.ids, grantsGroup: grantsGroup)
        let isServer = sandbox.forkServer != nil
        plan.isForkServer = isServer
        sandbox.runLinks = plan.runLinks
        if case .worker(let preparation?) = sandbox.use { try preparation.workspace.directory.addLinks(plan.runLinks) }
        // Watch before the sandbox is made, so that no change is missed. A sandbox of one run is always new.
        if isServer { context.sources.add(sandbox.number, plan.sources) }
        if plan.reach != nil {
            do {
                try context.egress.connect()
            } catch {
                throw UnmetRequirement("AllowHosts= needs intentd-egress, which cannot be reached: \(error)")
            }
        }
        var permissions = settings.filterPermissions(on: host)
        if isServer { permissions.insert(.forkServer) }
        let processes = try plan.start(
            LaunchPlan(
                executable: app.executable,
                arguments: app.arguments,
                environment: app.unit.environment(
                    mode,
                    home: home,
                    state: writable.state == nil ? nil : InsidePath.state,
                    libraryFolders: plan.libraryFolders
                ),
                directory: directory,
                socket: ends[0],
                output: isServer ? nil : ends[1],
                error: isServer ? nil : ends[2],
                limits: settings.resourceLimits(
                    controllers: host.cgroups?.controllers ?? [],
                    sharedRunCount: isServer ? app.unit.capacity.runCountMax + app.unit.capacity.spareCount : nil
                ),
                umask: settings.umask
            ),
            mountPoint: context.folders.runs,
            filter: host.filter(permissions),
            landlock: host.landlock,
            group: sandbox.group
        )
        sandbox.started(initProcess: processes.initProcess, server: processes.server)
        sandbox.roots = processes.roots
        if plan.reach != nil { context.egress.serve(sandbox.number, settings.hosts, processes.sockets) }
        context.children.add(sandbox)
        sandbox.launchFailure = { plan.failure(in: processes.report, of: app.executable) }
        sandbox.report = try context.loop.descriptor(processes.report.rawValue, .readable) {
            [weak self, weak sandbox] _ in
            if let sandbox { self?.readReport(of: sandbox) }
        }
    }

    /// Reads the report of the process that executes the app. The report is empty if the execution succeeded.
    private func readReport(of sandbox: Sandbox) {
        let failure = sandbox.launchFailure?()
        sandbox.report = nil
        sandbox.launchFailure = nil
        if let failure { failed(sandbox, failure) } else { executed(sandbox) }
        launchEnded()
    }

    /// Handles a step that failed before the executable started.
    private func failed(_ sandbox: Sandbox, _ failure: LaunchError) {
        switch sandbox.use {
        case .worker(let preparation?):
            context.children.remove(preparation.workspace, from: .slot(preparation.request.slot))
            sandbox.use = .worker(nil)
            launchesFailed([preparation.request], failure)
        case .worker(nil), .remains: break
        case .forkServer(let server): forkServerFailed(sandbox, server, failure)
        }
        sandbox.end()
    }

    /// Handles the start of the executable.
    private func executed(_ sandbox: Sandbox) {
        guard case .worker(let preparation?) = sandbox.use else { return }
        sandbox.use = .worker(nil)
        workers.begin(preparation, process: sandbox.server, in: sandbox, sandbox.isolation)
        // Handle the exit now if the process was reaped before its report was read.
        guard let end = sandbox.serverEnd, let slot = workers[preparation.request.slot] else { return }
        slot.processEnd = end
        executableEnded(sandbox, end)
        workers.finish(slot)
    }

    // MARK: Exit

    /// Handles the exit of one of a sandbox's two processes.
    func processEnded(_ end: ChildReaper.End, of sandbox: Sandbox) {
        let processEnd: ProcessEnd = end.isSignal ? .signaled(signal: end.number) : .exited(code: end.number)
        if end.process == sandbox.initProcess {
            sandbox.isInitReaped = true
        } else {
            sandbox.serverEnd = processEnd
            // Read the report first. If a step of the launch failed, the report explains the exit, which is then not a
            // crash of the app.
            if sandbox.report != nil {
                readReport(of: sandbox)
                guard case .forkServer(let server) = sandbox.use, !server.isRetired else {
                    return removeOnceExited(sandbox)
                }
            }
            executableEnded(sandbox, processEnd)
        }
        removeOnceExited(sandbox)
    }

    private func executableEnded(_ sandbox: Sandbox, _ end: ProcessEnd) {
        switch sandbox.use {
        case .worker:
            // Kill pid 1, because the kernel then kills all other processes in the sandbox.
            sandbox.end()
        case .remains: break
        case .forkServer(let server): forkServerEnded(sandbox, server, end)
        }
    }

    /// Ends a sandbox that accepts no more runs and has no run in progress.
    func endWhenIdle(_ sandbox: Sandbox) {
        switch sandbox.use {
        case .forkServer(let server):
            guard server.isRetired, server.preparations.isEmpty, server.waiting.isEmpty else { return }
        case .remains: break
        case .worker: return
        }
        if sandbox.slots.isEmpty { sandbox.end() }
    }

    /// Kills the process that executes the app.
    func killServer(of sandbox: Sandbox) {
        if sandbox.server > 0, sandbox.serverEnd == nil { _ = kill(sandbox.server, SIGKILL) }
    }

    func removeExited() {
        for sandbox in Array(all) { removeOnceExited(sandbox) }
    }

    func removeOnceExited(_ sandbox: Sandbox) {
        guard sandbox.hasExited, sandbox.slots.isEmpty, sandbox.report == nil else { return }
        remove(sandbox)
        if isEmpty { emptied() }
    }

    /// Removes a sandbox that has no processes, together with its folder and cgroup.
    func remove(_ sandbox: Sandbox) {
        context.sources.remove(sandbox.number)
        context.egress.end(sandbox.number)
        sandbox.group?.remove()
        sandbox.forkServer?.removeWorkspaces()
        sandboxes[sandbox.number] = nil
        context.children.remove(sandbox)
    }

    /// Arms the sandbox's timer. Replaces a timer that is already armed.
    func arm(_ sandbox: Sandbox, after nanoseconds: Int64, _ body: @escaping (Sandbox) -> Void) {
        do {
            sandbox.timer = try context.loop.timer(atNanoseconds: ClockReading.monotonicNanoseconds() + nanoseconds) {
                [weak sandbox] in
                guard let sandbox else { return }
                sandbox.timer = nil
                body(sandbox)
            }
        } catch {
            context.journal.write(.error, "cannot arm a fork server's timer (\(error)); continuing without it")
        }
    }

    /// Removes the slot's request from the requests waiting for a fork server. Returns false if no fork server has the
    /// request.
    func removeWaiting(_ id: SlotID) -> Bool {
        for server in all.compactMap(\.forkServer) {
            guard let index = server.waiting.firstIndex(where: { $0.slot == id }) else { continue }
            server.waiting.remove(at: index)
            return true
        }
        return false
    }

    // MARK: Program replacement

    /// Adopts the sandboxes of the previous launcher program.
    func adopt(_ state: LauncherState) {
        lastNumber = max(lastNumber, state.lastSandbox)
        for saved in state.sandboxes {
            // Adopt a sandbox even if its cgroup cannot be opened. Killing its pid 1 still ends the sandbox.
            let group = saved.group.flatMap { try? isolation.host.cgroups?.group(at: $0, user: saved.ids?.app) }
            let sandbox = Sandbox(saved, group: group)
            sandboxes[sandbox.number] = sandbox
            lastNumber = max(lastNumber, sandbox.number)
            context.children.add(sandbox)
        }
        state.egress?.adopt(in: context.egress)
    }

    /// Removes every workspace that no run uses, because the new program adopts only workspaces in use.
    func removeUnusedWorkspaces() {
        for sandbox in all { sandbox.forkServer?.removeWorkspaces() }
    }
}
