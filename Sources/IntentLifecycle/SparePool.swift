import IntentWire

/// The workers of one app and user that wait, each for one run, so that a run starts with one message.
///
/// They are for steady use: none is made before a second run begins within `IdleStop=` of the first.
struct SparePool: Sendable {
    /// A worker that a run takes.
    enum Worker: Equatable, Sendable {
        /// It waits for its word, and is isolated so.
        case ready(SlotID, IsolationGrade)
        /// Its socket is not there yet.
        case starting(SlotID)

        var slot: SlotID {
            switch self {
            case .ready(let slot, _), .starting(let slot): slot
            }
        }
    }

    /// The app's files of which its workers were made. Workers of older files are of no use.
    private var revision: UInt64
    private var wantedCount: Int
    private var idleStop: Duration
    /// Those that are ready in the order in which they became so, and then those that start.
    private var ready: [Worker] = []
    private var starting: [Worker] = []
    /// Runs of the app and user that have a process, or are about to.
    private var runCount = 0
    private var hasBegunRun = false
    private var isInSteadyUse = false
    private var lastUse: Now.Monotonic
    /// When somebody looks whether they are idle; nil while no timer is armed.
    var nextLook: Now.Monotonic?

    init(for app: InstalledApp, at now: Now) {
        revision = app.revision
        wantedCount = app.spareCount
        idleStop = app.idleStop
        lastUse = now.monotonic
    }

    var slots: [SlotID] { (ready + starting).map(\.slot) }
    /// No run of the app and user has a process.
    var isUnused: Bool { runCount == 0 }
    /// Runs may have workers made ahead, once the use is steady.
    var wantsWorkers: Bool { wantedCount > 0 }
    /// When its workers have waited long enough, unless a run comes.
    var idleEnd: Now.Monotonic { lastUse + idleStop }

    /// Takes in the app as a run found it, and forgets the workers that were made of older files: these are returned.
    mutating func outdated(by app: InstalledApp) -> [SlotID] {
        // A run that waited for its place may know older files than those of which the workers were made since.
        guard app.revision > revision else { return [] }
        revision = app.revision
        wantedCount = app.spareCount
        idleStop = app.idleStop
        defer {
            ready = []
            starting = []
        }
        return slots
    }

    /// A worker for a run that begins now; nil when one must be made.
    mutating func take(at now: Now) -> Worker? {
        lastUse = now.monotonic
        runCount += 1
        isInSteadyUse = hasBegunRun
        hasBegunRun = true
        if !ready.isEmpty { return ready.removeFirst() }
        return starting.isEmpty ? nil : starting.removeFirst()
    }

    mutating func runEnded(at now: Now) {
        lastUse = now.monotonic
        runCount -= 1
    }

    /// How many to make now: all that are missing while nothing runs, and while something does, no sooner than when more
    /// than half are gone.
    var missingCount: Int {
        guard isInSteadyUse else { return 0 }
        let presentCount = ready.count + starting.count
        return isUnused || presentCount * 2 < wantedCount ? max(0, wantedCount - presentCount) : 0
    }

    mutating func began(_ slot: SlotID) { starting.append(.starting(slot)) }

    mutating func launched(_ slot: SlotID, _ isolation: IsolationGrade) {
        guard let index = starting.firstIndex(of: .starting(slot)) else { return }
        starting.remove(at: index)
        ready.append(.ready(slot, isolation))
    }

    /// A worker is of no use any more. False when it was none of these.
    mutating func drop(_ slot: SlotID) -> Bool {
        let count = ready.count + starting.count
        ready.removeAll { $0.slot == slot }
        starting.removeAll { $0.slot == slot }
        return ready.count + starting.count < count
    }
}
