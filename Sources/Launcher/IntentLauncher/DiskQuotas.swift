import Glibc
import IntentLauncherMessages
import IntentLinux
import IntentSandbox
import IntentSystemd

/// Enforces `DiskMax=` for runs and `StateMax=` for state folders. A child process measures the disk usage. Only one
/// measurement is in progress at a time.
final class DiskQuotas {
    private let context: LauncherContext
    private let workers: Workers
    private let sandboxes: Sandboxes
    private var pace = DiskPace()
    /// The measurement in progress.
    private var measurement: DiskMeasurement?
    private var stateSizes = StateSizes()
    /// The requests waiting for the next measurement of their state folder.
    private var waiters: [StateQuota: [LaunchRequest]] = [:]
    /// Called with each request that waited for a measurement, once its state folder is known to be within its quota.
    var admitted: (LaunchRequest) -> Void = { _ in }
    /// Called with each sandbox that exceeds the quota of its state folder, to stop its fork server.
    var quotaExceeded: (Sandbox) -> Void = { _ in }

    init(_ context: LauncherContext, workers: Workers, sandboxes: Sandboxes) {
        self.context = context
        self.workers = workers
        self.sandboxes = sandboxes
    }

    /// Starts a measurement of runs and state folders if one is due.
    func measure() {
        if let measurement {
            if measurement.isStuck { giveUp(measurement) }
            return
        }
        var freeByteCount: UInt64 = 0
        for folder in [context.folders.runs, context.states.base].compactMap(\.self) {
            var space = statvfs()
            // Skip a folder that was removed, because no process can write to it.
            guard statvfs(folder, &space) == 0 else { continue }
            freeByteCount &+= UInt64(space.f_bavail) &* UInt64(space.f_frsize)
        }
        if pace.isDue(freeByteCount: freeByteCount) { startMeasurement() }
    }

    // MARK: Waiting launches

    /// Returns true if the sandbox's state folder is known to be within its quota. Otherwise queues the request until
    /// the folder has been measured.
    func hasRoom(for request: LaunchRequest, in sandbox: Sandbox) -> Bool {
        guard let quota = sandbox.state else { return true }
        if let known = stateSizes[quota.path], known.map({ $0 <= quota.byteCountMax }) ?? false { return true }
        if stateSizes[quota.path] == nil, (try? File.names(in: quota.path))?.isEmpty == true {
            remember(0, of: quota.path)
            return true
        }
        waiters[quota, default: []].append(request)
        if measurement == nil { startMeasurement() }
        return false
    }

    /// Drops all requests waiting for a measurement. Called when the intentd that sent the requests has disconnected.
    func removeWaiters() {
        waiters = [:]
        measurement?.waiters = [:]
    }

    /// Removes the slot's request from the queue. Returns false if it is not queued.
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
        return measurement.map { remove(from: &$0.waiters) } ?? false
    }

    private func refuse(_ waiters: [StateQuota: [LaunchRequest]], _ failure: (StateQuota, AppName) -> LaunchFailure) {
        for (quota, requests) in waiters {
            for request in requests { context.supervisor.refuse(request, failure(quota, request.app)) }
        }
    }

    private static func isUnmeasured(_ quota: StateQuota) -> String {
        "cannot start a worker: the size of its state folder '\(quota.path)' cannot be measured"
    }

    // MARK: Measuring

    private func startMeasurement() {
        let open = workers.all.filter {
            $0.processEnd == nil && $0.exceeded == nil && ($0.diskLimit != nil || $0.state != nil)
        }
        let chosen = pace.next(of: open.sorted { $0.id.number < $1.id.number })
        // Include the fork servers, because they can write to the state folder even while no run is in progress.
        let states = Set(sandboxes.all.compactMap(\.state) + open.compactMap(\.state)).union(waiters.keys)
        let items = chosen.map(item(for:)) + Set(states.map(\.path)).map(item(forState:))
        guard !items.isEmpty else { return }
        do {
            let measurement = try DiskMeasurement(at: items, on: context.loop) { [weak self] in
                self?.found($0)
            } ended: { [weak self] in
                self?.measurementEnded()
            }
            self.measurement = measurement
            // Requests that arrive from now on wait for the next measurement, because the app may write more data after
            // the current measurement has read the folder.
            (measurement.waiters, waiters) = (waiters, [:])
            context.children.addHelper(measurement.process)
        } catch {
            context.journal.write(
                .warning,
                "cannot measure disk usage (\(error)); retrying later"
            )
            refuse(waiters) { quota, _ in LaunchFailure(of: error, "\(Self.isUnmeasured(quota)): \(error)") }
            waiters = [:]
        }
    }

    private func item(for slot: Slot) -> DiskMeasurement.Item {
        DiskMeasurement.Item(
            subject: .run(slot.id),
            folder: slot.directory.path,
            mounts: slot.sandbox == nil ? .around(slot.directory.path) : .inside([InsidePath.runs, InsidePath.own]),
            keptFolder: slot.keptRun.map { "\(context.folders.resultsPath)/\($0)" },
            processes: slot.leaf?.processes ?? [slot.process],
            stateMounts: slot.state.map { slot.sandbox == nil ? .around($0.path) : .inside([InsidePath.state]) }
        )
    }

    private func item(forState path: String) -> DiskMeasurement.Item {
        let servers = sandboxes.all.filter { $0.state?.path == path && $0.forkServer != nil && $0.serverEnd == nil }
        return DiskMeasurement.Item(
            subject: .state(path),
            folder: path,
            mounts: .inside([InsidePath.state]),
            processes: servers.map(\.server).filter { $0 > 0 }
        )
    }

    private func found(_ finding: DiskMeasurement.Finding) {
        switch finding.item.subject {
        case .run(let id):
            guard let slot = workers[id], slot.processEnd == nil, slot.exceeded == nil else { return }
            slot.unlinkedStateByteCount = finding.stateByteCount
            guard let limit = slot.diskLimit else { return }
            if finding.byteCount.map({ $0 > limit }) ?? true { end(slot, at: .disk) }
        case .state(let path): found(finding.byteCount, inState: path)
        }
    }

    private func found(_ byteCount: Int64?, inState path: String) {
        let open = workers.all.filter { $0.state?.path == path && $0.processEnd == nil }
        let total = byteCount.map { open.reduce($0) { $0 + $1.unlinkedStateByteCount } }
        remember(total, of: path)
        func isOver(_ quota: StateQuota) -> Bool { total.map { $0 > quota.byteCountMax } ?? true }
        func refuse(_ requests: [LaunchRequest], over quota: StateQuota) {
            let size = total.map { "\($0) bytes" } ?? "too large to be measured"
            self.refuse([quota: requests]) { quota, app in
                LaunchFailure(
                    message: """
                        cannot start a worker with the state folder '\(quota.path)': its size is \(size), but StateMax= \
                        allows \(quota.byteCountMax) bytes. Remove files from the folder, or raise StateMax= in [Sandbox] of \
                        \(app).conf.
                        """
                )
            }
        }
        // End every run that uses the folder, because the kernel does not report which run wrote the data. All of these
        // runs belong to the same user and app.
        for slot in open where slot.exceeded == nil && slot.state.map(isOver) ?? false { end(slot, at: .state) }
        for sandbox in Array(sandboxes.all) {
            guard let quota = sandbox.state, quota.path == path, isOver(quota), let server = sandbox.forkServer else {
                continue
            }
            // Refuse the waiting requests before the fork server exits. Otherwise, its exit would be reported as the
            // reason.
            refuse(server.removeWaiting(), over: quota)
            quotaExceeded(sandbox)
        }
        for (quota, requests) in measurement?.waiters ?? [:] where quota.path == path {
            measurement?.waiters[quota] = nil
            if isOver(quota) {
                refuse(requests, over: quota)
            } else {
                for request in requests { admitted(request) }
            }
        }
    }

    private func remember(_ size: Int64?, of path: String) {
        stateSizes.set(size, of: path) { Set(sandboxes.all.compactMap { $0.state?.path }) }
    }

    private func end(_ slot: Slot, at limit: SandboxLimit) {
        slot.exceeded = limit
        slot.signal(.kill)
    }

    /// Kills a measurement that does not finish, and the run that it is measuring. Either one of the run's file systems
    /// does not respond, or the run is preventing the measurement of its files.
    private func giveUp(_ measurement: DiskMeasurement) {
        _ = kill(measurement.process, SIGKILL)
        if case .run(let id)? = measurement.current?.subject, let slot = workers[id], slot.processEnd == nil {
            context.journal.write(
                .warning,
                "cannot measure the run's files in '\(measurement.current?.folder ?? "")' within 60 s; killing the run"
            )
            end(slot, at: .disk)
        }
        measurementEnded()
    }

    private func measurementEnded() {
        guard let measurement else { return }
        self.measurement = nil
        pace.pause(after: measurement.startedAt)
        // Refuse the requests that are left, because the child exited before it measured their folders.
        refuse(measurement.waiters) { quota, _ in LaunchFailure(message: Self.isUnmeasured(quota)) }
        // Measure the folders of the requests that arrived during this measurement.
        if !waiters.isEmpty { startMeasurement() }
    }
}
