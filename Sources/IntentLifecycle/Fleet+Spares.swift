import IntentWire

/// Workers that wait for a run. None of them is ever given to two.
extension Fleet {
    /// Spare workers of all apps together, those included that must go and are not gone yet: each costs processes and
    /// descriptors.
    private static let spareSlotLimit = 256

    /// Workers that wait for a run, or are made for that.
    package var spareCount: Int { spareSlotCount }

    private var spareSlotCount: Int {
        slots.values.count { occupant in
            if case .spare = occupant { return true }
            return false
        }
    }

    /// A slot for a run that begins: that of a spare worker where there is one.
    ///
    /// - Returns: With the slot, how its worker is isolated, when that waits for its word already.
    mutating func occupySlot(
        for run: Run,
        at now: Now
    ) -> (slot: SlotID, waitingWorker: IsolationGrade?, actions: [Action]) {
        var pool = spares[run.app.name] ?? SparePool(for: run.app, at: now)
        let actions = pool.outdated(by: run.app).map { Action.signal($0, .kill) }
        let spare = pool.take(at: now)
        spares[run.app.name] = pool
        switch spare {
        case .ready(let slot, let isolation):
            slots[slot] = .run(run.id)
            return (slot, isolation, actions)
        case .starting(let slot):
            slots[slot] = .run(run.id)
            return (slot, nil, actions)
        case nil:
            let slot = makeSlot(for: .run(run.id))
            let request = LaunchRequest(slot: slot, app: run.app.name, mode: .once, run: run.id)
            return (slot, nil, actions + [.launch(request)])
        }
    }

    /// A run has left its slot: with the last one of its app the idle time begins.
    mutating func leaveSlot(of app: AppName, at now: Now) -> [Action] {
        spares[app]?.runEnded(at: now)
        let actions = refillSpares(of: app)
        guard var pool = spares[app], pool.isUnused else { return actions }
        if pool.slots.isEmpty {
            spares[app] = nil
            return actions + (pool.nextLook == nil ? [] : [.disarmTimer(.spares(app))])
        }
        // One timer for many runs: when it fires it looks for the last of them. Only a shorter time has it armed anew.
        if let nextLook = pool.nextLook, nextLook <= pool.idleEnd { return actions }
        pool.nextLook = pool.idleEnd
        spares[app] = pool
        return actions + [.armTimer(.spares(app), at: .monotonic(pool.idleEnd))]
    }

    /// Makes the spare workers of an app that are missing.
    mutating func refillSpares(of app: AppName) -> [Action] {
        guard let missingCount = spares[app]?.missingCount, missingCount > 0 else { return [] }
        return (0..<min(missingCount, Self.spareSlotLimit - spareSlotCount)).map { _ in
            let slot = makeSlot(for: .spare(app))
            spares[app]?.began(slot)
            return .launch(LaunchRequest(slot: slot, app: app, mode: .once))
        }
    }

    /// Nobody may have asked for the app for long: then its spare workers go.
    mutating func sparesTimedOut(_ app: AppName, at now: Now) -> [Action] {
        guard var pool = spares[app] else { return [] }
        if pool.isUnused, pool.idleEnd <= now.monotonic {
            spares[app] = nil
            return pool.slots.map { .signal($0, .kill) }
        }
        // While something runs nothing is idle: the end of the last run arms it again.
        pool.nextLook = pool.isUnused ? pool.idleEnd : nil
        spares[app] = pool
        return pool.nextLook.map { [.armTimer(.spares(app), at: .monotonic($0))] } ?? []
    }

    /// A worker that waits says hello, and nothing else.
    mutating func spareReported(_ app: AppName, slot: SlotID, _ report: WorkerReport) -> [Action] {
        if case .hello(let hello) = report, hello.protocolVersion == Hello.currentVersion { return [] }
        return killSpare(app, slot)
    }

    /// Ends a worker that no run may get; one that was forgotten before has its signal.
    mutating func killSpare(_ app: AppName, _ slot: SlotID) -> [Action] {
        spares[app]?.drop(slot) == true ? [.signal(slot, .kill)] : []
    }

    /// The program ends: nobody will need them.
    mutating func endSpares() -> [Action] {
        let slots = spares.sorted { $0.key < $1.key }.flatMap(\.value.slots)
        return slots.map { .signal($0, .kill) } + forgetSpares()
    }

    /// Nothing is known of spare workers after this, and none are made.
    mutating func forgetSpares() -> [Action] {
        defer { spares = [:] }
        return spares.filter { $0.value.nextLook != nil }.keys.sorted().map { .disarmTimer(.spares($0)) }
    }
}
