import Glibc
import IntentConfiguration
import IntentLinux
import IntentSandbox
import IntentSystemd
import IntentWire

/// Sandboxes, from their start to their end: those for one worker, and those with a fork server.
extension Launcher {
    /// Executes the app in a sandbox of its own.
    func startAlone(_ app: AppSettings, _ request: LaunchRequest, _ isolation: Isolation) throws {
        let owner = SandboxOwner(app: app.name, user: request.user, account: request.account)
        let sandbox = try makePlace(of: app, for: owner, isolation: isolation) { folder, group, user in
            .worker(
                try prepare(request, of: app, at: makeRunPlace(for: request.slot, in: folder, of: user, group?.leaf))
            )
        }
        guard case .worker(let preparation?) = sandbox.use else { preconditionFailure("made for a worker just now") }
        let name = preparation.place.directory.name
        let state = states.folder(of: app, for: sandbox.owner, user: sandbox.ids?.app)
        // What it can do, an app tells with a full folder too.
        if request.mode != .describe { sandbox.state = StateQuota(state, of: app) }
        let directory = "\(InsidePath.runs)/\(name)"
        let writable = WritableFolders(runs: preparation.place.directory.path, onlyRun: name, state: state)
        do {
            try start(
                sandbox,
                of: app,
                writable,
                environment: { libraryFolders in
                    environment(
                        of: app,
                        request.mode,
                        directory: directory,
                        state: state == nil ? nil : InsidePath.state,
                        libraryFolders: libraryFolders
                    )
                },
                directory: directory,
                ends: preparation.workerEnds
            )
        } catch {
            // The sandbox's folder can only be removed when it is empty.
            if let remover = preparation.place.directory.remove() { children.addRemover(remover) }
            removePlace(of: sandbox)
            throw error
        }
        sandbox.group?.leaf.limit(app.sandbox.leafLimits)
        preparation.handOver()
    }

    /// The folder and the cgroup of a new sandbox.
    func makePlace(
        of app: AppSettings,
        for owner: SandboxOwner,
        isolation: Isolation,
        use: (_ folder: String, CgroupGroup?, _ user: UInt32?) throws -> Sandbox.Use
    ) throws -> Sandbox {
        let pair = try identities.ids(of: app, for: owner)
        let number = sandboxes.nextNumber()
        let folder = "\(folders.runs)/\(number)"
        try syscall("mkdir", on: folder) { mkdir(folder, 0o711) }
        // Not subject to the umask: the app's user walks through this folder to those of its runs.
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
            sandboxes.add(sandbox)
            return sandbox
        } catch {
            group?.remove()
            _ = rmdir(folder)
            throw error
        }
    }

    func start(
        _ sandbox: Sandbox,
        of app: AppSettings,
        _ writable: WritableFolders,
        environment: ([String]) -> [String: String],
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
                environment: environment(plan.libraryFolders),
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
            if let sandbox { self?.hear(sandbox) }
        }
    }

    /// Reads the report of the process that executes the app.
    private func hear(_ sandbox: Sandbox) {
        let failure = sandbox.launchFailure?()
        sandbox.report = nil
        sandbox.launchFailure = nil
        reported(sandbox, failure)
    }

    /// The executable started, or a step before failed.
    private func reported(_ sandbox: Sandbox, _ failure: LaunchError?) {
        defer { upgradeWhenSettled() }
        if let failure {
            switch sandbox.use {
            case .worker(let preparation?):
                fail(preparation.request, "\(failure)")
                preparation.place.directory.remove()
            case .worker(nil), .remains: break
            case .forkServer(let server):
                for request in server.waiting { fail(request, "\(failure)") }
                server.waiting = []
                retire(sandbox)
            }
            sandbox.end()
            return
        }
        if case .worker(let preparation?) = sandbox.use {
            sandbox.use = .worker(nil)
            begin(preparation, process: sandbox.server, in: sandbox, sandbox.isolation)
            // Its process may have ended before it was known that it had started.
            if let end = sandbox.serverEnd {
                slots[preparation.request.slot]?.processEnd = end
                serverEnded(sandbox, end)
                if let slot = slots[preparation.request.slot] { settle(slot) }
            }
        }
    }

    /// One of the two processes of a sandbox has ended.
    func processEnded(_ end: ChildReaper.End, of sandbox: Sandbox) {
        let processEnd: ProcessEnd =
            end.isSignal ? .signaled(signal: end.number) : .exited(code: end.number)
        if end.process == sandbox.initProcess {
            sandbox.isInitReaped = true
        } else {
            sandbox.serverEnd = processEnd
            // Its report comes first: a failed step explains the end better, and does not count as a death of the app.
            if sandbox.report != nil {
                hear(sandbox)
                guard case .forkServer(let server) = sandbox.use, !server.isRetired else {
                    return removeOnceExited(sandbox)
                }
            }
            serverEnded(sandbox, processEnd)
        }
        removeOnceExited(sandbox)
    }

    private func serverEnded(_ sandbox: Sandbox, _ end: ProcessEnd) {
        switch sandbox.use {
        case .worker:
            // All of its processes end with pid 1.
            sandbox.end()
        case .remains: break
        case .forkServer(let server):
            let words: String
            var advice = "Run '\(server.app.executable)' by hand to see why."
            switch end {
            case .exited(ForkCommand.refusalExitCode):
                words = "it does not understand this launcher's commands"
                advice = "Build '\(server.app.executable)' again with the AppIntents of this release."
            case .exited(let code): words = "it exited with code \(code)"
            case .signaled(let number): words = "signal \(number) ended it"
            }
            sandbox.timer = nil
            server.link?.drain()
            if !server.isRetired {
                let now = ClockReading.monotonicNanoseconds()
                forkServers.died(sandbox, at: now, words: words)
                journal.write(.warning, "\(sandbox.appName): its fork server ended: \(words)")
            }
            let message = "its fork server ended: \(words). \(advice)"
            for request in server.waiting { fail(request, message) }
            for preparation in server.preparations.values { abandon(preparation, message) }
            server.waiting = []
            server.preparations = [:]
            retire(sandbox)
        }
    }

    /// Begins no new runs in the sandbox, and ends it after the last one.
    func retire(_ sandbox: Sandbox) {
        forkServers.remove(sandbox)
        sandbox.forkServer?.retire()
        endWhenIdle(sandbox)
    }

    func endServer(of sandbox: Sandbox) {
        if sandbox.server > 0, sandbox.serverEnd == nil { _ = kill(sandbox.server, SIGKILL) }
    }

    /// A run in the sandbox has ended.
    func left(_ sandbox: Sandbox, _ slot: SlotID) {
        sandbox.slots.remove(slot)
        endWhenIdle(sandbox)
        idle(sandbox)
        removeOnceExited(sandbox)
    }

    private func endWhenIdle(_ sandbox: Sandbox) {
        switch sandbox.use {
        case .forkServer(let server):
            guard server.isRetired, server.preparations.isEmpty, server.waiting.isEmpty else { return }
        case .remains: break
        case .worker: return
        }
        if sandbox.slots.isEmpty { sandbox.end() }
    }

    func arm(_ sandbox: Sandbox, after nanoseconds: Int64, _ body: @escaping (Launcher, Sandbox) -> Void) {
        do {
            sandbox.timer = try loop.timer(atNanoseconds: ClockReading.monotonicNanoseconds() + nanoseconds) {
                [weak self, weak sandbox] in
                guard let self, let sandbox else { return }
                sandbox.timer = nil
                body(self, sandbox)
            }
        } catch {
            journal.write(.error, "cannot arm a timer for a fork server (\(error)), continuing without it")
        }
    }

    func removeOnceExited(_ sandbox: Sandbox) {
        guard sandbox.hasExited, sandbox.slots.isEmpty, sandbox.report == nil else { return }
        removePlace(of: sandbox)
        leaveWhenEmpty()
    }

    func removePlace(of sandbox: Sandbox) {
        sandbox.group?.remove()
        sandbox.forkServer?.dropPlaces()
        sandboxes.remove(sandbox)
        children.remove(sandbox)
    }
}
