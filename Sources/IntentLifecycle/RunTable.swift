package import IntentWire

/// All runs, apps and clients of a daemon as one value: what happens next.
///
/// An event with its time goes in, actions come out, to be carried out in order. Nothing here touches a clock,
/// a descriptor or a task.
package struct RunTable: Sendable {
    package enum Event: Sendable {
        /// A client's request, with the facts that it needs from outside.
        indirect case requested(ClientID, Caller, RunAccess.Rank? = nil, id: UInt64, Request, by: CallerProcess? = nil)
        case clientLeft(ClientID)
        /// A slot's process runs, isolated so, and its socket is connected.
        case launched(SlotID, Isolation)
        case launchFailed(SlotID, message: String)
        case reported(SlotID, WorkerReport)
        /// A slot's worker said what no worker may say.
        case violated(SlotID, message: String)
        /// More of the files of a result is kept; all of it is; or they cannot be kept.
        case filesAdvanced(SlotID)
        case filesCollected(SlotID)
        case filesRefused(SlotID, message: String)
        /// Nothing of a slot's processes is left, and all that it said was reported before.
        case ended(SlotID, SlotEnd, lastWords: String?)
        case timerFired(TimerID)
        /// The run's timer fired, and a debugger holds its worker.
        case heldByDebugger(RunID)
        /// A run that was accepted cannot be put on record, for this reason.
        case notRecorded(RunID, message: String)
        /// What a run was accepted for is on record already, as that one.
        indirect case foundOnRecord(RunID, KnownRun, [WaitingAsker])
        case launcherLost
        case stopRequested
        /// An earlier `intentd` left this, before anything else is said; its runs follow, each for itself.
        case tookOver(lastSlot: UInt64, strangers: [SlotID])
        indirect case found(LeftRun, absence: Duration)
        /// Workers can be made from now on; these are the apps that are installed.
        case started([InstalledApp])
    }

    /// A request that was decoded, and what the edge found out for it.
    package enum Request: Sendable {
        /// With the groups of the one who asks, and whether he has a session at this machine's own seat.
        case perform(PerformRequest, newRun: RunID, AppLookup, groups: Set<UInt32> = [], isPresent: Bool = false)
        /// With the groups of the one who asks, as in those that follow.
        case describe(AppLookup, groups: Set<UInt32> = [])
        case list([InstalledApp], groups: Set<UInt32> = [])
        case cancel(run: String)
        case watch(run: String, after: UInt64?, isReturn: Bool = false)
        /// With the groups of the one who asks.
        case question(run: String, groups: Set<UInt32>)
        case answer(AnswerRequest, groups: Set<UInt32>)
        /// With the runs whose workers a debugger holds now, and the groups of the one who asks.
        case runs(held: Set<RunID>, groups: Set<UInt32> = [])
        case status(installedAppCount: Int)
        /// The operator's files were read again without a mistake; with what is wrong with apps that are not among these.
        case reload(Capacity, [InstalledApp], warnings: [String])
    }

    package enum Action: Equatable, Sendable {
        /// Keep this of a new run in memory that outlives this `intentd`, before anybody is told of the run.
        indirect case keep(RunID, RunRemainder)
        /// Put this on record, before anything that follows tells of it.
        indirect case record(RunRecord)
        indirect case answer(ClientID, id: UInt64, ClientAnswer)
        /// To every client that follows the run; of an end, the files of the result ride along.
        case publish([ClientID], NumberedEvent, files: FileHandling = .lend)
        case launch(LaunchRequest)
        indirect case tell(SlotID, WorkerCommand)
        case signal(SlotID, StopSignal)
        case collect(SlotID, RunID, [ResultFile])
        /// The files of a result are for nobody.
        case discardFiles(SlotID, RunID)
        case release(SlotID)
        /// Keep this of a run for another `intentd`, before what follows is done.
        indirect case note(RunNote)
        case armTimer(TimerID, at: Now.Instant)
        case disarmTimer(TimerID)
        /// A line about a run for the journal.
        indirect case log(RunLine)
        /// The run is over: what the edge holds for it may go.
        case forget(RunID)
        /// Of every app that was there at the start it is known what it can do, or that it cannot tell.
        case catalogued
        /// For the journal: an app could not tell what it can do.
        case reportBroken(AppName, problem: String)
        /// Nothing is left to do: the program ends.
        case quit(QuitCause)
    }

    /// What becomes of the files of a result when a client has got them.
    package enum FileHandling: Equatable, Sendable {
        /// They are kept for others.
        case lend
        /// Who asked for the run has them: they are kept no longer.
        case give
    }

    package enum QuitCause: Equatable, Sendable {
        case stopped
        case launcherLost
    }

    package enum TimerID: Hashable, Sendable {
        case run(RunID)
        case description(AppName)
        /// The spare workers of an app and user may be of no use any more.
        case spares(AppUser)
        /// The one who wanted a run only as long as he is there has not come back to it.
        case owner(RunID)
    }

    /// How many runs there may be.
    package struct Capacity: Equatable, Sendable {
        /// `MaxRuns=`: at the same time.
        package var runCount = 64
        /// `MaxRunsPerUser=`: at the same time, for one user.
        package var runCountPerUser = 32
        /// `MaxWaiting=`: runs with an open question, which take no place; those beyond take one.
        package var waitingCount = 256
        /// `MaxQueued=`: waiting for a place.
        package var queueCount = 1024
        /// Of these, for one user where no other waits: nobody can fill the queue for the others.
        package var queueCountPerUser: Int { (queueCount + 1) / 2 }

        package init() {}
    }

    var capacity: Capacity
    let start: Now
    var runs: [RunID: Run] = [:]
    var slots: [SlotID: Occupant] = [:]
    var apps: [AppName: AppStateMachine] = [:]
    var spares: [AppUser: SparePool] = [:]
    var admission: AdmissionQueue
    var lists: [UInt64: PendingList] = [:]
    var endedRuns = EndedRuns()
    /// Runs by what their clients called them, live ones and remembered ones.
    var requests: [OwnedRequest: RunID] = [:]
    var isStopping = false
    var hasQuit = false
    var lastSlot: UInt64 = 0
    private var lastList: UInt64 = 0
    /// Runs that ended since the start.
    var endedCount = 0
    /// What isolates workers that ask for nothing special: set by the edge when the launcher has said it.
    package var isolation: Isolation?
    /// True when another `intentd` may take the runs up: then notes are made of them, and runs in the queue outlive a
    /// stop.
    package var isSucceeded = false
    /// Runs whose files another `intentd` would find; set by the edge.
    package var keptInputs: Set<RunID> = []
    /// Those of which only answers are kept so, to questions that they may ask.
    package var keptAnswers: Set<RunID> = []
    /// Why no new run can be taken; set by the edge while that is so.
    package var refusal: ErrorReport?

    /// What a slot is for.
    enum Occupant: Sendable {
        case run(RunID)
        case description(AppName)
        /// A worker that waits for its one run.
        case spare(AppUser)
        /// What an earlier `intentd` left, and nobody has a use for.
        case stranger
    }

    /// A request identifier counts for its user alone.
    struct OwnedRequest: Hashable, Sendable {
        var user: Caller
        var request: RequestID
    }

    package init(capacity: Capacity, at now: Now) {
        self.capacity = capacity
        admission = AdmissionQueue(capacity: capacity)
        start = now
    }

    package mutating func handle(_ event: Event, at now: Now) -> [Action] {
        var actions: [Action] =
            switch event {
            case .requested(let client, let user, let rank, let id, let request, let caller):
                handle(
                    request,
                    from: Asker(
                        client: client,
                        user: user,
                        rank: rank ?? RunAccess.Rank(of: user),
                        id: id,
                        caller: caller ?? CallerProcess(user)
                    ),
                    at: now
                )
            case .clientLeft(let client): clientLeft(client, at: now)
            case .launched(let slot, let isolation): launched(slot, isolation, at: now)
            case .launchFailed(let slot, let message): launchFailed(slot, message: message, at: now)
            case .reported(let slot, let report): reported(slot, report, at: now)
            case .violated(let slot, let message): violated(slot, message: message, at: now)
            case .filesAdvanced(let slot): withRun(of: slot, at: now) { $0.filesAdvanced(at: now) }
            case .filesCollected(let slot): withRun(of: slot, at: now) { $0.filesCollected(at: now) }
            case .filesRefused(let slot, let message):
                withRun(of: slot, at: now) { $0.filesRefused(message, at: now) }
            case .ended(let slot, let end, let lastWords): ended(slot, end, lastWords: lastWords, at: now)
            case .timerFired(.run(let run)):
                withRun(run, at: now) { [obstacle = admission.obstacle(of: run)] in
                    $0.timerFired(at: now, behind: obstacle)
                }
            case .heldByDebugger(let run): withRun(run, at: now) { $0.heldByDebugger(at: now) }
            case .notRecorded(let run, let message): notRecorded(run, message: message, at: now)
            case .foundOnRecord(let run, let known, let askers): foundOnRecord(run, known, askers, at: now)
            case .timerFired(.description(let app)): descriptionTimedOut(app)
            case .timerFired(.spares(let pair)): sparesTimedOut(pair, at: now)
            case .launcherLost: launcherLost(at: now)
            case .stopRequested: stopRequested(at: now)
            case .tookOver(let lastSlot, let strangers): tookOver(lastSlot: lastSlot, strangers)
            case .found(let left, let absence): found(left, after: absence, at: now)
            case .timerFired(.owner(let run)): ownerStayedAway(run, at: now)
            case .started(let apps): describe(apps, for: .start, at: now)
            }
        actions += admitWaiting(at: now)
        if isStopping, slots.isEmpty, runs.isEmpty, !hasQuit {
            hasQuit = true
            actions.append(.quit(.stopped))
        }
        return actions
    }

    /// True for a run that lives, or ended so short a while ago that it is remembered here.
    package func remembers(_ run: RunID) -> Bool { runs[run] != nil || endedRuns[run] != nil }

    /// The same for one that this user may see: another's takes the way of one that is not there, with its words and its
    /// time.
    package func remembers(_ run: RunID, for user: Caller, _ rank: RunAccess.Rank) -> Bool {
        guard let owner = runs[run]?.owner ?? endedRuns[run]?.owner else { return false }
        return RunAccess.may(.see, user, rank, withRunOf: owner)
    }

    /// True while the run has not vanished.
    package func isLive(_ run: RunID) -> Bool { runs[run] != nil }

    /// The run that a slot works for.
    package func run(of slot: SlotID) -> RunID? {
        if case .run(let run) = slots[slot] { return run }
        return nil
    }

    /// When a run's clock ends it unless progress advances; nil where no such clock runs.
    package func deadline(of run: RunID) -> Now.Monotonic? { runs[run]?.machine.deadline }

    /// The app of a run that has not vanished.
    package func app(of run: RunID) -> AppName? { runs[run]?.app.name }

    /// The app that a slot is for.
    package func app(in slot: SlotID) -> AppName? {
        switch slots[slot] {
        case .run(let run): runs[run]?.app.name
        case .spare(let pair): pair.app
        case .description(let app): app
        case .stranger, nil: nil
        }
    }

    /// The slot is for something.
    package func knows(_ slot: SlotID) -> Bool { slots[slot] != nil }

    /// The slot in which a run works.
    package func slot(of run: RunID) -> SlotID? { runs[run]?.slot }

    mutating func makeSlot(for occupant: Occupant) -> SlotID {
        lastSlot += 1
        let slot = SlotID(number: lastSlot)
        slots[slot] = occupant
        return slot
    }

    mutating func makeListNumber() -> UInt64 {
        lastList += 1
        return lastList
    }

    // MARK: Workers

    private mutating func launched(_ slot: SlotID, _ isolation: Isolation, at now: Now) -> [Action] {
        switch slots[slot] {
        case .run(let run):
            if let app = runs[run]?.app.name { apps[app]?.isolation = isolation }
            return withRun(run, at: now) { $0.launched(isolation.grade) }
        case .spare(let pair):
            apps[pair.app]?.isolation = isolation
            spares[pair]?.launched(slot, isolation.grade)
            return []
        case .description(let app):
            apps[app]?.isolation = isolation
            return []
        case .stranger, nil: return []
        }
    }

    private mutating func launchFailed(_ slot: SlotID, message: String, at now: Now) -> [Action] {
        // The slot of a run is released with the run, and its note with that.
        if case .run(let run) = slots[slot] { return withRun(run, at: now) { $0.launchFailed(message, at: now) } }
        switch slots.removeValue(forKey: slot) {
        case .description(let app): return describeFailed(app, problem: message, at: now)
        case .spare(let pair):
            // The next run tries again, and tells its client.
            _ = spares[pair]?.drop(slot)  // It may have been forgotten before.
            return []
        case .run, .stranger, nil: return []
        }
    }

    private mutating func reported(_ slot: SlotID, _ report: WorkerReport, at now: Now) -> [Action] {
        switch slots[slot] {
        case .run(let run): runReported(run, report, at: now)
        case .description(let app): descriptionReported(app, slot: slot, report)
        case .spare(let pair): spareReported(pair, slot: slot, report)
        case .stranger, nil: []
        }
    }

    private mutating func violated(_ slot: SlotID, message: String, at now: Now) -> [Action] {
        switch slots[slot] {
        case .run(let run): withRun(run, at: now) { $0.broken(message, at: now) }
        case .description: [.signal(slot, .kill)]
        case .spare(let pair): killSpare(pair, slot)
        case .stranger, nil: []
        }
    }

    private mutating func ended(
        _ slot: SlotID,
        _ end: SlotEnd,
        lastWords: String?,
        at now: Now
    ) -> [Action] {
        switch slots[slot] {
        case .run(let run):
            runs[run]?.slotEnd = end
            return withRun(run, at: now) { $0.processesEnded(end, at: now) }
        case .description(let app):
            slots[slot] = nil
            return [.release(slot)] + descriptionEnded(app, end, lastWords: lastWords, at: now)
        case .spare(let pair):
            slots[slot] = nil
            _ = spares[pair]?.drop(slot)  // It may have been forgotten before.
            return [.release(slot)]
        case .stranger, nil:
            slots[slot] = nil
            return [.release(slot)]
        }
    }

    // MARK: The whole

    private mutating func launcherLost(at now: Now) -> [Action] {
        // Nothing can be started any more; and the end of an app's last run would have spare workers made.
        isStopping = true
        var actions = forgetSpares()
        for run in runs.keys.sorted(by: { $0.text < $1.text }) {
            // What waits for a place needs no launcher yet.
            actions += leaveForNext(run, andItsOwner: true) ?? withRun(run, at: now) { $0.launcherLost(at: now) }
        }
        for app in apps.keys.sorted() {
            actions += isSucceeded ? leaveWishes(of: app) : describeFailed(app, problem: "the launcher died", at: now)
        }
        slots = [:]
        if !hasQuit {
            hasQuit = true
            actions.append(.quit(.launcherLost))
        }
        return actions
    }

    private mutating func stopRequested(at now: Now) -> [Action] {
        guard !isStopping else { return [] }
        isStopping = true
        var actions = endSpares()
        for run in runs.keys.sorted(by: { $0.text < $1.text }) {
            actions += leaveForNext(run) ?? withRun(run, at: now) { $0.cancel(.serviceStopping, at: now) }
        }
        for (slot, occupant) in slots.sorted(by: { $0.key.number < $1.key.number }) {
            if case .description = occupant { actions.append(.signal(slot, .kill)) }
        }
        return actions
    }
}
