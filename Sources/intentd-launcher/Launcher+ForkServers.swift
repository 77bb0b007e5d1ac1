import Glibc
import IntentConfiguration
import IntentLinux
import IntentSandbox
import IntentSystemd
import IntentWire

/// Fork servers: one for each app in use, which makes a worker for each request.
extension Launcher {
    /// How long a fork server may take to get warm, or to answer.
    private static let answerLimit: Int64 = 10_000_000_000

    /// Has the app's fork server make the worker. Starts the fork server first where the app has none.
    func startByFork(_ app: AppSettings, _ request: LaunchRequest, _ isolation: Isolation) throws {
        let owner = SandboxOwner(app: app.name, user: request.user, account: request.account)
        if let sandbox = forkServers[owner] {
            if let server = sandbox.forkServer, server.app == app, sandbox.serverEnd == nil {
                forkServers.noteUse(of: sandbox)
                if server.isReady { fork(request, in: sandbox) } else { server.waiting.append(request) }
                return
            }
            retire(sandbox)
        }
        let now = ClockReading.monotonicNanoseconds()
        if let refusal = forkServers.refusal(of: app, for: owner, at: now) { throw refusal }
        try startForkServer(of: app, for: owner, isolation).forkServer?.waiting.append(request)
    }

    private func startForkServer(
        of app: AppSettings,
        for owner: SandboxOwner,
        _ isolation: Isolation
    ) throws -> Sandbox {
        for sandbox in forkServers.excess(over: files.forkServerCount) { retire(sandbox) }
        let control = try UnixSocket.Pair(.sequencedPacket).take(closer: closer.closer)
        let server = ForkServer(of: app, control: control.first)
        let sandbox = try makePlace(of: app, for: owner, isolation: isolation) { _, _, _ in .forkServer(server) }
        let state = states.folder(of: app, for: sandbox.owner, user: sandbox.ids?.app)
        sandbox.state = StateQuota(state, of: app)
        do {
            server.link = try RecordSocket(
                control.first,
                on: loop,
                recordLimit: 64,
                // Its processes may be reaped, and the sandbox go, while its last records are taken.
                receivedFrom: { [weak self, weak sandbox] record, sender in
                    if let sandbox { self?.forkServerSaid(sandbox, record, from: sender) }
                },
                // Its process has ended or soon will, and that is what counts.
                ended: { [weak self, weak sandbox] _ in
                    if let sandbox, sandbox.serverEnd == nil { self?.endServer(of: sandbox) }
                }
            )
            try start(
                sandbox,
                of: app,
                WritableFolders(runs: sandbox.folder, onlyRun: nil, state: state),
                environment: { libraryFolders in
                    environment(
                        of: app,
                        .serve,
                        directory: "/tmp",
                        state: state == nil ? nil : InsidePath.state,
                        libraryFolders: libraryFolders
                    )
                },
                directory: "/",
                ends: [control.second]
            )
        } catch {
            removePlace(of: sandbox)
            throw error
        }
        sandbox.group?.leaf.limit(app.sandbox.leafLimits)
        forkServers.add(sandbox)
        expectAnswer(of: sandbox)
        return sandbox
    }

    private func fork(_ request: LaunchRequest, in sandbox: Sandbox) {
        guard let server = sandbox.forkServer else { return }
        // Its end may be known before all that waited for it is begun.
        guard sandbox.serverEnd == nil else { return fail(request, "its fork server ended") }
        guard stateHasRoom(for: request, in: sandbox) else { return }
        var begun: Preparation?
        do {
            let place = try runPlace(for: request.slot, in: sandbox, of: server)
            let preparation = try prepare(request, of: server.app, at: place)
            begun = preparation
            let command = ForkCommand(
                slot: request.slot,
                fileAccess: isolation.host.landlock.fileRights.rawValue,
                scopes: isolation.host.landlock.scopes,
                openFileCount: UInt64(server.app.sandbox.openFiles),
                leaf: place.leaf == nil ? nil : place.number,
                allowsSubprocesses: server.app.sandbox.subprocesses
            )
            // To the worker itself. All workers share the memory of the fork server, which must not have the name.
            guard
                try UnixSocket.send(
                    Array(place.directory.name.utf8)[...],
                    on: preparation.socket.rawValue,
                    waiting: .never
                ) != nil
            else { throw UnmetNeed("the socket of a new worker is full") }
            server.preparations[request.slot] = preparation
            server.link?.send(command.record, descriptors: preparation.workerEnds)
            preparation.handOver()
            // `send` may report a closed connection at once; then there is no answer to wait for. Further requests do not
            // prolong the wait for the first one.
            if sandbox.serverEnd == nil, server.preparations.count == 1 { expectAnswer(of: sandbox) }
        } catch {
            let message = "cannot start a worker: \(error)"
            if let begun { return abandon(begun, message) }
            fail(request, message)
        }
    }

    /// The place of an earlier run, renewed, or a new one.
    private func runPlace(
        for slot: SlotID,
        in sandbox: Sandbox,
        of server: ForkServer
    ) throws(SystemError) -> RunPlace {
        let used = reusablePlace(of: server)
        var leaf = used?.leaf
        if leaf == nil, let group = sandbox.group {
            do throws(SystemError) {
                leaf = try group.makeLeaf(named: RunPlace.leafName(used?.number ?? slot.number))
            } catch {
                if let used { remove(used) }
                throw error
            }
            leaf?.limit(server.app.sandbox.leafLimits)
        }
        guard let used else { return try makeRunPlace(for: slot, in: sandbox.folder, of: sandbox.ids?.app, leaf) }
        return RunPlace(number: used.number, directory: used.directory, leaf: leaf)
    }

    private func reusablePlace(of server: ForkServer) -> RunPlace? {
        while let place = server.takePlace() {
            if place.leaf?.isReady ?? true { return place }
            // Its fork server, which knows the leaf, or an operator has put something into it.
            place.leaf?.kill()
            remove(place)
        }
        return nil
    }

    private func forkServerSaid(_ sandbox: Sandbox, _ record: [UInt8], from sender: Int32) {
        guard let server = sandbox.forkServer else { return }
        defer { upgradeWhenSettled() }
        switch ForkReport(record: record) {
        case .ready(isSingleThreaded: true)? where !server.isReady:
            server.isReady = true
            sandbox.timer = nil
            let waiting = server.waiting
            server.waiting = []
            for request in waiting { fork(request, in: sandbox) }
            idle(sandbox)
        case .ready(isSingleThreaded: false)? where !server.isReady:
            forkServers.noteUnforkable(server.app)
            let waiting = server.waiting
            server.waiting = []
            retire(sandbox)
            endServer(of: sandbox)
            for request in waiting { launch(server.app, request) }
        case .forked(let slot)?:
            guard let preparation = server.preparations.removeValue(forKey: slot) else { return endServer(of: sandbox) }
            forked(preparation, by: sandbox, sender)
            answered(by: sandbox)
            // Exits of processes that were unknown until now.
            reap()
        case .refused(let slot, let error)?:
            guard let preparation = server.preparations.removeValue(forKey: slot) else { return endServer(of: sandbox) }
            answered(by: sandbox)
            abandon(preparation, "its fork server cannot fork: \(Errno(rawValue: error))")
            reap()
        case .ready, nil:
            endServer(of: sandbox)
        }
    }

    /// Believes a worker's first word only what the kernel confirms: it is a new child of ours, in the leaf made for it.
    private func forked(_ preparation: Preparation, by sandbox: Sandbox, _ process: Int32) {
        guard !isKnown(process), let child = ChildReaper.child(process) else {
            abandon(preparation, "its fork server reported a worker that is not a new child of the launcher")
            return endServer(of: sandbox)
        }
        if let leaf = preparation.place.leaf, !leaf.holds(child) {
            _ = kill(child.process, SIGKILL)
            abandon(preparation, "its fork server made a worker outside of the worker's cgroup")
            return endServer(of: sandbox)
        }
        begin(preparation, process: child.process, in: sandbox, sandbox.isolation)
    }

    /// Ends an idle fork server after `IdleStop=`.
    func idle(_ sandbox: Sandbox) {
        guard sandbox.isIdleServer, let server = sandbox.forkServer else { return }
        // One place is kept for the next run.
        server.dropPlaces(keeping: 1)
        let span = server.app.idleStop.components
        arm(sandbox, after: span.seconds &* 1_000_000_000 &+ span.attoseconds / 1_000_000_000) { launcher, sandbox in
            if sandbox.slots.isEmpty { launcher.retire(sandbox) }
        }
    }

    /// It answered one request, and has all of its time for the next.
    private func answered(by sandbox: Sandbox) {
        guard sandbox.forkServer?.preparations.isEmpty ?? true else { return expectAnswer(of: sandbox) }
        sandbox.timer = nil
        idle(sandbox)
    }

    private func expectAnswer(of sandbox: Sandbox) {
        arm(sandbox, after: Self.answerLimit) { launcher, sandbox in
            launcher.journal.write(
                .warning,
                "\(sandbox.appName): fork server without an answer for 10 s, killing it"
            )
            launcher.endServer(of: sandbox)
        }
    }
}
