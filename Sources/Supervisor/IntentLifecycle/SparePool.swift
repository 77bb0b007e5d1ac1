import IntentLauncherMessages

/// The spares of one app and user. A spare is already initialised, so a single message starts a run on it.
///
/// The pool of a service has spares only during steady use: the first spares are launched when a second run begins
/// within `IdleStop=` of the first run. A private daemon that expects a run launches one spare when it starts.
///
/// The steps of a shortcut follow each other without a pause, in which spares could start. Therefore, the pool has as many
/// spares as a shortcut in recent use has steps, and does not replace them until its last step has ended, while enough are
/// left.
struct SparePool: Sendable {
    /// A spare that is either ready or starting.
    enum Worker: Equatable, Sendable {
        /// The spare is waiting for a command, and has this isolation grade.
        case ready(SlotID, IsolationGrade)
        /// The spare's socket is not connected yet.
        case starting(SlotID)

        var slot: SlotID {
            switch self {
            case .ready(let slot, _), .starting(let slot): slot
            }
        }
    }

    /// The steps of the shortcut to which a run belongs.
    struct Steps: Sendable {
        /// The maximum number of spares for the steps of a shortcut.
        private static let limit = 16

        /// The run of the shortcut.
        var shortcut: RunID
        /// The number of its steps that the app performs.
        var count: Int
        fileprivate var begunCount = 0
        fileprivate var lastUse: Now.Monotonic

        init(of shortcut: RunID, _ plan: ShortcutPlan, by app: AppName, at now: Now) {
            self.shortcut = shortcut
            count = plan.steps.count { if case .perform(app.text, _, _) = $0.work { true } else { false } }
            lastUse = now.monotonic
        }

        /// The number of steps that have not begun; nil if other runs than these steps have begun since.
        fileprivate var restCount: Int? { begunCount <= count ? count - begunCount : nil }
        fileprivate var spareCount: Int { min(Self.limit, count) }
    }

    /// The revision of the app's files from which the spares were launched. Spares from an older revision are killed.
    private var revision: UInt64
    private var wantedCount: Int
    private var idleStop: Duration
    /// The memory that each spare may use before its run begins, in bytes; 0 for spares without a server.
    private var memory: Int64
    /// The ready spares, in the order in which they became ready.
    private var ready: [Worker] = []
    private var starting: [Worker] = []
    /// The number of runs of the app and user that have a slot.
    private var runCount = 0
    private var hasBegunRun = false
    private var isInSteadyUse = false
    /// The steps of the shortcut that was used last; nil if none was used within `IdleStop=`.
    private var steps: Steps?
    private var lastUse: Now.Monotonic
    /// The instant at which the idle timer fires; nil while it is not armed.
    var idleTimer: Now.Monotonic?

    init(for app: InstalledApp, at now: Now) {
        revision = app.revision
        wantedCount = app.spareCount
        idleStop = app.idleStop
        memory = app.spareMemory
        lastUse = now.monotonic
    }

    /// The memory that all spares may use, in bytes.
    var spareMemory: Int64 { memory * Int64(slots.count) }

    /// Returns the number of spares that fit into the rest of a user's share of memory.
    func count(_ count: Int, within rest: Int64) -> Int { memory == 0 ? count : min(count, Int(max(0, rest) / memory)) }

    var slots: [SlotID] { (ready + starting).map(\.slot) }
    /// True when no run of the app and user has a slot.
    var isUnused: Bool { runCount == 0 }
    /// True if the app may have spares while it is in steady use.
    var wantsWorkers: Bool { wantedCount > 0 }
    /// The instant at which the spares are killed unless a run begins first.
    var idleEnd: Now.Monotonic { lastUse + idleStop }

    /// Updates the pool to the settings of a run's app, if they are newer.
    ///
    /// - Returns: The slots of the spares that were launched from older files. The pool no longer contains them.
    mutating func removeOutdated(by app: InstalledApp) -> [SlotID] {
        // Keep the newer settings, because a run from the backlog may have older settings than the newest spares.
        guard app.revision > revision else { return [] }
        revision = app.revision
        wantedCount = app.spareCount
        idleStop = app.idleStop
        memory = app.spareMemory
        defer {
            ready = []
            starting = []
        }
        return slots
    }

    /// Removes a spare from the pool for a run that is beginning, and returns it. Returns nil if a worker must be
    /// launched, or if no spare may be used now.
    ///
    /// - Parameters:
    ///   - hasOwnSandbox: True for a run that cannot use the spares, because its intent has a sandbox of its own.
    ///   - steps: The steps of the run's shortcut; nil for a run without one.
    mutating func claim(
        at now: Now,
        usesWorkers: Bool = true,
        hasOwnSandbox: Bool = false,
        as steps: Steps? = nil
    ) -> Worker? {
        lastUse = now.monotonic
        runCount += 1
        note(steps)
        guard !hasOwnSandbox else { return nil }
        isInSteadyUse = hasBegunRun
        hasBegunRun = true
        guard usesWorkers else { return nil }
        if !ready.isEmpty { return ready.removeFirst() }
        return starting.isEmpty ? nil : starting.removeFirst()
    }

    private mutating func note(_ steps: Steps?) {
        guard var steps else {
            // The shortcut may have ended before its last step, so other runs end the reservation.
            self.steps?.begunCount = .max
            if let last = self.steps, lastUse - last.lastUse > idleStop { self.steps = nil }
            return
        }
        if let last = self.steps, last.shortcut == steps.shortcut { steps.begunCount = last.begunCount }
        if steps.begunCount < .max { steps.begunCount += 1 }
        self.steps = steps
    }

    mutating func runEnded(at now: Now) {
        lastUse = now.monotonic
        runCount -= 1
    }

    /// The number of spares to launch now. While a run has a slot, no spares are launched until fewer than half of the
    /// spares remain; while a shortcut's steps find spares, none until the last of them has ended.
    ///
    /// - Parameter countsSteps: True if the pool may have more spares than `Spare=` for the steps of a shortcut.
    func missingCount(countsSteps: Bool) -> Int {
        guard isInSteadyUse else { return 0 }
        let presentCount = ready.count + starting.count
        // An MCP server that waits may need much memory.
        let steps = countsSteps && wantsWorkers && memory == 0 ? self.steps : nil
        if let rest = steps?.restCount, presentCount >= rest, rest > 0 || !isUnused { return 0 }
        let wantedCount = max(self.wantedCount, steps?.spareCount ?? 0)
        return isUnused || presentCount * 2 < wantedCount ? max(0, wantedCount - presentCount) : 0
    }

    /// Ends the reservation of spares for the steps of a shortcut.
    mutating func stepsEnded(of shortcut: RunID) { if steps?.shortcut == shortcut { steps?.begunCount = .max } }

    /// True if steps follow, and each finds a spare.
    var hasSparesForRest: Bool {
        guard let rest = steps?.restCount, rest > 0 else { return false }
        return ready.count >= rest
    }

    mutating func began(_ slot: SlotID) { starting.append(.starting(slot)) }

    mutating func launched(_ slot: SlotID, _ isolation: IsolationGrade) {
        guard let index = starting.firstIndex(of: .starting(slot)) else { return }
        starting.remove(at: index)
        ready.append(.ready(slot, isolation))
    }

    /// Removes a spare that has exited or must be killed.
    ///
    /// - Returns: False if the pool does not contain the spare.
    mutating func drop(_ slot: SlotID) -> Bool {
        let count = ready.count + starting.count
        ready.removeAll { $0.slot == slot }
        starting.removeAll { $0.slot == slot }
        return ready.count + starting.count < count
    }
}
