import IntentWire

/// The workers of one app that wait, each for one run, so that a run starts with one message.
struct SparePool: Sendable {
    /// The app's files of which its workers were made. Workers of other files are of no use.
    private(set) var revision: UInt64
    private var wantedCount: Int
    private(set) var idleStop: Duration
    /// Their sockets are not there yet.
    private var starting: [SlotID] = []
    private var ready: [SlotID] = []
    /// Runs of the app that have a process, or are about to.
    private var runCount = 0
    private(set) var lastUse: Now.Monotonic
    /// The timer that looks for idleness is armed.
    var isWatched = false

    init(for app: InstalledApp, at now: Now) {
        revision = app.revision
        wantedCount = app.spareCount
        idleStop = app.idleStop
        lastUse = now.monotonic
    }

    var slots: [SlotID] { starting + ready }
    var isUnused: Bool { runCount == 0 }

    /// A worker for a run that begins now, and whether it is there already; nil when one must be made.
    mutating func take(for app: InstalledApp, at now: Now) -> (slot: SlotID, isReady: Bool)? {
        lastUse = now.monotonic
        runCount += 1
        wantedCount = app.spareCount
        idleStop = app.idleStop
        if !ready.isEmpty { return (ready.removeFirst(), true) }
        return starting.isEmpty ? nil : (starting.removeFirst(), false)
    }

    /// The workers that were made of other files than the app's now; they are forgotten here.
    mutating func outdated(by app: InstalledApp) -> [SlotID] {
        guard revision != app.revision else { return [] }
        revision = app.revision
        return forgetAll()
    }

    mutating func forgetAll() -> [SlotID] {
        defer {
            starting = []
            ready = []
        }
        return slots
    }

    mutating func runEnded(at now: Now) {
        lastUse = now.monotonic
        runCount -= 1
    }

    /// How many to make now: all that are missing while nothing runs, and while something does, no sooner than when more
    /// than half are gone.
    var missingCount: Int {
        let presentCount = starting.count + ready.count
        return runCount == 0 || presentCount * 2 < wantedCount ? max(0, wantedCount - presentCount) : 0
    }

    mutating func began(_ slot: SlotID) { starting.append(slot) }

    mutating func launched(_ slot: SlotID) {
        guard let index = starting.firstIndex(of: slot) else { return }
        starting.remove(at: index)
        ready.append(slot)
    }

    mutating func lost(_ slot: SlotID) {
        starting.removeAll { $0 == slot }
        ready.removeAll { $0 == slot }
    }
}

extension Fleet {
    /// A slot for a run that begins: that of a spare worker where there is one.
    mutating func occupySlot(for run: Run, at now: Now) -> (slot: SlotID, actions: [Action], isReady: Bool) {
        var pool = spares[run.app.name] ?? SparePool(for: run.app, at: now)
        var actions = pool.outdated(by: run.app).map { Action.signal($0, .kill) }
        let spare = pool.take(for: run.app, at: now)
        if !pool.isWatched {
            pool.isWatched = true
            actions.append(.armTimer(.spares(run.app.name), at: .monotonic(now.monotonic + pool.idleStop)))
        }
        spares[run.app.name] = pool
        if let spare {
            slots[spare.slot] = .run(run.id)
            return (spare.slot, actions, spare.isReady)
        }
        let slot = makeSlot(for: .run(run.id))
        actions.append(.launch(LaunchRequest(slot: slot, app: run.app.name, mode: .once, run: run.id)))
        return (slot, actions, false)
    }

    /// Makes the spare workers of an app that are missing.
    mutating func refillSpares(of app: AppName) -> [Action] {
        guard !isStopping, !hasQuit, let count = spares[app]?.missingCount, count > 0 else { return [] }
        return (0..<min(count, Self.spareSlotLimit - spareSlotCount)).map { _ in
            let slot = makeSlot(for: .spare(app))
            spares[app]?.began(slot)
            return .launch(LaunchRequest(slot: slot, app: app, mode: .once))
        }
    }

    /// Nobody may have asked for the app for long: then its spare workers go.
    mutating func sparesTimedOut(_ app: AppName, at now: Now) -> [Action] {
        guard var pool = spares[app] else { return [] }
        let end = pool.lastUse + pool.idleStop
        guard pool.isUnused, end <= now.monotonic else {
            let next = pool.isUnused ? end : now.monotonic + pool.idleStop
            return [.armTimer(.spares(app), at: .monotonic(next))]
        }
        let slots = pool.forgetAll()
        spares[app] = nil
        return slots.map { .signal($0, .kill) }
    }

    /// The program ends: nobody will need them.
    mutating func endSpares() -> [Action] {
        let names = spares.keys.sorted()
        var actions: [Action] = []
        for name in names {
            let slots = spares[name]?.forgetAll() ?? []
            actions += [.disarmTimer(.spares(name))] + slots.map { .signal($0, .kill) }
        }
        return actions
    }

    /// Spare workers of all apps together: each costs processes and descriptors.
    private static let spareSlotLimit = 256

    private var spareSlotCount: Int {
        spares.values.reduce(0) { $0 + $1.slots.count }
    }
}
