import Glibc
import IntentConfiguration
import IntentLinux
import IntentSandbox
import IntentSystemd
import IntentWire

extension Launcher {
    /// Queues a launch. It begins after the commands that arrived together with it.
    func queue(_ request: LaunchRequest) {
        guard !isQuitting else { return fail(request, "the launcher is quitting") }
        launches?.append(request)
    }

    /// Starts a worker of an app. `intentd` only names the app: the launcher reads its settings itself.
    func launch(_ request: LaunchRequest) {
        guard request.mode != .serve else { return fail(request, "intentd may not start a fork server") }
        guard (request.mode == .describe) == (request.user == nil) else {
            return fail(request, "expected a user for a run, and none for a description")
        }
        adoption.note(request.slot)
        guard slots[request.slot] == nil, sandboxes.preparation(of: request.slot) == nil else {
            fail(request, "slot \(request.slot.number) is in use")
            return
        }
        switch files.app(request.app) {
        case .missing: fail(request, "app '\(request.app)' not found. Check that it is still installed.")
        case .refused(let reason): fail(request, reason)
        case .found(let app): launch(app, request)
        }
    }

    func fail(_ request: LaunchRequest, _ message: String) {
        journal.write(.error, "\(request.app): \(message)", [("INTENT_APP", request.app.text)])
        report(.launchFailed(slot: request.slot, LaunchFailure(message: String(message.prefix(2000)))))
    }

    /// Starts the app in the way that its settings and the host allow.
    func launch(_ app: AppSettings, _ request: LaunchRequest) {
        let isolation = self.isolation.of(app, isExecuted: forkServers.isUnforkable(app))
        if let refusal = self.isolation.refusal(of: app, isolation) { return fail(request, refusal) }
        do {
            if self.isolation.host.sandboxProblem != nil {
                try startOpen(app, request, isolation)
            } else if request.mode == .describe || needsOwnSandbox(app) {
                try startAlone(app, request, isolation)
            } else {
                try startByFork(app, request, isolation)
            }
        } catch {
            fail(request, "\(error)")
        }
    }

    /// True for an app that may leave processes behind without a cgroup that contains them: the end of pid 1 ends them. And
    /// for an app with threads at its start, which cannot be forked.
    private func needsOwnSandbox(_ app: AppSettings) -> Bool {
        forkServers.isUnforkable(app) || app.sandbox.subprocesses && isolation.host.cgroups == nil
    }

    func prepare(_ request: LaunchRequest, of app: AppSettings, at place: RunPlace) throws -> Preparation {
        do {
            return try Preparation(request, at: place, diskLimit: app.sandbox.diskMax, closer: closer.closer)
        } catch {
            remove(place)
            throw error
        }
    }

    /// A new place, with a leaf that was made for it.
    ///
    /// - Parameter user: The folder's owner; nil: the launcher's user.
    func makeRunPlace(
        for slot: SlotID,
        in folder: String,
        of user: UInt32?,
        _ leaf: CgroupLeaf?
    ) throws(SystemError) -> RunPlace {
        do throws(SystemError) {
            let path = "\(folder)/\(RunPlace.directoryName(slot.number))"
            return RunPlace(number: slot.number, directory: try RunDirectory(at: path, for: user), leaf: leaf)
        } catch {
            leaf?.remove()
            throw error
        }
    }

    /// Reports the started worker to intentd, with its socket and pipes.
    func begin(_ preparation: Preparation, process: Int32, in sandbox: Sandbox?, _ isolation: Isolation) {
        let request = preparation.request
        let slot = Slot(
            preparation,
            process: process,
            sandbox: sandbox,
            isolation,
            // The socket in any case: where `intentd` listens on it, it must not be closed here.
            keptEnds: outlivesSupervisor ? preparation.supervisorEnds : [preparation.socket]
        )
        sandbox?.slots.insert(slot.id)
        add(slot)
        if let signal = preparation.signal { slot.signal(signal) }
        if isQuitting { end(slot) }
        report(
            .launched(slot: request.slot, process: process, isolation),
            descriptors: preparation.supervisorEnds
        )
    }

    /// Removes a preparation without a process, and reports the failure.
    func abandon(_ preparation: Preparation, _ message: String) {
        remove(preparation.place)
        fail(preparation.request, message)
    }

    // MARK: Without a sandbox

    /// As any other program of its user: only where the operator asked for no more.
    private func startOpen(_ app: AppSettings, _ request: LaunchRequest, _ isolation: Isolation) throws {
        guard app.credentials.isEmpty else {
            throw UnmetNeed("it has credentials, and only a sandbox protects them from other apps")
        }
        let owner = SandboxOwner(app: app.name, user: request.user, account: request.account)
        let host = self.isolation.host
        let user = try identities.openUser(of: app, for: owner)
        let state = states.openFolder(of: app, for: owner, user: user)
        let leaf = try host.cgroups?.makeLeaf(named: RunPlace.leafName(request.slot.number))
        leaf?.limit(app.sandbox.leafLimits)
        let place = try makeRunPlace(for: request.slot, in: folders.runs, of: user, leaf)
        let preparation = try prepare(request, of: app, at: place)
        if request.mode != .describe { preparation.state = StateQuota(state, of: app) }
        do {
            let path = place.directory.path
            let process = try LaunchPlan(
                executable: app.executable,
                environment: environment(of: app, request.mode, directory: path, state: state),
                directory: path,
                output: preparation.workerEnds[1],
                error: preparation.workerEnds[2],
                socket: preparation.workerEnds[0],
                leaf: leaf,
                user: user,
                limits: app.sandbox.resourceLimits(controllers: host.cgroups?.controllers ?? [], sharedRunCount: nil)
            ).start()
            preparation.handOver()
            begin(preparation, process: process, in: nil, isolation)
        } catch {
            abandon(preparation, "\(error)")
        }
    }

    // MARK: Settings

    /// `MemoryMax=` from which on an app in steady use may have its code in huge pages: some tens of megabytes.
    private static let roomyByteCount: Int64 = 256 << 20

    /// What a worker finds in its environment: nothing of the launcher's own but the language and the time zone.
    func environment(
        of app: AppSettings,
        _ mode: WorkerMode,
        directory: String,
        state: String?,
        libraryFolders: [String] = []
    ) -> [String: String] {
        // There is no program inside that could print a backtrace.
        var environment = ["PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"]
        for name in ["LANG", "TZ"] {
            if let value = getenv(name) { environment[name] = String(cString: value) }
        }
        // Resolved once in the fork server, and not again in each of its workers: ld.so(8).
        if mode == .serve { environment["LD_BIND_NOW"] = "1" }
        if !libraryFolders.isEmpty { environment["LD_LIBRARY_PATH"] = libraryFolders.joined(separator: ":") }
        environment.merge(app.environment) { _, operators in operators }
        // Last: these are the worker's protocol, and not the operator's to change.
        environment["HOME"] = directory
        environment["TMPDIR"] = directory
        environment["STATE_DIRECTORY"] = state
        environment["XDG_DATA_HOME"] = state
        environment["CREDENTIALS_DIRECTORY"] = app.credentials.isEmpty ? nil : InsidePath.credentials
        environment["INTENTD_MODE"] = mode.rawValue
        environment["INTENTD_SUBPROCESSES"] = app.sandbox.subprocesses ? "yes" : nil
        if mode == .serve, app.sandbox.memoryMax.map({ $0 >= Self.roomyByteCount }) ?? true {
            environment["INTENTD_CODE_PAGES"] = "huge"
        }
        environment["INTENTD_GPU"] = app.sandbox.gpu ? "yes" : "no"
        return environment
    }
}

extension SandboxSettings {
    var leafLimits: CgroupLeaf.Limits {
        CgroupLeaf.Limits(memoryByteCount: memoryMax, taskCount: tasksMax, processorPercent: cpuQuotaPercent)
    }

    /// What a fork server has open: the folders of its root, and what comes with a command.
    private static let forkServerOpenFiles = 64
    /// What systems give by default.
    private static let stackByteCount: UInt64 = 8 << 20

    /// Limits of each process; of memory and tasks where no controller holds them.
    ///
    /// - Parameter sharedRunCount: So many runs are counted together, with their fork server; nil: a run alone.
    func resourceLimits(controllers: [String], sharedRunCount: Int?) -> ResourceLimits {
        var limits = ResourceLimits()
        // A fork server is the app's own code. It needs a few more descriptors than the smallest run.
        limits.openFileCount = UInt64(sharedRunCount != nil ? max(Self.forkServerOpenFiles, openFiles) : openFiles)
        limits.fileByteCount = diskMax.map { UInt64($0) }
        if !controllers.contains("memory"), let memoryMax {
            limits.memoryByteCount = UInt64(memoryMax)
            limits.stackByteCount = Self.stackByteCount
            // A page of a table for each 2 MiB: an eighth of MemoryMax=. Graphics drivers reserve addresses for all
            // memory that there is.
            if !gpu { limits.addressByteCount = max(16 << 30, UInt64(memoryMax) &* 64) }
        }
        if !controllers.contains("pids") {
            limits.taskCount = tasksMax.map { UInt64($0) &* UInt64(sharedRunCount ?? 1) &+ 2 }
        }
        return limits
    }

    func filterPermissions(on host: SandboxHost) -> SystemCallFilter.Permissions {
        var permissions: SystemCallFilter.Permissions = []
        if host.metadataProblem != nil { permissions.insert(.metadata) }
        if host.landlock.version >= 3 { permissions.insert(.truncatingByName) }
        // Else it is RLIMIT_DATA that keeps a run within its memory.
        if memoryMax == nil || host.cgroups?.controllers.contains("memory") == true {
            permissions.insert(.uncountedMemory)
        }
        if network { permissions.insert(.network) }
        if network, connectPorts.isEmpty { permissions.insert(.listening) }
        if !connectPorts.isEmpty { permissions.insert(.tcp) }
        if !sockets.isEmpty { permissions.insert(.unixSockets) }
        if subprocesses {
            permissions.insert(.subprocesses)
            // For the loopback that is the sandbox's own; see SandboxPlan.
            if !network, connectPorts.isEmpty { permissions.insert(.udp) }
        }
        return permissions
    }
}
