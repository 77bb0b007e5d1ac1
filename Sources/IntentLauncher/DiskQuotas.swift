import Glibc
import IntentLinux
import IntentSandbox
import IntentSystemd
import IntentWire

/// Enforces `DiskMax=` of runs and `StateMax=` of state folders. A child measures them, one measurement at a time.
final class DiskQuotas {
    private let loop: EventLoop
    private let journal: Journal
    private let supervisor: SupervisorConnection
    private let children: ChildTable
    private let folders: RunFolders
    private let states: StateFolders
    private let workers: Workers
    private let sandboxes: Sandboxes
    private var pace = DiskPace()
    /// The measurement in progress.
    private var look: DiskLook?
    /// The latest measured sizes of state folders, by path; nil for a folder that could not be measured.
    private var stateSizes: [String: Int64?] = [:]
    /// Requests that wait for a measurement of their state folder that has not begun.
    private var waiters: [StateQuota: [LaunchRequest]] = [:]
    /// Starts a launch that waited for a measurement and has room.
    var admitted: (LaunchRequest) -> Void = { _ in }
    /// Ends the fork server of a sandbox that exceeds the quota of its state folder.
    var overfilled: (Sandbox) -> Void = { _ in }

    init(
        _ surroundings: Surroundings,
        states: StateFolders,
        workers: Workers,
        sandboxes: Sandboxes
    ) {
        loop = surroundings.loop
        journal = surroundings.journal
        supervisor = surroundings.supervisor
        children = surroundings.children
        folders = surroundings.folders
        self.states = states
        self.workers = workers
        self.sandboxes = sandboxes
    }

    /// Starts a measurement of runs and state folders if one is due.
    func measure() {
        if let look {
            if look.isStuck { giveUp(look) }
            return
        }
        var freeByteCount: UInt64 = 0
        for folder in [folders.runs, states.base].compactMap(\.self) {
            var space = statvfs()
            // A folder that was removed has no size, and no process can write to it.
            guard statvfs(folder, &space) == 0 else { continue }
            freeByteCount &+= UInt64(space.f_bavail) &* UInt64(space.f_frsize)
        }
        if pace.isDue(freeByteCount: freeByteCount) { startLook() }
    }

    // MARK: Waiting launches

    /// True if the state folder of a sandbox is known to have room. Otherwise the request waits for a measurement.
    func hasRoom(for request: LaunchRequest, in sandbox: Sandbox) -> Bool {
        guard let quota = sandbox.state else { return true }
        if let known = stateSizes[quota.path], known.map({ $0 <= quota.byteCountMax }) ?? false { return true }
        if stateSizes[quota.path] == nil, (try? File.names(in: quota.path))?.isEmpty == true {
            stateSizes[quota.path] = .some(0)
            return true
        }
        waiters[quota, default: []].append(request)
        if look == nil { startLook() }
        return false
    }

    /// Removes all requests that wait for a measurement, without an answer: their intentd has disconnected.
    func removeWaiters() {
        waiters = [:]
        look?.waiters = [:]
    }

    /// Removes a request that waits for a measurement; false if no request for this slot waits.
    func removeWaiter(_ id: SlotID) -> Bool {
        func remove(from waiters: inout [StateQuota: [LaunchRequest]]) -> Bool {
            for (quota, requests) in waiters {
                guard let index = requests.firstIndex(where: { $0.slot == id }) else { continue }
                waiters[quota]?.remove(at: index)
                return true
            }
            return false
        }
        if remove(from: &waiters) { return true }
        return look.map { remove(from: &$0.waiters) } ?? false
    }

    private func refuse(_ waiters: [StateQuota: [LaunchRequest]], _ reason: String) {
        for (quota, requests) in waiters {
            for request in requests {
                supervisor.refuse(
                    request,
                    """
                    cannot start it with its state folder '\(quota.path)': \(reason). Remove files there, or \
                    raise StateMax= in [Sandbox] of \(request.app).conf.
                    """
                )
            }
        }
    }

    // MARK: Measuring

    private func startLook() {
        let open = workers.all.filter {
            $0.processEnd == nil && $0.exceeded == nil && ($0.diskLimit != nil || $0.state != nil)
        }
        let chosen = pace.next(of: open.sorted { $0.id.number < $1.id.number })
        // A fork server can write to its state folder even while no run is in progress.
        let states = Set(sandboxes.all.compactMap(\.state) + open.compactMap(\.state)).union(waiters.keys)
        let items = chosen.map(item(for:)) + Set(states.map(\.path)).map(item(forState:))
        guard !items.isEmpty else { return }
        do {
            let look = try DiskLook(at: items, on: loop) { [weak self] in
                self?.found($0)
            } ended: { [weak self] in
                self?.lookEnded()
            }
            self.look = look
            // Later requests wait for the next measurement, because their apps may have written more by then.
            (look.waiters, waiters) = (waiters, [:])
            children.addHelper(look.process)
        } catch {
            journal.write(
                .warning,
                "cannot measure disk usage (\(error)); trying again later"
            )
            refuse(waiters, "its size cannot be measured: \(error)")
            waiters = [:]
        }
    }

    private func item(for slot: Slot) -> DiskLook.Item {
        DiskLook.Item(
            subject: .run(slot.id),
            folder: slot.directory.path,
            mounts: slot.sandbox == nil ? .around(slot.directory.path) : .inside(InsidePath.runs),
            keptFolder: slot.keptRun.map { "\(folders.resultsPath)/\($0)" },
            processes: slot.leaf?.processes ?? [slot.process],
            stateMounts: slot.state.map { slot.sandbox == nil ? .around($0.path) : .inside(InsidePath.state) }
        )
    }

    private func item(forState path: String) -> DiskLook.Item {
        let servers = sandboxes.all.filter { $0.state?.path == path && $0.forkServer != nil && $0.serverEnd == nil }
        return DiskLook.Item(
            subject: .state(path),
            folder: path,
            mounts: .inside(InsidePath.state),
            processes: servers.map(\.server).filter { $0 > 0 }
        )
    }

    private func found(_ finding: DiskLook.Finding) {
        switch finding.item.subject {
        case .run(let id):
            guard let slot = workers[id], slot.processEnd == nil, slot.exceeded == nil else { return }
            slot.namelessStateByteCount = finding.stateByteCount
            guard let limit = slot.diskLimit else { return }
            if finding.byteCount.map({ $0 > limit }) ?? true { end(slot, at: .disk) }
        case .state(let path): found(finding.byteCount, inState: path)
        }
    }

    private func found(_ byteCount: Int64?, inState path: String) {
        let open = workers.all.filter { $0.state?.path == path && $0.processEnd == nil }
        let total = byteCount.map { open.reduce($0) { $0 + $1.namelessStateByteCount } }
        stateSizes[path] = .some(total)
        func isOver(_ quota: StateQuota) -> Bool { total.map { $0 > quota.byteCountMax } ?? true }
        func refuse(_ requests: [LaunchRequest], over quota: StateQuota) {
            let size = total.map { "\($0) bytes" } ?? "more than can be measured"
            self.refuse([quota: requests], "its size is \(size), and StateMax= allows \(quota.byteCountMax) bytes")
        }
        // The kernel does not report which run wrote the data. All these runs have the same user and app.
        for slot in open where slot.exceeded == nil && slot.state.map(isOver) ?? false { end(slot, at: .state) }
        for sandbox in Array(sandboxes.all) {
            guard let quota = sandbox.state, quota.path == path, isOver(quota), let server = sandbox.forkServer else {
                continue
            }
            // Refuse the waiting requests now, with the reason. The end of the fork server would refuse them without a
            // reason.
            refuse(server.removeWaiting(), over: quota)
            overfilled(sandbox)
        }
        for (quota, requests) in look?.waiters ?? [:] where quota.path == path {
            look?.waiters[quota] = nil
            if isOver(quota) {
                refuse(requests, over: quota)
            } else {
                for request in requests { admitted(request) }
            }
        }
    }

    private func end(_ slot: Slot, at limit: SandboxLimit) {
        slot.exceeded = limit
        slot.signal(.kill)
    }

    /// Kills a measurement that hangs, and ends the run that it measured: one of the run's files does not respond, or
    /// the run hides what it writes.
    private func giveUp(_ look: DiskLook) {
        _ = kill(look.process, SIGKILL)
        if case .run(let id)? = look.current?.subject, let slot = workers[id], slot.processEnd == nil {
            journal.write(
                .warning,
                "\(look.current?.folder ?? ""): cannot measure the files of the run; killing it"
            )
            end(slot, at: .disk)
        }
        lookEnded()
    }

    private func lookEnded() {
        guard let look else { return }
        self.look = nil
        pace.rest(after: look.startedAt)
        // The child ended before it measured these folders.
        refuse(look.waiters, "its size cannot be measured")
        // These requests arrived during the measurement.
        if !waiters.isEmpty { startLook() }
    }
}
