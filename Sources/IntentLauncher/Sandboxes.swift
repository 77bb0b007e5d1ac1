import Glibc
import IntentConfiguration
import IntentLinux
import IntentSandbox
import IntentSystemd
import IntentWire

/// All sandboxes. A sandbox is removed once both of its processes are reaped and its last run has ended.
final class Sandboxes {
    /// An event of a sandbox with a fork server.
    enum ForkServerEvent {
        /// A step before the executable's start failed.
        case failed(LaunchError)
        case ended(ProcessEnd)
    }

    private let loop: EventLoop
    private let journal: Journal
    private let supervisor: SupervisorConnection
    private let children: ChildTable
    private let isolation: HostIsolation
    private let identities: SandboxIdentities
    private let folders: RunFolders
    private let states: StateFolders
    private let workers: Workers
    private var table = SandboxTable()
    /// Called with each event of a sandbox that has a fork server.
    var forkServerChanged: (Sandbox, ForkServer, ForkServerEvent) -> Void = { _, _, _ in }
    /// Called after a launch has succeeded or failed.
    var launchEnded: () -> Void = {}
    /// Called after the last sandbox was removed.
    var emptied: () -> Void = {}

    init(
        _ surroundings: Surroundings,
        _ isolation: HostIsolation,
        _ identities: SandboxIdentities,
        states: StateFolders,
        workers: Workers
    ) {
        loop = surroundings.loop
        journal = surroundings.journal
        supervisor = surroundings.supervisor
        children = surroundings.children
        self.isolation = isolation
        self.identities = identities
        folders = surroundings.folders
        self.states = states
        self.workers = workers
    }

    var all: Dictionary<Int, Sandbox>.Values { table.values }
    var isEmpty: Bool { table.isEmpty }
    var lastNumber: Int { table.lastNumber }

    subscript(number: Int) -> Sandbox? { table[number] }

    /// Returns the preparation of a slot that has no process yet.
    func preparation(of slot: SlotID) -> Preparation? { table.preparation(of: slot) }

    /// True while a launch is in progress.
    var isLaunching: Bool {
        table.values.contains { $0.report != nil || $0.forkServer?.preparations.isEmpty == false }
    }

    // MARK: Start

    /// Starts an app for one slot, in a separate sandbox.
    func startAlone(_ app: AppSettings, _ request: LaunchRequest, _ isolation: Isolation) throws {
        let owner = SandboxOwner(app: app.name, user: request.user, account: request.account)
        let sandbox = try make(of: app, for: owner, isolation: isolation) { folder, group, user in
            let workspace = try RunWorkspace(for: request.slot, in: folder, of: user, group?.leaf)
            return .worker(try workers.prepare(request, at: workspace, diskLimit: app.sandbox.diskMax))
        }
        guard case .worker(let preparation?) = sandbox.use else { preconditionFailure("made for a worker above") }
        let name = preparation.workspace.directory.name
        let state = states.folder(of: app, for: sandbox.owner, user: sandbox.ids?.app)
        // A full state folder must not prevent an app from describing its intents.
        if request.mode != .describe { sandbox.state = StateQuota(state, of: app) }
        let directory = "\(InsidePath.runs)/\(name)"
        let writable = WritableFolders(runs: preparation.workspace.directory.path, onlyRun: name, state: state)
        do {
            try start(
                sandbox,
                of: app,
                writable,
                mode: request.mode,
                home: directory,
                directory: directory,
                ends: preparation.workerEnds
            )
        } catch {
            // Only an empty folder can be removed. The cgroup leaf is removed with its group.
            if let remover = preparation.workspace.directory.remove() { children.addRemover(remover) }
            remove(sandbox)
            throw error
        }
        sandbox.group?.leaf.limit(app.sandbox.leafLimits)
        preparation.handOver()
    }

    /// Creates the folder and the cgroup of a new sandbox.
    func make(
        of app: AppSettings,
        for owner: SandboxOwner,
        isolation: Isolation,
        use: (_ folder: String, CgroupGroup?, _ user: UInt32?) throws -> Sandbox.Use
    ) throws -> Sandbox {
        let pair = try identities.ids(of: app, for: owner)
        let number = table.nextNumber()
        let folder = "\(folders.runs)/\(number)"
        try syscall("mkdir", on: folder) { mkdir(folder, 0o711) }
        // Unlike mkdir, chmod ignores the umask. The app's user must be able to reach the folders of its runs through
        // this folder.
        try syscall("chmod", on: folder) { chmod(folder, 0o711) }
        var group: CgroupGroup?
        do {
            group = try self.isolation.host.cgroups?.makeGroup(named: "app-\(number)", user: pair?.app)
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
            table.add(sandbox)
            return sandbox
        } catch {
            group?.remove()
            _ = rmdir(folder)
            throw error
        }
    }

    /// Starts pid 1 and the app's executable.
    ///
    /// - Parameters:
    ///   - home: The folder for temporary files, for the environment.
    ///   - ends: For a worker, its socket and two pipes; for a fork server, its control socket.
    func start(
        _ sandbox: Sandbox,
        of app: AppSettings,
        _ writable: WritableFolders,
        mode: WorkerMode,
        home: String,
        directory: String,
        ends: [SharedFileDescriptor]
    ) throws {
        let settings = app.sandbox
        let host = isolation.host
        var plan = try SandboxPlan(for: app, writable, user: sandbox.ids?.app ?? getuid())
        plan.ids = sandbox.ids
        plan.grantsGroup = identities.grantsGroup
        let isServer = sandbox.forkServer != nil
        plan.limits = settings.resourceLimits(
            controllers: host.cgroups?.controllers ?? [],
            sharedRunCount: isServer ? app.runCountMax + app.spareCount : nil
        )
        var permissions = settings.filterPermissions(on: host)
        if isServer { permissions.insert(.forkServer) }
        let processes = try plan.start(
            SandboxedProgram(
                executable: app.executable,
                arguments: app.arguments,
                environment: app.environment(
                    mode,
                    home: home,
                    state: writable.state == nil ? nil : InsidePath.state,
                    libraryFolders: plan.libraryFolders
                ),
                directory: directory,
                socket: ends[0],
                output: isServer ? nil : ends[1],
                error: isServer ? nil : ends[2],
                isForkServer: isServer
            ),
            mountPoint: folders.runs,
            filter: host.filter(permissions),
            landlock: host.landlock,
            group: sandbox.group
        )
        sandbox.started(initProcess: processes.initProcess, server: processes.server)
        children.add(sandbox)
        sandbox.launchFailure = { plan.failure(in: processes.report, of: app.executable) }
        sandbox.report = try loop.descriptor(processes.report.rawValue, .readable) {
            [weak self, weak sandbox] _ in
            if let sandbox { self?.readReport(of: sandbox) }
        }
    }

    /// Reads the report of the process that executes the app.
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
            supervisor.refuse(preparation.request, "\(failure)")
            preparation.workspace.directory.remove()
        case .worker(nil), .remains: break
        case .forkServer(let server): forkServerChanged(sandbox, server, .failed(failure))
        }
        sandbox.end()
    }

    /// Handles the start of the executable.
    private func executed(_ sandbox: Sandbox) {
        guard case .worker(let preparation?) = sandbox.use else { return }
        sandbox.use = .worker(nil)
        workers.begin(preparation, process: sandbox.server, in: sandbox, sandbox.isolation)
        // The process may have ended before the report of its start was read.
        guard let end = sandbox.serverEnd, let slot = workers[preparation.request.slot] else { return }
        slot.processEnd = end
        executableEnded(sandbox, end)
        workers.finish(slot)
    }

    // MARK: End

    /// Handles the end of one of a sandbox's two processes.
    func processEnded(_ end: ChildReaper.End, of sandbox: Sandbox) {
        let processEnd: ProcessEnd =
            end.isSignal ? .signaled(signal: end.number) : .exited(code: end.number)
        if end.process == sandbox.initProcess {
            sandbox.isInitReaped = true
        } else {
            sandbox.serverEnd = processEnd
            // Read the report first: a failed step is a better explanation, and does not count as a crash of the app.
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
            // When pid 1 of a sandbox ends, the kernel kills its other processes.
            sandbox.end()
        case .remains: break
        case .forkServer(let server): forkServerChanged(sandbox, server, .ended(end))
        }
    }

    /// Ends a sandbox that accepts no more runs, once its last run has ended.
    func endWhenIdle(_ sandbox: Sandbox) {
        switch sandbox.use {
        case .forkServer(let server):
            guard server.isRetired, server.preparations.isEmpty, server.waiting.isEmpty else { return }
        case .remains: break
        case .worker: return
        }
        if sandbox.slots.isEmpty { sandbox.end() }
    }

    /// Kills the process of the executable.
    func killServer(of sandbox: Sandbox) {
        if sandbox.server > 0, sandbox.serverEnd == nil { _ = kill(sandbox.server, SIGKILL) }
    }

    func removeExited() {
        for sandbox in Array(table.values) { removeOnceExited(sandbox) }
    }

    func removeOnceExited(_ sandbox: Sandbox) {
        guard sandbox.hasExited, sandbox.slots.isEmpty, sandbox.report == nil else { return }
        remove(sandbox)
        if table.isEmpty { emptied() }
    }

    /// Removes a sandbox that has no processes, with its folder and cgroup.
    func remove(_ sandbox: Sandbox) {
        sandbox.group?.remove()
        sandbox.forkServer?.removeWorkspaces()
        table.remove(sandbox)
        children.remove(sandbox)
    }

    /// Arms the sandbox's only timer, and disarms the previous one.
    func arm(_ sandbox: Sandbox, after nanoseconds: Int64, _ body: @escaping (Sandbox) -> Void) {
        do {
            sandbox.timer = try loop.timer(atNanoseconds: ClockReading.monotonicNanoseconds() + nanoseconds) {
                [weak sandbox] in
                guard let sandbox else { return }
                sandbox.timer = nil
                body(sandbox)
            }
        } catch {
            journal.write(.error, "cannot arm the timer of a fork server (\(error)); continuing without it")
        }
    }

    // MARK: The next program

    /// Adopts the sandboxes of the previous launcher program.
    func adopt(_ left: [LauncherState.Sandbox], lastNumber: Int) {
        table.restore(lastNumber: lastNumber)
        for left in left {
            // If its cgroup cannot be opened, the sandbox still ends with its pid 1.
            let group = left.group.flatMap { try? isolation.host.cgroups?.group(at: $0, user: left.ids?.app) }
            let sandbox = Sandbox(left, group: group)
            table.add(sandbox)
            children.add(sandbox)
        }
    }
}
