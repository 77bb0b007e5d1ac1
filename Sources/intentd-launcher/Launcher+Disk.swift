import Glibc
import IntentLinux
import IntentSandbox
import IntentSystemd
import IntentWire

/// When to measure what each run has written: walking through all folders is slow, asking the file system is fast.
struct DiskWatch {
    private var lastFreeByteCount: UInt64 = 0
    private var passedCount = 0
    /// A slow writer is found by looking without a cause now and then.
    private static let passedLimit = 8
    /// Folders looked at in one go: the ends of processes must not wait for very many.
    static let slotsPerLook = 32
    /// The last one that was looked at.
    var lastSlot: UInt64 = 0
    /// From when on the next look may begin: looks take a part of the machine's time and no more.
    private var notBefore: Int64 = 0
    private static let restPerLook: Int64 = 4
    /// Less than this is left to the next look.
    private static let worthwhileByteCount: UInt64 = 16 << 20

    mutating func rest(after look: DiskLook) {
        let now = ClockReading.monotonicNanoseconds()
        notBefore = now + Self.restPerLook * (now - look.startedAt)
    }

    /// Notes how much space is free, and says whether that is a reason to look.
    mutating func isDue(freeByteCount: UInt64) -> Bool {
        guard ClockReading.monotonicNanoseconds() >= notBefore else { return false }
        let hasShrunk = freeByteCount &+ Self.worthwhileByteCount < lastFreeByteCount
        if freeByteCount > lastFreeByteCount || hasShrunk { lastFreeByteCount = freeByteCount }
        // After a cause, some looks follow each other until every folder has had its turn.
        passedCount = hasShrunk ? Self.passedLimit : (passedCount + 1) % (2 * Self.passedLimit)
        return hasShrunk || passedCount >= Self.passedLimit
    }
}

extension Launcher {
    /// Measures runs and state folders in a child, when that is due.
    func measureDisk() {
        if let look {
            if look.isStuck { giveUp(look) }
            return
        }
        var freeByteCount: UInt64 = 0
        for folder in [folders.runs, states.base].compactMap(\.self) {
            var space = statvfs()
            // A removed folder has no size, and nothing is written in it.
            guard statvfs(folder, &space) == 0 else { continue }
            freeByteCount &+= UInt64(space.f_bavail) &* UInt64(space.f_frsize)
        }
        if diskWatch.isDue(freeByteCount: freeByteCount) { startLook() }
    }

    private func startLook() {
        let open = slots.values.filter {
            $0.processEnd == nil && $0.exceeded == nil && ($0.diskLimit != nil || $0.state != nil)
        }
        let ordered = open.sorted { $0.id.number < $1.id.number }
        // On from where the last look ended.
        let rest =
            ordered.filter { $0.id.number > diskWatch.lastSlot } + ordered.filter { $0.id.number <= diskWatch.lastSlot }
        let chosen = rest.prefix(DiskWatch.slotsPerLook)
        if let last = chosen.last { diskWatch.lastSlot = last.id.number }
        // A fork server can write there too, with no run under way.
        let states = Set(sandboxes.values.compactMap(\.state) + open.compactMap(\.state)).union(stateWaiters.keys)
        let items = chosen.map(item(for:)) + Set(states.map(\.path)).map(item(forState:))
        guard !items.isEmpty else { return }
        do {
            let look = try DiskLook(at: items, on: loop) { [weak self] in
                self?.found($0)
            } ended: { [weak self] in
                self?.lookEnded()
            }
            self.look = look
            // Requests from now on wait for the next measurement: their apps may have written more by then.
            (look.waiters, stateWaiters) = (stateWaiters, [:])
            children.addHelper(look.process)
        } catch {
            journal.write(
                .warning,
                "cannot measure disk usage (\(error)), trying again later"
            )
            refuse(stateWaiters, "what is in it cannot be measured: \(error)")
            stateWaiters = [:]
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
        let servers = sandboxes.values.filter { $0.state?.path == path && $0.forkServer != nil && $0.serverEnd == nil }
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
            guard let slot = slots[id], slot.processEnd == nil, slot.exceeded == nil else { return }
            slot.namelessStateByteCount = finding.stateByteCount
            guard let limit = slot.diskLimit else { return }
            if finding.byteCount.map({ $0 > limit }) ?? true { end(slot, at: .disk) }
        case .state(let path): found(finding.byteCount, inState: path)
        }
    }

    private func end(_ slot: Slot, at limit: SandboxLimit) {
        slot.exceeded = limit
        slot.signal(.kill)
    }

    /// Kills a measurement that hangs: the run has a file open that does not answer, or hides what it writes.
    private func giveUp(_ look: DiskLook) {
        _ = kill(look.process, SIGKILL)
        if case .run(let id)? = look.current?.subject, let slot = slots[id], slot.processEnd == nil {
            journal.write(
                .warning,
                "\(look.current?.folder ?? ""): cannot measure what it writes, killing the run"
            )
            end(slot, at: .disk)
        }
        lookEnded()
    }

    private func lookEnded() {
        guard let look else { return }
        self.look = nil
        diskWatch.rest(after: look)
        // The child ended before it measured these folders.
        refuse(look.waiters, "what is in it cannot be measured")
        // Requests that arrived during the measurement.
        if !stateWaiters.isEmpty { startLook() }
    }

    // MARK: State folders

    /// Whether the state folder of a sandbox is known to have room. Otherwise the request waits for a measurement.
    func stateHasRoom(for request: LaunchRequest, in sandbox: Sandbox) -> Bool {
        guard let quota = sandbox.state else { return true }
        if let known = stateSizes[quota.path], known.map({ $0 <= quota.byteCountMax }) ?? false { return true }
        if stateSizes[quota.path] == nil, (try? File.names(in: quota.path))?.isEmpty == true {
            stateSizes[quota.path] = .some(0)
            return true
        }
        stateWaiters[quota, default: []].append(request)
        if look == nil { startLook() }
        return false
    }

    private func found(_ byteCount: Int64?, inState path: String) {
        let open = slots.values.filter { $0.state?.path == path && $0.processEnd == nil }
        let total = byteCount.map { open.reduce($0) { $0 + $1.namelessStateByteCount } }
        stateSizes[path] = .some(total)
        func isOver(_ quota: StateQuota) -> Bool { total.map { $0 > quota.byteCountMax } ?? true }
        func refuse(_ requests: [LaunchRequest], over quota: StateQuota) {
            let size = total.map { "\($0) bytes" } ?? "more than can be measured"
            self.refuse([quota: requests], "it has \(size), and StateMax= allows \(quota.byteCountMax) bytes")
        }
        // Which of them wrote it cannot be told; all are of one user and app.
        for slot in open where slot.exceeded == nil && slot.state.map(isOver) ?? false { end(slot, at: .state) }
        for sandbox in Array(sandboxes.values) {
            guard let quota = sandbox.state, quota.path == path, isOver(quota), let server = sandbox.forkServer else {
                continue
            }
            // Requests that wait until it is ready are refused with the reason, before its end refuses them without.
            let waiting = server.waiting
            server.waiting = []
            refuse(waiting, over: quota)
            retire(sandbox)
            endServer(of: sandbox)
        }
        for (quota, requests) in look?.waiters ?? [:] where quota.path == path {
            look?.waiters[quota] = nil
            if isOver(quota) {
                refuse(requests, over: quota)
            } else {
                for request in requests { launch(request) }
            }
        }
    }

    private func refuse(_ waiters: [StateQuota: [LaunchRequest]], _ reason: String) {
        for (quota, requests) in waiters {
            for request in requests {
                fail(
                    request,
                    """
                    cannot start it with its state folder '\(quota.path)': \(reason). Remove files there, or \
                    raise StateMax= in [Sandbox] of \(request.app).conf.
                    """
                )
            }
        }
    }

    /// Removes all requests that wait for a measurement, without an answer: their intentd has disconnected.
    func dropStateWaiters() {
        stateWaiters = [:]
        look?.waiters = [:]
    }

    /// Removes a request that waits for a measurement; false when none of that slot waits.
    func removeStateWaiter(_ id: SlotID) -> Bool {
        func remove(from waiters: inout [StateQuota: [LaunchRequest]]) -> Bool {
            for (quota, requests) in waiters {
                guard let index = requests.firstIndex(where: { $0.slot == id }) else { continue }
                waiters[quota]?.remove(at: index)
                return true
            }
            return false
        }
        if remove(from: &stateWaiters) { return true }
        return look.map { remove(from: &$0.waiters) } ?? false
    }
}
