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
        let state = stateFolder(of: app, for: sandbox)
        // What it can do, an app tells with a full folder too.
        if request.mode != .describe { sandbox.state = StateQuota(state, of: app) }
        let directory = "\(InsidePath.runs)/\(name)"
        let folders = WritableFolders(runs: preparation.place.directory.path, onlyRun: name, state: state)
        do {
            try start(
                sandbox,
                of: app,
                folders,
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
            // From the inside out: the sandbox's folder must be empty to go.
            if let remover = preparation.place.directory.remove() { removers.insert(remover) }
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
        let pair = try assignedIDs(of: app, for: owner)
        lastSandbox += 1
        let folder = "\(runsFolder)/\(lastSandbox)"
        try syscall("mkdir", on: folder) { mkdir(folder, 0o711) }
        // Whatever the umask: the app's user walks through it to its runs' own folders.
        try syscall("chmod", on: folder) { chmod(folder, 0o711) }
        var group: CgroupGroup?
        do {
            group = try host.cgroups?.makeGroup(named: "app-\(lastSandbox)", user: pair?.app)
            let use = try use(folder, group, pair?.app)
            let sandbox = Sandbox(
                number: lastSandbox,
                owner: owner,
                ids: pair,
                folder: folder,
                group: group,
                isolation: isolation,
                use: use
            )
            sandboxes[sandbox.number] = sandbox
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
        _ folders: WritableFolders,
        environment: ([String]) -> [String: String],
        directory: String,
        ends: [SharedFileDescriptor]
    ) throws {
        let settings = app.sandbox
        var plan = try SandboxPlan(for: app, folders, user: sandbox.ids?.app ?? getuid())
        plan.ids = sandbox.ids
        plan.grantsGroup = grantsGroup
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
            mountPoint: runsFolder,
            filter: try host.filter(permissions),
            landlock: host.landlock,
            group: sandbox.group
        )
        sandbox.started(initProcess: processes.initProcess, server: processes.server)
        sandboxOfProcess[processes.initProcess] = sandbox
        sandboxOfProcess[processes.server] = sandbox
        sandbox.launchFailure = { plan.failure(in: processes.report, of: app.executable) }
        sandbox.report = try loop.descriptor(processes.report.rawValue, .readable) {
            [weak self, weak sandbox] _ in
            if let sandbox { self?.hear(sandbox) }
        }
    }

    /// Takes what the process of the executable told on its way.
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
            // What it told before its end comes first: a step that failed is the better story, and no death of the app.
            if sandbox.report != nil {
                hear(sandbox)
                guard case .forkServer(let server) = sandbox.use, !server.isRetired else {
                    return removeWhenGone(sandbox)
                }
            }
            serverEnded(sandbox, processEnd)
        }
        removeWhenGone(sandbox)
    }

    private func serverEnded(_ sandbox: Sandbox, _ end: ProcessEnd) {
        switch sandbox.use {
        case .worker:
            // Whatever it started ends with pid 1.
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
                deaths[sandbox.owner, default: DeathTally()].died(at: now, words: words)
                journal.write(.warning, "\(sandbox.appName): its fork server is gone: \(words)")
            }
            let message = "its fork server is gone: \(words). \(advice)"
            for request in server.waiting { fail(request, message) }
            for preparation in server.preparations.values { abandon(preparation, message) }
            server.waiting = []
            server.preparations = [:]
            retire(sandbox)
        }
    }

    /// No new runs in it; it ends when the last one has.
    func retire(_ sandbox: Sandbox) {
        if forkServers[sandbox.owner] === sandbox { forkServers[sandbox.owner] = nil }
        sandbox.forkServer?.retire()
        endWhenIdle(sandbox)
    }

    func endServer(of sandbox: Sandbox) {
        if sandbox.server > 0, sandbox.serverEnd == nil { _ = kill(sandbox.server, SIGKILL) }
    }

    /// A run of it is over.
    func left(_ sandbox: Sandbox, _ slot: SlotID) {
        sandbox.slots.remove(slot)
        endWhenIdle(sandbox)
        idle(sandbox)
        removeWhenGone(sandbox)
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
            journal.write(.error, "no timer for a fork server (\(error)), continuing without")
        }
    }

    func removeWhenGone(_ sandbox: Sandbox) {
        guard sandbox.isGone, sandbox.slots.isEmpty, sandbox.report == nil else { return }
        removePlace(of: sandbox)
        leaveWhenEmpty()
    }

    func removePlace(of sandbox: Sandbox) {
        sandbox.group?.remove()
        sandbox.forkServer?.dropPlaces()
        // Directories of runs below it go on their own ways; the folder goes with the last.
        if rmdir(sandbox.folder) != 0 { staleFolders.insert(sandbox.folder) }
        sandboxes[sandbox.number] = nil
        for process in [sandbox.initProcess, sandbox.server] { sandboxOfProcess[process] = nil }
    }

    /// The preparation of a slot that has no process yet.
    func preparation(of slot: SlotID) -> Preparation? {
        for sandbox in sandboxes.values {
            switch sandbox.use {
            case .worker(let preparation?) where preparation.request.slot == slot: return preparation
            case .forkServer(let server):
                if let preparation = server.preparations[slot] { return preparation }
            case .worker, .remains: continue
            }
        }
        return nil
    }
}
