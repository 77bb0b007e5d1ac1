package import IntentWire

/// A run that an earlier `intentd` left unfinished, with all that is known of it.
package struct LeftRun: Sendable, Equatable {
    package var run: RunID
    package var accepted: AcceptedRun
    /// On the clocks of today.
    package var acceptedAt: Now
    package var app: AppLookup
    package var record: Record
    /// The reason for which it was told to stop, or was to be told.
    package var stopReason: CancellationReason?
    /// What somebody answered last. Its worker may not have heard of it.
    package var lastAnswer: RecordedAnswer?
    /// What no record has of it.
    package var remainder: RunRemainder?
    /// What was noted of it, where its launcher is the one of today.
    package var note: RunNote?
    /// Its worker, where one is left at the launcher.
    package var worker: Worker?

    /// How far it is on record.
    package enum Record: Sendable, Equatable {
        case queued
        /// It has a worker, or was to get one.
        case begun
        /// Its outcome is decided.
        case ended(RunEnd)
    }

    package struct Worker: Sendable, Equatable {
        package var slot: SlotID
        package var isolation: Isolation

        package init(slot: SlotID, isolation: Isolation) {
            self.slot = slot
            self.isolation = isolation
        }
    }

    package init(
        run: RunID,
        accepted: AcceptedRun,
        acceptedAt: Now,
        app: AppLookup,
        record: Record,
        stopReason: CancellationReason? = nil,
        lastAnswer: RecordedAnswer? = nil,
        remainder: RunRemainder? = nil,
        note: RunNote? = nil,
        worker: Worker? = nil
    ) {
        self.run = run
        self.accepted = accepted
        self.acceptedAt = acceptedAt
        self.app = app
        self.record = record
        self.stopReason = stopReason
        self.lastAnswer = lastAnswer
        self.remainder = remainder
        self.note = note
        self.worker = worker
    }
}

/// Runs that outlive an `intentd`.
extension RunTable {
    /// How long a client may take to come back to its run.
    private static let ownerPatience: Duration = .seconds(30)
    /// A run may end the `intentd` that takes it up by a fault once; a second one is one too many.
    private static let failedAdoptionLimit = 2 * RunNote.faultWeight

    /// Notes where a run stands, if that is another place than before.
    mutating func takeNote(of id: RunID) -> RunNote? {
        guard succession == .adopts, let place = runs.index(forKey: id) else { return nil }
        return runs.values[place].takeNote()
    }

    mutating func tookOver(lastSlot: UInt64, _ strangers: [SlotID]) -> [Action] {
        self.lastSlot = max(self.lastSlot, lastSlot)
        // Spare workers, descriptions, and whatever nobody was told of.
        for slot in strangers { slots[slot] = .stranger }
        return strangers.map { .signal($0, .kill) }
    }

    mutating func found(_ left: LeftRun, after absence: Duration, at now: Now) -> [Action] {
        switch left.record {
        case .queued: return takeUpQueued(left, after: absence, at: now)
        case .ended(let end):
            guard left.worker != nil else { return close(left, end.account) }
            let machine = RunStateMachine(
                ended: end.account,
                limits: left.accepted.limits,
                traits: left.accepted.traits
            )
            return takeUp(left, machine, outcome: end.outcome, after: absence, at: now)
        case .begun:
            guard let note = left.note else {
                return lose(left, "its launcher ended, and its worker with it", at: now)
            }
            guard left.worker != nil else {
                // What the launcher has once made it keeps: this one it never made.
                if note.phase == .starting { return takeUpQueued(left, after: absence, at: now) }
                if let outcome = note.outcome { return end(left, outcome, at: now) }
                return lose(left, "its worker is gone", at: now)
            }
            // What ends one intentd after the other may be the note itself.
            let isGivenUp = note.failedAdoptions >= Self.failedAdoptionLimit
            let machine = RunStateMachine(
                isGivenUp ? RunNote(run: note.run, slot: note.slot, phase: .starting) : note,
                limits: left.accepted.limits,
                traits: left.accepted.query == nil ? left.accepted.traits : [],
                after: absence,
                at: now
            )
            return takeUp(left, machine, outcome: nil, after: absence, at: now)
        }
    }

    /// The worker of a run that was taken up says where it stands.
    mutating func standingReported(_ id: RunID, _ standing: WorkerStanding, at now: Now) -> [Action] {
        guard let run = runs[id] else { return [] }
        // An answer to one that came before, left over where the worker ended.
        if standing.number < UInt64(run.adoptionCount) { return [] }
        runs[id]?.failedAdoptions = 0
        if !standing.hasBegun, run.machine.visibleState == .starting, let missing = missing(for: run) {
            return withRun(id, at: now) { $0.abandon(missing) }
        }
        return withRun(id, at: now) { $0.standingReported(standing, at: now) }
    }

    /// Somebody asks for a run of his, or comes back to it.
    mutating func ownerCame(_ client: ClientID, to id: RunID) {
        guard let run = runs[id] else { return }
        if !run.owners.contains(client) { runs[id]?.owners.append(client) }
        admission.release(id)
    }

    mutating func ownerStayedAway(_ id: RunID, at now: Now) -> [Action] {
        guard let run = runs[id], run.owners.isEmpty else { return [] }
        return withRun(id, at: now) { $0.cancel(.clientDisconnected, at: now) }
    }

    /// A run that waits for a place when `intentd` stops waits on for the next one; nil where it cannot.
    ///
    /// - Parameter andItsOwner: Also one that is wanted only while somebody is there: he comes back, as the next one comes
    ///   at once. Else he hears of the stop.
    mutating func leaveForNext(_ id: RunID, andItsOwner: Bool = false) -> [Action]? {
        guard succession == .adopts, let run = runs[id], run.machine.visibleState == .queued, missing(for: run) == nil,
            !run.isOffRecord, andItsOwner || run.onDisconnect == .continue
        else { return nil }
        runs[id] = nil
        admission.leave(id)
        keptInputs.remove(id)
        forgetRequest(OwnedRequest(user: run.owner, request: run.request), of: id)
        return [.disarmTimer(.run(id)), .handOver(id)]
    }

    // MARK: Private

    /// What the record does not have, and a worker would need; nil when it can be started.
    private func missing(for run: Run) -> String? {
        if run.fileCount > 0, !keptInputs.contains(run.id) { return "its files went with that" }
        if !run.secretNames.allSatisfy({ run.values[$0] != nil })
            || !run.secretNames.isEmpty && !keptInputs.contains(run.id)
        {
            return "its secret values (\(run.secretNames.joined(separator: ", "))) are on nobody's record"
        }
        return run.query == nil ? nil : "nobody waits for its options any more"
    }

    private mutating func takeUpQueued(_ left: LeftRun, after absence: Duration, at now: Now) -> [Action] {
        guard case .found(let app) = left.app else {
            return end(left, .notStarted(message: "there is no app '\(left.accepted.app)' any more"), at: now)
        }
        if let reason = left.stopReason { return end(left, .cancelled(reason), at: now) }
        let machine = RunStateMachine(
            limits: left.accepted.limits,
            traits: left.accepted.query == nil ? left.accepted.traits : []
        )
        let run = Run(left, app: app, machine)
        if let missing = missing(for: run) { return lose(left, missing, at: now) }
        // The worker that it was to get is for nobody, now that it waits again; and then its note holds no more.
        var again: [Action] = []
        if let note = left.note {
            again = record(.state(.queued, reason: nil, slot: nil), of: run) + [.release(note.slot)]
        }
        let predecessor = left.accepted.retryOf.flatMap { runs[$0]?.owner == run.owner ? $0 : nil }
        register(run)
        admission.join(
            AdmissionQueue.Ticket(run: run.id, user: run.owner, app: app.name, predecessor: predecessor),
            appLimit: app.runCountMax
        )
        // Nobody may be there any more who wants it: it begins when he comes back to it.
        if run.onDisconnect == .cancel { admission.hold(run.id) }
        let end = left.acceptedAt.monotonic + left.accepted.limits.queueTimeout + absence
        // With what began already its time is over with its place.
        let timer = left.record == .queued ? end : now.monotonic + left.accepted.limits.queueTimeout
        return again + waitForOwner(of: run, at: now) + takenUp(run, "waits for a place")
            + arm(run.id, at: .monotonic(timer))
    }

    private mutating func takeUp(
        _ left: LeftRun,
        _ machine: RunStateMachine,
        outcome: RunOutcome?,
        after absence: Duration,
        at now: Now
    ) -> [Action] {
        guard let worker = left.worker else { return [] }
        var run = Run(left, app: left.installedApp, machine)
        run.machine.account.isolation = worker.isolation.grade
        run.slot = worker.slot
        run.outcome = outcome
        run.answerOnRecord = left.lastAnswer
        run.adoptionCount = (left.note?.adoptionCount ?? 0) &+ 1
        run.failedAdoptions = left.note?.failedAdoptions ?? 0
        // Each `intentd` has a block of its own: no serial is ever given twice.
        run.lastSerial = UInt64(run.adoptionCount) << 32
        register(run)
        slots[worker.slot] = .run(run.id)
        admission.takeUp(
            AdmissionQueue.Ticket(run: run.id, user: run.owner, app: run.app.name),
            appLimit: run.app.runCountMax
        )
        var timer: Now.Monotonic?
        if case .monotonic(let instant)? = left.note?.timer { timer = instant + absence }
        if run.failedAdoptions >= Self.failedAdoptionLimit, outcome == nil {
            let message = "taking it up ended intentd again and again"
            return takenUp(run, "is given up: \(message)") + withRun(run.id, at: now) { $0.abandon(message) }
        }
        guard outcome == nil else {
            return takenUp(run, "has ended already") + withRun(run.id, at: now) { $0.adopted(timer: timer, at: now) }
        }
        var actions = takenUp(run, "goes on") + withRun(run.id, at: now) { $0.adopted(timer: timer, at: now) }
        if let state = runs[run.id]?.machine.visibleState {
            actions += publish(.state(state, reason: run.machine.stopReason), of: run.id)
        }
        if let reason = left.stopReason { actions += withRun(run.id, at: now) { $0.cancel(reason, at: now) } }
        return actions + waitForOwner(of: run, at: now)
    }

    private mutating func register(_ run: Run) {
        runs[run.id] = run
        requests[OwnedRequest(user: run.owner, request: run.request)] = run.id
    }

    private func waitForOwner(of run: Run, at now: Now) -> [Action] {
        guard run.onDisconnect == .cancel else { return [] }
        return [.armTimer(.owner(run.id), at: .monotonic(now.monotonic + Self.ownerPatience))]
    }

    private func takenUp(_ run: Run, _ text: String) -> [Action] {
        [.log(RunLine(.takenUp("it \(text)"), of: run))]
    }

    private mutating func lose(_ left: LeftRun, _ message: String, at now: Now) -> [Action] {
        let words =
            left.record == .queued
            ? "intentd ended before its turn came, and \(message)" : "intentd ended while it was under way: \(message)"
        return end(left, .lost(message: words), at: now)
    }

    /// It ends without having been taken up.
    private mutating func end(_ left: LeftRun, _ outcome: RunOutcome, at now: Now) -> [Action] {
        var run = Run(left, app: left.installedApp, RunStateMachine(limits: left.accepted.limits, traits: []))
        run.lastSerial = UInt64((left.note?.adoptionCount ?? 0) &+ 1) << 32
        register(run)
        var actions = withRun(run.id, at: now) { $0.end(outcome, at: now) }
        if let worker = left.worker {
            slots[worker.slot] = .stranger
            actions.append(.signal(worker.slot, .kill))
        } else if let note = left.note {
            actions.append(.release(note.slot))
        }
        return actions
    }

    /// Its end is on record, and nothing of it is left but that.
    private func close(_ left: LeftRun, _ account: RunAccount) -> [Action] {
        [.record(RunRecord(left.run, .exited(WorkerExit(account: account))))]
    }
}

extension RunTable.Run {
    /// Where it stands, if that is another place than was noted before.
    fileprivate mutating func takeNote() -> RunNote? {
        guard !isOffRecord, let slot, var note = machine.note(of: id, in: slot) else { return nil }
        note.timer = timer
        note.adoptionCount = adoptionCount
        note.failedAdoptions = failedAdoptions
        guard note != self.note else { return nil }
        self.note = note
        return note
    }

    /// A run as it is on record, of which nobody has heard in this `intentd`.
    fileprivate init(_ left: LeftRun, app: InstalledApp, _ machine: RunStateMachine) {
        let accepted = left.accepted
        let wish = RunTable.Wish(
            request: accepted.request,
            caller: accepted.caller,
            app: app,
            intent: IntentDeclaration(name: accepted.intent, title: accepted.intent, traits: accepted.traits),
            isDeclared: false,
            values: accepted.values.merging(left.remainder?.secrets ?? [:]) { recorded, _ in recorded },
            secretNames: accepted.secretNames,
            fileCount: accepted.fileCount,
            onDisconnect: accepted.onDisconnect,
            locale: accepted.locale,
            traceparent: accepted.traceparent,
            // What was asked beside the parameter is on no record: such a run is not started anew.
            query: accepted.query.map { OptionsQuery(parameter: $0) },
            acceptedAt: left.acceptedAt
        )
        let owner = accepted.caller.caller
        self.init(id: left.run, owner: owner, wish: wish, answers: left.remainder?.answers, machine: machine)
    }
}

extension LeftRun {
    /// Its app as it is now; where there is none any more, or its files are broken, what its runs need of it.
    ///
    /// No rule is known then: only an operator may confirm what the run does.
    fileprivate var installedApp: InstalledApp {
        if case .found(let app) = app { return app }
        return InstalledApp(
            name: accepted.app,
            executable: "",
            fingerprint: InstalledApp.Fingerprint(device: 0, inode: 0, byteCount: 0, modifiedNanoseconds: 0),
            limits: accepted.limits,
            access: .only(users: [], groups: []),
            confirm: .members(of: [])
        )
    }
}
