import IntentLauncherMessages

/// Spares: workers waiting for a run. Each spare serves at most one run.
extension RunTable {
    /// The maximum number of spares for all apps and users. It is limited because each spare costs processes and
    /// descriptors. Killed spares count until they have exited.
    private static let spareSlotLimit = 256

    /// The maximum memory of a user's spares with an MCP server, in bytes. Each counts as much as its `MemoryMax=` permits.
    private static let spareMemoryLimit: Int64 = 4 << 30

    /// The number of spares that are starting or waiting for a run.
    package var spareCount: Int { slots.values.count { if case .spare = $0 { true } else { false } } }

    /// Assigns a slot to a run that is beginning: a spare's slot if the pool has a spare, otherwise a new slot.
    ///
    /// - Returns: The slot, and the isolation grade of its worker if the worker is ready.
    mutating func occupySlot(
        for run: Run,
        at now: Now
    ) -> (slot: SlotID, waitingWorker: IsolationGrade?, actions: [Action]) {
        let pair = AppUser(app: run.app.name, user: run.owner)
        var pool = spares[pair] ?? SparePool(for: run.app, at: now)
        let actions = pool.removeOutdated(by: run.app).map { Action.signal($0, .kill) }
        let own = run.app.own(\.sandbox, run.intent)
        let steps = run.shortcut.flatMap { shortcut in
            shortcuts[shortcut].map { SparePool.Steps(of: shortcut, $0.machine.plan, by: run.app.name, at: now) }
        }
        let spare = pool.claim(at: now, usesWorkers: areSparesCurrent, hasOwnSandbox: own != nil, as: steps)
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
                run: run.id,
                intent: own?.section
            )
            return (slot, nil, actions + [.launch(request)])
        }
    }

    /// Launches one spare of each app for a user who will request a run. The spare starts while the app describes its
    /// intents.
    mutating func launchSpares(of apps: [InstalledApp], for user: Caller, at now: Now) -> [Action] {
        apps.flatMap { app -> [Action] in
            let pair = AppUser(app: app.name, user: user)
            let slot = makeSlot(for: .spare(pair))
            var pool = SparePool(for: app, at: now)
            pool.began(slot)
            pool.idleTimer = pool.idleEnd
            spares[pair] = pool
            return [
                .launch(LaunchRequest(slot: slot, app: pair.app, mode: .once, for: user)),
                .armTimer(.spares(pair), at: .monotonic(pool.idleEnd)),
            ]
        }
    }

    /// Updates the spares after a run has released its slot. If the run was the last run of its app and user, that
    /// pair's idle time begins.
    mutating func updateSpares(of pair: AppUser, at now: Now) -> [Action] {
        spares[pair]?.runEnded(at: now)
        let actions = refillSpares(of: pair)
        guard var pool = spares[pair], pool.isUnused else { return actions }
        if pool.slots.isEmpty && !pool.wantsWorkers {
            spares[pair] = nil
            return actions + (pool.idleTimer == nil ? [] : [.disarmTimer(.spares(pair))])
        }
        // Rearm the timer only for an earlier deadline. If the timer fires before the idle time has passed, its handler
        // arms it again.
        if let idleTimer = pool.idleTimer, idleTimer <= pool.idleEnd { return actions }
        pool.idleTimer = pool.idleEnd
        spares[pair] = pool
        return actions + [.armTimer(.spares(pair), at: .monotonic(pool.idleEnd))]
    }

    /// Launches the missing spares of an app and user. If the total number of spares would exceed the limit, kills the
    /// spares of the pair that has been idle the longest.
    mutating func refillSpares(of pair: AppUser) -> [Action] {
        guard let pool = spares[pair], pool.missingCount(countsSteps: true) > 0 else { return [] }
        // The steps of one user's shortcuts must not take the places of the spares of other users.
        let count = pool.missingCount(countsSteps: spareCount < Self.spareSlotLimit / 2)
        let used = spares.reduce(0) { $0 + ($1.key.user == pair.user ? $1.value.spareMemory : 0) }
        let missingCount = pool.count(count, within: Self.spareMemoryLimit - used)
        let excess = spareCount + missingCount - Self.spareSlotLimit
        // The killed spares still count now, because their slots become free only when they have exited. The next
        // refill can use these slots.
        let evictions = excess > 0 ? evictSpares(except: pair) : []
        return evictions
            + (0..<max(0, min(missingCount, Self.spareSlotLimit - spareCount))).map { _ in
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
            + (oldest.value.idleTimer == nil ? [] : [.disarmTimer(.spares(oldest.key))])
    }

    /// Kills the spares of an app and user if they have been idle for too long.
    mutating func sparesTimedOut(_ pair: AppUser, at now: Now) -> [Action] {
        guard var pool = spares[pair] else { return [] }
        if pool.isUnused, pool.idleEnd <= now.monotonic {
            spares[pair] = nil
            return pool.slots.map { .signal($0, .kill) }
        }
        // Arm the timer again unless a run of the pair has a slot. In that case, the end of the last run arms it.
        pool.idleTimer = pool.isUnused ? pool.idleEnd : nil
        spares[pair] = pool
        return pool.idleTimer.map { [.armTimer(.spares(pair), at: .monotonic($0))] } ?? []
    }

    /// Handles a spare's report. A spare may report only `hello`; any other report is a violation, and the spare is
    /// killed.
    mutating func spareReported(_ pair: AppUser, slot: SlotID, _ report: WorkerReport) -> [Action] {
        if case .hello(let hello) = report, hello.protocolVersion == Hello.currentVersion { return [] }
        return killSpare(pair, slot)
    }

    /// Kills a spare that must not be used for a run. A spare that is no longer in the pool has already been killed.
    mutating func killSpare(_ pair: AppUser, _ slot: SlotID) -> [Action] {
        spares[pair]?.drop(slot) == true ? [.signal(slot, .kill)] : []
    }

    /// Kills the spares in these slots. Runs continue, and the status names them if a path has changed.
    mutating func outdated(_ slots: [SlotID], _ path: String?) -> [Action] {
        slots.flatMap { slot -> [Action] in
            switch self.slots[slot] {
            case .spare(let pair): return killSpare(pair, slot)
            case .run(let run): runs[run]?.changedPath = path
            case .description, .unclaimed, nil: break
            }
            return []
        }
    }

    // MARK: Workers of ended steps

    /// The longest time for which the permission to exit is kept back.
    private static let lingerTime = Duration.milliseconds(20)

    /// Returns true if the worker of a step that has ended receives the permission to exit later: the exit would take the
    /// processor from the next step of the shortcut, which follows at once. No run waits for it: it has no claims, and
    /// ``handle(_:at:)`` gives the permission when a run waits for a slot.
    func mayLinger(_ run: Run) -> Bool {
        guard run.outcome != nil, let shortcut = run.shortcut.flatMap({ shortcuts[$0] }),
            !shortcut.machine.hasCause, !admission.hasClaims(run.id)
        else { return false }
        return spares[AppUser(app: run.app.name, user: run.owner)]?.hasSparesForRest == true
    }

    mutating func linger(_ run: RunID, at now: Now) -> [Action] {
        lingering.append(run)
        guard lingering.count == 1 else { return [] }
        return [.armTimer(.lingering, at: .monotonic(now.monotonic + Self.lingerTime))]
    }

    /// Permits the workers of ended steps to exit. Each has its whole grace period for that.
    mutating func endLingering(at now: Now) -> [Action] {
        guard !lingering.isEmpty else { return [] }
        let permitted = lingering
        lingering = []
        return [.disarmTimer(.lingering)]
            + permitted.flatMap { id -> [Action] in
                guard let run = runs[id], let slot = run.slot else { return [] }
                let end = now.monotonic + run.machine.limits.grace
                return [.send(slot, id, .acknowledge)] + arm(id, at: .monotonic(end))
            }
    }

    /// Permits the workers of ended steps to exit, as soon as the present messages are sent.
    func endLingeringSoon(at now: Now) -> [Action] {
        lingering.isEmpty ? [] : [.armTimer(.lingering, at: .monotonic(now.monotonic))]
    }

    /// Lets the pools that served the steps of a shortcut replace their spares as usual.
    mutating func endSteps(of live: LiveShortcut, for user: Caller) {
        let apps = live.machine.plan.steps.compactMap { step in
            if case .perform(let app, _, _) = step.work { AppName(app) } else { nil }
        }
        for app in Set(apps) { spares[AppUser(app: app, user: user)]?.stepsEnded(of: live.machine.run) }
    }

    /// Kills all spares, because the program is stopping.
    mutating func endSpares() -> [Action] {
        let slots = spares.sorted { $0.key < $1.key }.flatMap(\.value.slots)
        return slots.map { .signal($0, .kill) } + forgetSpares()
    }

    /// Removes all pools, so that no more spares are launched.
    mutating func forgetSpares() -> [Action] {
        defer { spares = [:] }
        return spares.filter { $0.value.idleTimer != nil }.keys.sorted().map { .disarmTimer(.spares($0)) }
    }
}
