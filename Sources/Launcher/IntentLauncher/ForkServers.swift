import Glibc
import IntentConfiguration
import IntentDaemon
import IntentLauncherMessages
import IntentLinux
import IntentSandbox
import IntentSystemd

/// Starts fork servers, and requests workers from them. Each sandbox owner with recent runs has one fork server.
///
/// Fork servers and workers run the app's code. The launcher accepts their reports only if the kernel confirms them.
final class ForkServers {
    /// The time limit for a fork server to start, or to answer a command.
    private static let answerLimit: Int64 = 10_000_000_000

    let context: LauncherContext
    private let landlock: Landlock
    private let workers: Workers
    let sandboxes: Sandboxes
    private let disk: DiskQuotas
    private var table = ForkServerTable()
    private var users = LocalUsers()
    /// Called to start a worker for an app that cannot be forked.
    var execute: (AppSettings, LaunchRequest) -> Void = { _, _ in }
    /// Called to begin a launch again, because its sandbox cannot be used.
    var beginAgain: (LaunchRequest) -> Void = { _ in }
    /// Called to reap the children that have exited.
    var reap: () -> Void = {}
    /// Called after each report from a fork server.
    var launchEnded: () -> Void = {}

    init(
        _ context: LauncherContext,
        landlock: Landlock,
        workers: Workers,
        sandboxes: Sandboxes,
        disk: DiskQuotas
    ) {
        self.context = context
        self.landlock = landlock
        self.workers = workers
        self.sandboxes = sandboxes
        self.disk = disk
        sandboxes.forkServerFailed = { [weak self] in self?.failed($0, $1, $2) }
        sandboxes.forkServerEnded = { [weak self] in self?.ended($0, $1, $2) }
        context.sources.outdated = { [weak self] in self?.hostChanged($0) }
        disk.quotaExceeded = { [weak self] sandbox in
            self?.retire(sandbox)
            self?.sandboxes.killServer(of: sandbox)
        }
    }

    /// Returns true for an app that starts threads before a run. The result is valid until the app's settings change.
    func isUnforkable(_ app: AppSettings) -> Bool { table.isUnforkable(app) }

    // MARK: Forking

    /// Forks a worker from the owner's fork server, and starts the fork server first if it is not running.
    func start(_ app: AppSettings, _ request: LaunchRequest, _ isolation: Isolation) throws {
        let owner = SandboxOwner(of: request)
        context.sources.check(beforeUseOf: table[owner]?.number)
        if let sandbox = table[owner] {
            if let server = sandbox.forkServer, server.app == app, sandbox.serverEnd == nil {
                table.noteUse(of: sandbox)
                if server.isReady { fork(request, in: sandbox) } else { server.waiting.append(request) }
                return
            }
            retire(sandbox)
        }
        let now = ClockReading.monotonicNanoseconds()
        if let refusal = table.refusal(of: app, for: owner, at: now) { throw refusal }
        try startServer(of: app, for: owner, isolation).waiting.append(request)
    }

    private func startServer(
        of app: AppSettings,
        for owner: SandboxOwner,
        _ isolation: Isolation
    ) throws -> ForkServer {
        retireExcess(over: context.files.forkServerCount - 1)
        let control = try UnixSocket.Pair(.sequencedPacket).shared(closer: context.socketCloser.closer(for: owner))
        let server = ForkServer(of: app, control: control.first)
        let sandbox = try sandboxes.make(of: app, for: owner, isolation: isolation) { _, _, _ in .forkServer(server) }
        let state = context.states.folder(of: app, for: sandbox.owner, user: sandbox.ids?.app)
        sandbox.state = StateQuota(state, of: app)
        do {
            server.link = try RecordSocket(
                control.first,
                on: context.loop,
                recordLimit: 64,
                // Ignore the last records from a sandbox that has already been removed.
                receivedFrom: { [weak self, weak sandbox] record, sender in
                    if let sandbox { self?.received(record, from: sender, in: sandbox) }
                },
                // Do not report a failure here. The process has exited, or the next line kills it. The failure is
                // reported when the process is reaped.
                ended: { [weak self, weak sandbox] _ in
                    if let sandbox, sandbox.serverEnd == nil { self?.sandboxes.killServer(of: sandbox) }
                }
            )
            try sandboxes.start(
                sandbox,
                of: app,
                WritableFolders(runs: sandbox.folder, isOfOneRun: false, state: state),
                mode: .serve,
                home: app.unit.sandbox.startsPrograms ? InsidePath.own : "/tmp",
                directory: "/",
                ends: [control.second]
            )
        } catch {
            sandboxes.remove(sandbox)
            throw error
        }
        sandbox.group?.leaf.limit(app.unit.sandbox.leafLimits)
        table.add(sandbox)
        expectAnswer(of: sandbox)
        return server
    }

    private func fork(_ request: LaunchRequest, in sandbox: Sandbox) {
        guard let server = sandbox.forkServer else { return }
        // Check this for each request, because the fork server may exit while the launcher begins the requests that
        // were waiting for it.
        guard sandbox.serverEnd == nil else {
            return context.supervisor.refuse(request, "the app's fork server has exited")
        }
        guard disk.hasRoom(for: request, in: sandbox) else { return }
        var begun: Preparation?
        do {
            let workspace = try workspace(for: request.slot, in: sandbox, of: server)
            let preparation = try workers.prepare(request, at: workspace, diskLimit: server.app.unit.sandbox.diskMax)
            begun = preparation
            let command = ForkCommand(
                slot: request.slot,
                fileAccess: landlock.fileRights.rawValue,
                scopes: landlock.scopes,
                openFileCount: UInt64(server.app.unit.sandbox.openFiles),
                leaf: workspace.leaf == nil ? nil : workspace.number,
                allowsSubprocesses: server.app.unit.sandbox.startsPrograms
            )
            // Send the folder's secret name to the worker only. All workers inherit the fork server's memory, which
            // therefore must not contain the name.
            guard
                try UnixSocket.send(
                    Array(workspace.directory.name.utf8)[...],
                    on: preparation.socket.rawValue,
                    waiting: .never
                ) != nil
            else { throw UnmetRequirement("the new worker's socket is full") }
            server.preparations[request.slot] = preparation
            server.link?.send(command.record, descriptors: preparation.workerEnds)
            preparation.closeWorkerEnds()
            // Start the time limit only for the first request, because a new request must not extend the time limit of
            // an earlier request.
            if server.preparations.count == 1 { expectAnswer(of: sandbox) }
        } catch {
            let failure = LaunchFailure(of: error, "cannot start a worker: \(error)")
            if let begun { return workers.abandon(begun, failure) }
            context.supervisor.refuse(request, failure)
        }
    }

    /// Returns a workspace that an earlier run left clean, or creates a workspace, with a root if the sandbox has roots.
    func workspace(
        for slot: SlotID,
        in sandbox: Sandbox,
        of server: ForkServer
    ) throws(SystemError) -> RunWorkspace {
        let workspace = try workspaceWithoutRoot(for: slot, in: sandbox, of: server)
        do throws(SystemError) {
            // A workspace with links is never reused.
            try workspace.directory.addLinks(sandbox.runLinks)
            if let roots = sandbox.roots { try workspace.makeRoot(by: roots) }
            return workspace
        } catch {
            context.children.remove(workspace, from: .slot(slot))
            throw error
        }
    }

    private func workspaceWithoutRoot(
        for slot: SlotID,
        in sandbox: Sandbox,
        of server: ForkServer
    ) throws(SystemError) -> RunWorkspace {
        let limits = server.app.unit.sandbox.leafLimits
        while let kept = server.removeWorkspace() {
            do throws(SystemError) {
                if try kept.take(for: slot, in: sandbox.group, limits) { return kept }
            } catch {
                context.children.remove(kept, from: .forkServer)
                throw error
            }
            context.children.remove(kept, from: .forkServer)
        }
        let made = try sandbox.group.map { group throws(SystemError) in
            try RunWorkspace.makeLeaf(slot.number, in: group, limits)
        }
        let user = sandbox.ids?.app
        return try RunWorkspace(for: slot, in: sandbox.folder, of: user, made?.leaf, numbered: made?.number)
    }

    // MARK: Answers

    private func received(_ record: [UInt8], from sender: NamedRecords.Sender, in sandbox: Sandbox) {
        guard let server = sandbox.forkServer else { return }
        defer { launchEnded() }
        switch ForkReport(record: record) {
        case .ready(isSingleThreaded: true)? where !server.isReady:
            server.isReady = true
            sandbox.timer = nil
            for request in server.removeWaiting() { fork(request, in: sandbox) }
            stopLater(sandbox)
        case .ready(isSingleThreaded: false)? where !server.isReady:
            table.noteUnforkable(server.app)
            let waiting = server.removeWaiting()
            retire(sandbox)
            sandboxes.killServer(of: sandbox)
            for request in waiting { execute(server.app, request) }
        case .forked(let slot)?:
            guard let preparation = server.preparations.removeValue(forKey: slot) else {
                return sandboxes.killServer(of: sandbox)
            }
            forked(preparation, by: sandbox, sender)
            answered(by: sandbox)
            // Reap processes that exited before they were added to the table of children.
            reap()
        case .refused(let slot, let error)?:
            guard let preparation = server.preparations.removeValue(forKey: slot) else {
                return sandboxes.killServer(of: sandbox)
            }
            answered(by: sandbox)
            workers.abandon(preparation, ForkServer.refusal(error))
            reap()
        case .ready, nil:
            sandboxes.killServer(of: sandbox)
        }
    }

    /// Accepts a new worker's report only if the kernel confirms that the sender is a new child of the launcher in the
    /// cgroup leaf that was created for it.
    private func forked(_ preparation: Preparation, by sandbox: Sandbox, _ sender: NamedRecords.Sender) {
        guard !context.children.contains(sender.process),
            let child = ChildReaper.child(sender.process, pidfd: sender.pidfd?.rawValue)
        else {
            workers.abandon(
                preparation,
                LaunchFailure(
                    message: "the app's fork server reported a worker that is not a new child of the launcher"
                )
            )
            return sandboxes.killServer(of: sandbox)
        }
        if let leaf = preparation.workspace.leaf, !leaf.contains(child) {
            _ = kill(child.process, SIGKILL)
            let message = "the app's fork server forked the worker outside the cgroup created for it"
            workers.abandon(preparation, LaunchFailure(message: message))
            return sandboxes.killServer(of: sandbox)
        }
        let slot = preparation.request.slot
        workers.begin(preparation, process: child.process, in: sandbox, sandbox.isolation)
        // A spare must not wait in a sandbox of which only a comparison finds that it is outdated. A run that has begun
        // in the slot is unaffected.
        if context.sources.isSilent(sandbox.number) { reportOutdated([slot]) }
    }

    /// Handles an answer from the fork server, and restarts the time limit if more answers are due.
    private func answered(by sandbox: Sandbox) {
        guard sandbox.forkServer?.preparations.isEmpty ?? true else { return expectAnswer(of: sandbox) }
        sandbox.timer = nil
        stopLater(sandbox)
    }

    private func expectAnswer(of sandbox: Sandbox) {
        sandboxes.arm(sandbox, after: Self.answerLimit) { [weak self] sandbox in
            guard let self else { return }
            context.journal.write(.warning, "\(sandbox.appName): the fork server has not answered for 10 s; killing it")
            sandboxes.killServer(of: sandbox)
        }
    }

    // MARK: Reaping

    /// Reaps a child that has exited. Returns nil if no child has exited, or if the exited child may be a worker that
    /// is still unknown because its report has not arrived yet.
    func nextEnd() -> ChildReaper.End? {
        while true {
            let forking = sandboxes.all.filter { $0.forkServer?.preparations.isEmpty == false }
            guard !forking.isEmpty, let end = ChildReaper.peek(), !context.children.contains(end.process) else {
                return ChildReaper.next()
            }
            for sandbox in forking { sandbox.forkServer?.link?.drain() }
            if !context.children.contains(end.process) { beginUnreported(end.process, of: forking) }
            // A worker without a separate cgroup is identified only by its report, and the unknown child may be such a
            // worker. Until the report arrives, reap only known children.
            let mayBeWorker = forking.contains { sandbox in
                sandbox.forkServer?.preparations.values.contains { $0.workspace.leaf == nil } == true
            }
            if !context.children.contains(end.process) && mayBeWorker { return context.children.reapKnown() }
            // Look for another child if this child was already reaped while the drained records were handled.
            if let reaped = ChildReaper.reap(end.process) { return reaped }
        }
    }

    /// Registers a worker that exited before it sent its report. The worker's cgroup, which /proc shows until the
    /// worker is reaped, identifies the worker.
    private func beginUnreported(_ process: Int32, of forking: [Sandbox]) {
        guard let path = ProcessTree.cgroup(of: process) else { return }
        for sandbox in forking {
            guard let server = sandbox.forkServer,
                let (slot, preparation) = server.preparations.first(where: {
                    $1.workspace.leaf?.matches(processPath: path) == true
                })
            else { continue }
            server.preparations[slot] = nil
            if server.preparations.isEmpty { sandbox.timer = nil }
            return workers.begin(preparation, process: process, in: sandbox, sandbox.isolation)
        }
    }

    // MARK: Exit

    private func failed(_ sandbox: Sandbox, _ server: ForkServer, _ failure: LaunchError) {
        let waiting = server.removeWaiting()
        retire(sandbox)
        sandboxes.launchesFailed(waiting, failure)
    }

    private func ended(_ sandbox: Sandbox, _ server: ForkServer, _ end: ProcessEnd) {
        let (reason, advice) = server.explanation(of: end)
        sandbox.timer = nil
        server.link?.drain()
        if !server.isRetired {
            let now = ClockReading.monotonicNanoseconds()
            table.recordExit(of: sandbox, at: now, reason: reason)
            let requests = server.waiting + server.preparations.values.map(\.request)
            // intentd has withdrawn all launches of a server that has no request and was not ready yet.
            if requests.isEmpty ? server.isReady : requests.contains(where: context.supervisor.logsFailure) {
                context.journal.write(.warning, "\(sandbox.appName): the fork server failed: \(reason)")
            }
        }
        let failure = LaunchFailure(message: "the app's fork server failed: \(reason). \(advice)")
        for request in server.removeWaiting() { context.supervisor.refuse(request, failure) }
        for preparation in server.preparations.values { workers.abandon(preparation, failure) }
        server.preparations = [:]
        retire(sandbox)
    }

    /// Starts no more runs in the sandbox, and ends the sandbox once its last run has ended.
    func retire(_ sandbox: Sandbox) {
        context.sources.remove(sandbox.number)
        table.remove(sandbox)
        sandbox.forkServer?.retire()
        sandboxes.endWhenIdle(sandbox)
    }

    /// Retires all sandboxes, and drops the requests waiting for their fork servers.
    func retireAll() {
        for sandbox in Array(sandboxes.all) {
            sandbox.forkServer?.waiting = []
            retire(sandbox)
        }
    }

    /// Ends all sandboxes because the launcher is quitting.
    func endAll() {
        retireAll()
        for sandbox in sandboxes.all { sandbox.end() }
    }

    /// Removes the slot of an ended run from its sandbox, and stops fork servers that are no longer needed.
    func removeSlot(_ slot: SlotID, from sandbox: Sandbox) {
        sandbox.slots.remove(slot)
        sandboxes.endWhenIdle(sandbox)
        stopLater(sandbox)
        // Retire the fork servers that exceed the limit. They were kept when the last fork server started if they were
        // busy.
        retireExcess(over: context.files.forkServerCount)
        sandboxes.removeOnceExited(sandbox)
    }

    private func retireExcess(over limit: Int) {
        guard table.count > limit else { return }
        users.update()
        let subordinates = users.subordinates
        for sandbox in table.excess(over: limit, { SandboxPayer($0.userName, subordinates) }) { retire(sandbox) }
    }

    /// Retires an idle fork server after `IdleStop=`.
    private func stopLater(_ sandbox: Sandbox) {
        guard sandbox.isIdleServer, let server = sandbox.forkServer else { return }
        // Keep one workspace for the next run.
        server.removeWorkspaces(keeping: 1)
        let span = server.app.unit.idleStop.components
        sandboxes.arm(sandbox, after: span.seconds &* 1_000_000_000 &+ span.attoseconds / 1_000_000_000) {
            [weak self] sandbox in
            if sandbox.slots.isEmpty { self?.retire(sandbox) }
        }
    }
}
