import IntentWire

/// Workers that wait for a run. None of them is ever given to two.
extension RunTable {
    /// Spare workers of all apps and users together, those included that must go and are not gone yet: each costs processes and
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
        let pair = AppUser(app: run.app.name, user: run.owner)
        var pool = spares[pair] ?? SparePool(for: run.app, at: now)
        let actions = pool.outdated(by: run.app).map { Action.signal($0, .kill) }
        let spare = pool.take(at: now)
        spares[pair] = pool
        switch spare {
        case .ready(let slot, let isolation):
            slots[slot] = .run(run.id)
            return (slot, isolation, actions)
        case .starting(let slot):
            slots[slot] = .run(run.id)
            return (slot, nil, actions)
        case nil:
            let slot = makeSlot(for: .run(run.id))
            let request = LaunchRequest(
                slot: slot,
                app: run.app.name,
                mode: .once,
                for: run.owner,
                run: run.id
            )
            return (slot, nil, actions + [.launch(request)])
        }
    }

    /// A run has left its slot: with the last one of its app and user the idle time begins.
    mutating func leaveSlot(of pair: AppUser, at now: Now) -> [Action] {
        spares[pair]?.runEnded(at: now)
        let actions = refillSpares(of: pair)
        guard var pool = spares[pair], pool.isUnused else { return actions }
        if pool.slots.isEmpty && !pool.wantsWorkers {
            spares[pair] = nil
            return actions + (pool.nextLook == nil ? [] : [.disarmTimer(.spares(pair))])
        }
        // One timer for many runs: when it fires it looks for the last of them. Only a shorter time has it armed anew.
        if let nextLook = pool.nextLook, nextLook <= pool.idleEnd { return actions }
        pool.nextLook = pool.idleEnd
        spares[pair] = pool
        return actions + [.armTimer(.spares(pair), at: .monotonic(pool.idleEnd))]
    }

    /// Makes the spare workers of an app and user that are missing. Where there are too many in all, those of the pair that
    /// has gone unused for the longest time make room.
    mutating func refillSpares(of pair: AppUser) -> [Action] {
        guard let missingCount = spares[pair]?.missingCount, missingCount > 0 else { return [] }
        let excess = spareSlotCount + missingCount - Self.spareSlotLimit
        // Their slots are free once they have ended; the next refill finds them so.
        let evictions = excess > 0 ? evictSpares(except: pair) : []
        return evictions
            + (0..<max(0, min(missingCount, Self.spareSlotLimit - spareSlotCount))).map { _ in
                let slot = makeSlot(for: .spare(pair))
                spares[pair]?.began(slot)
                return .launch(LaunchRequest(slot: slot, app: pair.app, mode: .once, for: pair.user))
            }
    }

    private mutating func evictSpares(except pair: AppUser) -> [Action] {
        let unused = spares.filter { $0.key != pair && $0.value.isUnused && !$0.value.slots.isEmpty }
        let oldest = unused.min { ($0.value.idleEnd, $0.key) < ($1.value.idleEnd, $1.key) }
        guard let oldest else { return [] }
        spares[oldest.key] = nil
        return oldest.value.slots.map { .signal($0, .kill) }
            + (oldest.value.nextLook == nil ? [] : [.disarmTimer(.spares(oldest.key))])
    }

    /// Ends the spare workers of an app and user that nothing has used for long.
    mutating func sparesTimedOut(_ pair: AppUser, at now: Now) -> [Action] {
        guard var pool = spares[pair] else { return [] }
        if pool.isUnused, pool.idleEnd <= now.monotonic {
            spares[pair] = nil
            return pool.slots.map { .signal($0, .kill) }
        }
        // While something runs nothing is idle: the end of the last run arms it again.
        pool.nextLook = pool.isUnused ? pool.idleEnd : nil
        spares[pair] = pool
        return pool.nextLook.map { [.armTimer(.spares(pair), at: .monotonic($0))] } ?? []
    }

    /// A worker that waits says hello, and nothing else.
    mutating func spareReported(_ pair: AppUser, slot: SlotID, _ report: WorkerReport) -> [Action] {
        if case .hello(let hello) = report, hello.protocolVersion == Hello.currentVersion { return [] }
        return killSpare(pair, slot)
    }

    /// Ends a worker that no run may get; one that was forgotten before has its signal.
    mutating func killSpare(_ pair: AppUser, _ slot: SlotID) -> [Action] {
        spares[pair]?.drop(slot) == true ? [.signal(slot, .kill)] : []
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
