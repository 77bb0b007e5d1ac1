package import IntentLauncherMessages

/// The state of all runs, apps and clients of a daemon. This value makes every decision about them.
///
/// Its input is an event with the time, and its output is a list of actions to perform in order. It uses no clock, no
/// descriptor and no task.
package struct RunTable: Sendable {
    var capacity: Capacity
    let start: Now
    var runs = ApartDictionary<RunID, Run>()
    var slots: [SlotID: Occupant] = [:]
    var apps: [AppName: AppStateMachine] = [:]
    var spares: [AppUser: SparePool] = [:]
    var admission: AdmissionQueue
    var lists: [UInt64: PendingList] = [:]
    var endedRuns = EndedRuns()
    /// Live and recently ended runs, by requester and request.
    var requests: [OwnedRequest: RunID] = [:]
    var notifications = Notifications()
    var standing = StandingApprovals()
    /// The live runs of shortcuts.
    var shortcuts = ApartDictionary<RunID, LiveShortcut>()
    /// The live runs of shortcuts, by account.
    var shortcutPool = SharedPool()
    /// The live runs of shortcuts' steps and undos, and the shortcuts' runs.
    var shortcutOfRun: [RunID: RunID] = [:]
    /// The runs of ended steps with workers that have no permission to exit yet.
    var lingering: [RunID] = []
    /// The files of results that are about to be collected.
    var shortcutFiles: [RunID: [FileSource]] = [:]
    var recalledShortcuts = RecalledShortcuts()
    package internal(set) var ownShortcuts = OwnShortcuts()
    /// The time for which the timer of shortcuts is armed, in nanoseconds since 1970.
    var nextShortcutWake: Int64?
    /// The apps as the operator's files describe them, for the rules of notifications without a run.
    var installed: [AppName: InstalledApp] = [:]
    /// The apps of accepted runs. Runs that were accepted with equal settings share them.
    var acceptedApps: [AppName: Shared<InstalledApp>] = [:]
    /// The revision of the settings that the claims and permissions of each app's live runs follow.
    var ruledRevisions: [AppName: UInt64] = [:]
    var isStopping = false
    var hasQuit = false
    var lastSlot: UInt64 = 0
    private var lastList: UInt64 = 0
    /// The number of runs that have ended since `intentd` started.
    var endedCount = 0
    /// The number of runs that have ended since `intentd` started, by account.
    var endedCounts: [Account: Int] = [:]
    var subordinates = SubordinateIDs()
    /// The isolation of workers without special requirements; nil until the launcher has reported it.
    package private(set) var isolation: Isolation?
    let succession: Succession
    /// False while a change of the host may concern the sandbox of a spare. Runs then get workers of their own.
    package var areSparesCurrent = true
    /// The runs with inputs that the launcher keeps. Another `intentd` can start these runs.
    var keptInputs: Set<RunID> = []
    var permittedHosts = PermittedHosts()
    /// The live runs with files that can be passed to a repetition.
    var repeatableFiles: Set<RunID> = []

    /// The current use of a slot.
    enum Occupant: Sendable {
        case run(RunID)
        case description(AppName)
        /// A spare of this app and user.
        case spare(AppUser)
        /// The slot belonged to an earlier `intentd`, and no run claims it.
        case unclaimed
    }

    /// A request with its requester. The identifier of a request is unique only among the requests of one requester.
    struct OwnedRequest: Hashable, Sendable {
        var requester: Requester
        var request: RequestID
    }

    package init(capacity: Capacity, succession: Succession = .none, at now: Now) {
        self.capacity = capacity
        self.succession = succession
        admission = AdmissionQueue(capacity: capacity)
        start = now
    }

    package mutating func handle(_ event: Event, at now: Now) -> [Action] {
        var actions: [Action] =
            switch event {
            case .requested(let origin, let request): handle(request, from: origin, at: now)
            case .clientLeft(let client): clientLeft(client, at: now)
            case .launched(let slot, let isolation): launched(slot, isolation, at: now)
            case .launchFailed(let slot, let failure): launchFailed(slot, failure, at: now)
            case .reported(let slot, let report): reported(slot, report, at: now)
            case .violated(let slot, let message): violated(slot, message: message, at: now)
            case .filesAdvanced(let slot): withRun(of: slot, at: now) { $0.filesAdvanced(at: now) }
            case .outdated(let slots, let path): outdated(slots, path)
            case .hosts(let slots, let event): happened(event, in: slots, at: now)
            case .filesCollected(let slot): withRun(of: slot, at: now) { $0.filesCollected(at: now) }
            case .filesRefused(let slot, let message):
                withRun(of: slot, at: now) { $0.filesRefused(message, at: now) }
            case .ended(let slot, let end, let lastLine): ended(slot, end, lastLine: lastLine, at: now)
            case .timerFired(.run(let run)):
                withRun(run, at: now) { [obstacle = admission.obstacle(of: run)] in
                    $0.timerFired(at: now, behind: obstacle)
                }
            case .printed(let slot, let stream, let text): printed(text, to: stream, in: slot)
            case .isolationReported(let isolation): isolationReported(isolation)
            case .inputsKept(let run): inputsKept(of: run)
            case .inputsDropped(let run): inputsDropped(of: run)
            case .filesRepeatable(let run): filesRepeatable(of: run)
            case .endRecalled(let origin, let known, let end, let purpose): recalled(known, end, for: purpose, origin)
            case .heldByDebugger(let run): withRun(run, at: now) { $0.heldByDebugger(at: now) }
            case .notRecorded(let run, let message): notRecorded(run, message: message, at: now)
            case .foundOnRecord(let run, let known, let waitingClients):
                foundOnRecord(run, known, waitingClients, at: now)
            case .timerFired(.description(let app)): descriptionTimedOut(app)
            case .timerFired(.spares(let pair)): sparesTimedOut(pair, at: now)
            case .launcherLost: launcherLost(at: now)
            case .stopRequested: stopRequested(at: now)
            case .subordinatesRead(let subordinates): subordinatesRead(subordinates)
            case .tookOver(let lastSlot, let unclaimed): tookOver(lastSlot: lastSlot, unclaimed)
            case .found(let run, let absence): found(run, after: absence, at: now)
            case .timerFired(.owner(let run)): ownerReconnectionTimedOut(run, at: now)
            case .undelivered(let request, let reason):
                refused(request, reason, at: now)
            case .recalled(let rows): recalled(rows, at: now)
            case .timerFired(.notifications): checkNotifications()
            case .timerFired(.shortcuts): shortcutsTimedOut(at: now)
            case .timerFired(.lingering): endLingering(at: now)
            case .stepReported(let shortcut, let event): stepReported(shortcut, event, at: now)
            case .started(let apps, let user, let catalogs):
                dropRecalledShortcuts() + started(apps, with: catalogs, at: now)
                    + (user.map { launchSpares(of: apps.contains { $0.shortcut != nil } ? [] : apps, for: $0, at: now) }
                        ?? [])
            }
        actions += admitWaiting(at: now)
        if isStopping || admission.isWaitedFor { actions += endLingering(at: now) }
        if notifications.isUnsettled { actions = settleNotifications(at: now) + actions }
        if isStopping, slots.isEmpty, runs.isEmpty, !hasQuit {
            hasQuit = true
            actions.append(.quit(.stopped))
        }
        return actions
    }

    /// Returns true for a live run, and for an ended run that is still in this table.
    package func remembers(_ run: RunID) -> Bool { runs.contains(run) || endedRuns[run] != nil }

    /// Returns true if the table contains the run and the user may see it. A run that the user may not
    /// see is treated like an unknown run, so that neither the error nor the response time reveals that it exists.
    package func remembers(_ run: RunID, for requester: Requester, _ rank: RunAccess.Rank) -> Bool {
        guard let owner = runs[run]?.requester ?? endedRuns[run]?.requester else { return false }
        return RunAccess.may(.see, requester, rank, withRunOf: owner)
    }

    /// Notes whether spares may be used, if an app and user may have spares.
    package mutating func checkSpares(_ areCurrent: @autoclosure () -> Bool) {
        if !spares.isEmpty { areSparesCurrent = areCurrent() }
    }

    /// Returns true until the run has ended and released its slot.
    package func isLive(_ run: RunID) -> Bool { runs.contains(run) }

    /// Returns the run in a slot, or nil if no run occupies the slot.
    package func run(of slot: SlotID) -> RunID? { if case .run(let run) = slots[slot] { run } else { nil } }

    /// Returns true if the run counts against the limits on slots.
    package func hasSlot(_ run: RunID) -> Bool { admission.hasSlot(run) }

    /// Returns the deadline of a run, or nil if the run has none.
    package func deadline(of run: RunID) -> Now.Monotonic? { runs[run]?.machine.deadline }

    /// Returns the app of a run, or nil if the run is not live.
    package func app(of run: RunID) -> AppName? { runs[run]?.app.name }

    /// Returns the app of the worker in a slot, or nil if the app is unknown.
    package func app(in slot: SlotID) -> AppName? {
        switch slots[slot] {
        case .run(let run): runs[run]?.app.name
        case .spare(let pair): pair.app
        case .description(let app): app
        case .unclaimed, nil: nil
        }
    }

    /// Returns true if the slot is in use.
    package func knows(_ slot: SlotID) -> Bool { slots[slot] != nil }

    /// Returns the caller that requested a run; nil for an unknown run.
    package func caller(of run: RunID) -> CallerProcess? { runs[run]?.caller }

    /// Returns true if an agent requested the run.
    package func isOfAgent(_ run: RunID) -> Bool { runs[run]?.isOfAgent == true }

    /// Returns the locale of a run's caller.
    package func locale(of run: RunID) -> String? { runs[run]?.accepted.locale }

    /// Returns the slot of a run, or nil if the run has no slot.
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

    /// Returns the account that pays for a user.
    package func account(of user: Caller) -> Account { subordinates.account(of: user) }

    /// Returns the account that pays for a run; nil for an unknown run.
    package func account(of run: RunID) -> Account? { runs[run].map { account(of: $0.owner) } }

    /// The paying account of a record's run; nil for a run that has ended.
    package func account(of record: RunRecord) -> Account? {
        if case .accepted(let run) = record.fact { account(of: run.caller.caller) } else { account(of: record.run) }
    }

    private mutating func subordinatesRead(_ subordinates: SubordinateIDs) -> [Action] {
        self.subordinates = subordinates
        return []
    }

    // MARK: Notifications

    private mutating func refused(_ request: RequestID, _ reason: String, at now: Now) -> [Action] {
        if notifications.retries.contains(request) { return repetitionRefused(request, reason, at: now) }
        return notifications.outbox.ended(request, failure: reason, at: now).map(Action.notify)
    }

    private mutating func recalled(_ rows: [String: String], at now: Now) -> [Action] {
        notifications.recall(rows, at: now)
        recalledShortcuts.recall(rows)
        ownShortcuts.recall(rows) { [subordinates] in subordinates.account(of: $0) }
        permittedHosts.recall(rows, at: now)
        return []
    }

    private mutating func checkNotifications() -> [Action] {
        notifications.mustCheck = true
        return []
    }

    // MARK: Launcher

    private mutating func isolationReported(_ isolation: Isolation) -> [Action] {
        self.isolation = isolation
        return []
    }

    private mutating func inputsKept(of run: RunID) -> [Action] {
        keptInputs.insert(run)
        return []
    }

    private mutating func inputsDropped(of run: RunID) -> [Action] {
        keptInputs.remove(run)
        return []
    }

    private mutating func filesRepeatable(of run: RunID) -> [Action] {
        if runs.contains(run) { repeatableFiles.insert(run) }
        return []
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
        case .unclaimed, nil: return []
        }
    }

    private mutating func launchFailed(_ slot: SlotID, _ failure: LaunchFailure, at now: Now) -> [Action] {
        // Keep the slot of a run until the run ends, because releasing the slot also invalidates the run's note.
        if case .run(let run) = slots[slot] { return withRun(run, at: now) { $0.launchFailed(failure, at: now) } }
        switch slots.removeValue(forKey: slot) {
        case .description(let app):
            if failure.isTemporary == true { return describeFailed(app, problem: failure.message, .busy, at: now) }
            let hint = "correct the settings of '\(app)', or check this host with 'intentctl doctor'"
            return describeFailed(app, problem: failure.message, hint: hint, at: now)
        case .spare(let pair):
            // Do not report the failure. The next run launches a worker, and reports the error if that launch fails
            // too.
            _ = spares[pair]?.drop(slot)  // The pool may have dropped the spare already.
            return []
        case .run, .unclaimed, nil: return []
        }
    }

    private mutating func reported(_ slot: SlotID, _ report: WorkerReport, at now: Now) -> [Action] {
        switch slots[slot] {
        case .run(let run): runReported(run, report, at: now)
        case .description(let app): descriptionReported(app, slot: slot, report)
        case .spare(let pair): spareReported(pair, slot: slot, report)
        case .unclaimed, nil: []
        }
    }

    private mutating func violated(_ slot: SlotID, message: String, at now: Now) -> [Action] {
        switch slots[slot] {
        case .run(let run): withRun(run, at: now) { $0.broken(message, at: now) }
        case .description: [.signal(slot, .kill)]
        case .spare(let pair): killSpare(pair, slot)
        case .unclaimed, nil: []
        }
    }

    private mutating func ended(
        _ slot: SlotID,
        _ end: SlotEnd,
        lastLine: String?,
        at now: Now
    ) -> [Action] {
        switch slots[slot] {
        case .run(let run):
            runs[run]?.slotEnd = end
            return withRun(run, at: now) { $0.processesEnded(end, at: now) }
        case .description(let app):
            slots[slot] = nil
            return [.release(slot)] + descriptionEnded(app, end, lastLine: lastLine, at: now)
        case .spare(let pair):
            slots[slot] = nil
            _ = spares[pair]?.drop(slot)  // The pool may have dropped the spare already.
            return [.release(slot)]
        case .unclaimed, nil:
            slots[slot] = nil
            return [.release(slot)]
        }
    }

    // MARK: Stopping

    private mutating func launcherLost(at now: Now) -> [Action] {
        isStopping = true
        // Remove the spares before any run ends. Otherwise, the end of an app's last run would launch more spares.
        var actions = forgetSpares()
        for run in runs.keys.sorted(by: { $0.text < $1.text }) {
            // Leave queued runs to the next intentd, because they do not need a launcher yet.
            actions += leaveForNext(run, includesAttached: true) ?? withRun(run, at: now) { $0.launcherLost(at: now) }
        }
        for app in apps.keys.sorted() {
            actions +=
                succession == .adopts
                ? dropRequests(waitingFor: app)
                : describeFailed(app, problem: "the launcher exited", hint: "try again in a moment", at: now)
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
