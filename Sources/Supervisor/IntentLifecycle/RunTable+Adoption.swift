package import IntentLauncherMessages

/// An unfinished run of an earlier `intentd`, with its record and its unrecorded state.
package struct FoundRun: Sendable, Equatable {
    package var record: UnfinishedRun
    package var app: AppLookup
    /// The values and answers that are not recorded.
    package var remainder: RunRemainder?
    /// The run's note; nil if the launcher that held it has exited.
    package var note: RunNote?
    /// The run's worker; nil if the launcher has no worker for the run.
    package var worker: Worker?

    package struct Worker: Sendable, Equatable {
        package var slot: SlotID
        package var isolation: Isolation

        package init(slot: SlotID, isolation: Isolation) {
            self.slot = slot
            self.isolation = isolation
        }
    }

    package init(
        _ record: UnfinishedRun,
        app: AppLookup,
        remainder: RunRemainder? = nil,
        note: RunNote? = nil,
        worker: Worker? = nil
    ) {
        self.record = record
        self.app = app
        self.remainder = remainder
        self.note = note
        self.worker = worker
    }
}

/// Adoption: a new `intentd` takes over the runs of the previous `intentd`.
extension RunTable {
    /// The time that the owner of an attached run has to reconnect.
    private static let ownerPatience: Duration = .seconds(30)
    /// The number of failed adoptions after which a run is abandoned. A crash of intentd during the adoption counts as
    /// ``RunNote/faultWeight`` failed adoptions, so two crashes suffice.
    private static let failedAdoptionLimit = 2 * RunNote.faultWeight

    /// Returns the note of a run, or nil if it has not changed since the last call.
    mutating func changedNote(of id: RunID) -> RunNote? {
        guard succession == .adopts, let index = runs.index(forKey: id) else { return nil }
        return runs[at: index].changedNote()
    }

    mutating func tookOver(lastSlot: UInt64, _ unclaimed: [SlotID]) -> [Action] {
        self.lastSlot = max(self.lastSlot, lastSlot)
        // Unclaimed slots belong to spares, to workers that describe intents, and to workers with no recorded run that
        // has a matching note.
        for slot in unclaimed { slots[slot] = .unclaimed }
        return unclaimed.map { .signal($0, .kill) }
    }

    mutating func found(_ found: FoundRun, after absence: Duration, at now: Now) -> [Action] {
        let accepted = found.record.accepted
        if found.record.end == nil, !found.record.awaitsApproval,
            let (stored, notes) = recalledShortcuts.remove(found.record.run)
        {
            var found = found
            found.app = stored.app(of: found)
            var run = Run(
                found,
                app: found.installedApp,
                RunStateMachine(limits: accepted.limits, traits: accepted.traits),
                at: now
            )
            run.answerOnRecord = found.record.lastAnswer
            // No note counts the supervisors, so the time distinguishes their serial numbers.
            run.lastSerial = UInt64(clamping: now.wall / 1_000_000_000) << 20
            register(run)
            return logAdoption(of: run, "continues")
                + continueShortcut(run, stored, notes, stopReason: found.record.stopReason, at: now)
                + waitForOwner(of: run, at: now)
        }
        if found.record.end == nil, found.record.awaitsApproval,
            let (stored, notes) = recalledShortcuts.remove(found.record.run)
        {
            var found = found
            found.app = stored.app(of: found)
            let actions = adoptQueued(found, after: absence, at: now)
            if let run = runs[found.record.run] { restore(run, stored, notes) }
            return actions
        }
        if let end = found.record.end {
            guard found.worker != nil else { return recordExit(of: found, end.account) }
            let machine = RunStateMachine(ended: end.account, limits: accepted.limits, traits: accepted.traits)
            return adopt(found, machine, outcome: end.outcome, after: absence, at: now)
        }
        // A run of an agent that is asking a question but has no slot is waiting for approval.
        let isAwaitingApproval =
            found.record.state == .asking && found.record.slot == nil && accepted.needsApproval == true
        if found.record.state == .queued || isAwaitingApproval { return adoptQueued(found, after: absence, at: now) }
        guard let note = found.note else {
            return lose(found, "the launcher exited, which killed the run's worker", at: now)
        }
        guard found.worker != nil else {
            // The launcher reports every worker that it launched. Without a report, no worker was launched for this
            // run, so return the run to the backlog.
            if note.phase == .starting { return adoptQueued(found, after: absence, at: now) }
            if let outcome = note.outcome { return end(found, outcome, at: now) }
            return lose(found, "its worker has exited", at: now)
        }
        // Ignore the note of an abandoned run, because the note itself may have caused the crashes.
        let isAbandoned = note.failedAdoptions >= Self.failedAdoptionLimit
        let machine = RunStateMachine(
            isAbandoned ? RunNote(run: note.run, slot: note.slot, phase: .starting) : note,
            limits: accepted.limits,
            traits: accepted.query == nil ? accepted.traits : [],
            after: absence,
            at: now
        )
        return adopt(found, machine, outcome: nil, after: absence, at: now)
    }

    /// Handles the state that the worker of an adopted run reports.
    mutating func workerResumed(_ id: RunID, _ state: WorkerState, at now: Now) -> [Action] {
        guard let run = runs[id] else { return [] }
        // Ignore a report that answers the `resume` command of an earlier intentd, which exited before it read the
        // report.
        if state.number < UInt64(run.adoptionCount) { return [] }
        runs[id]?.failedAdoptions = 0
        if !state.hasBegun, run.machine.visibleState == .starting, let missing = missing(for: run) {
            return withRun(id, at: now) { $0.abandon(missing) }
        }
        return withRun(id, at: now) { $0.workerResumed(state, at: now) }
    }

    /// Makes a client that repeated the request, or reconnected, an owner of the run again.
    mutating func ownerReconnected(_ client: ClientID, to id: RunID) {
        guard let run = runs[id] else { return }
        if !run.owners.contains(client) { runs[id]?.owners.append(client) }
        admission.release(id)
    }

    mutating func ownerReconnectionTimedOut(_ id: RunID, at now: Now) -> [Action] {
        guard let run = runs[id], run.owners.isEmpty else { return [] }
        return withRun(id, at: now) { $0.cancel(.clientDisconnected, at: now) }
    }

    /// Leaves a run to the next `intentd`, if the run has not started. Returns nil if the next `intentd` cannot adopt
    /// it.
    ///
    /// - Parameter includesAttached: True to leave attached runs as well, because the next `intentd` starts immediately
    ///   and their owners reconnect to it. Otherwise an attached run is cancelled, and its owner receives that outcome.
    mutating func leaveForNext(_ id: RunID, includesAttached: Bool = false) -> [Action]? {
        guard succession == .adopts, let run = runs[id], !run.isOffRecord else { return nil }
        let isShortcut = removeShortcut(of: run) != nil
        // The end of a service is no failure of a shortcut.
        guard
            isShortcut
                || (run.machine.visibleState == .queued || run.machine.isAwaitingApproval) && missing(for: run) == nil
                    && (includesAttached || run.onDisconnect == .continue)
        else { return nil }
        runs[id] = nil
        admission.leave(id)
        keptInputs.remove(id)
        forgetRequest(OwnedRequest(requester: run.requester, request: run.request), of: id)
        return [.disarmTimer(.run(id)), .handOver(id)]
    }

    // MARK: Private

    /// Returns a message about input that is needed to start the run again, but is neither on record nor kept by the
    /// launcher. Returns nil if the run can be started again.
    private func missing(for run: Run) -> String? {
        if run.fileCount > 0, !keptInputs.contains(run.id) { return "its input files were lost" }
        if !run.secretNames.allSatisfy({ run.values.byName[$0] != nil })
            || !run.secretNames.isEmpty && !keptInputs.contains(run.id)
        {
            return "its secret values (\(run.secretNames.joined(separator: ", "))) are not recorded"
        }
        return run.query == nil ? nil : "no client waits for its options"
    }

    private mutating func adoptQueued(_ found: FoundRun, after absence: Duration, at now: Now) -> [Action] {
        let record = found.record
        let accepted = record.accepted
        guard case .found(let app) = found.app else {
            return end(found, .notStarted(message: "app '\(accepted.app)' is no longer installed"), at: now)
        }
        if let reason = record.stopReason { return end(found, .cancelled(reason), at: now) }
        let machine = RunStateMachine(limits: accepted.limits, traits: accepted.query == nil ? accepted.traits : [])
        let run = Run(found, app: app, machine, at: now)
        if let missing = missing(for: run) { return lose(found, missing, at: now) }
        // The operator may have changed the settings meanwhile. The intent's own details are not known yet.
        if let refusal = refusal(ofUserOf: run, run.intent, of: app) {
            return end(found, .notStarted(message: refusal.message), at: now)
        }
        // The run returns to the backlog, so release its slot. Releasing the slot also invalidates the run's note.
        var released: [Action] = []
        if let note = found.note {
            released = self.record(.state(.queued, reason: nil, slot: nil), of: run) + [.release(note.slot, run.id)]
        }
        register(run)
        if record.awaitsApproval {
            let question = approvalQuestion(for: run)
            return released + waitForOwner(of: run, at: now) + logAdoption(of: run, "waits for its approval")
                + withRun(run.id, at: now) { $0.accepted(awaiting: question, at: now) }
                + publishQuestion(of: run.id, at: now)
        }
        admission.join(
            ticket(for: run, predecessor: predecessor(of: run)),
            appLimit: app.runCountMax
        )
        // The client may never reconnect, so the run must not be admitted before the client reconnects.
        if run.onDisconnect == .cancel { admission.hold(run.id) }
        // A run that already had a slot was not waiting in the backlog, so its queue timeout starts again.
        let end =
            record.state == .queued
            ? run.acceptedAt.monotonic + accepted.limits.queueTimeout + absence
            : now.monotonic + accepted.limits.queueTimeout
        return released + waitForOwner(of: run, at: now) + logAdoption(of: run, "waits in the backlog")
            + arm(run.id, at: .monotonic(end))
    }

    private mutating func adopt(
        _ found: FoundRun,
        _ machine: RunStateMachine,
        outcome: RunOutcome?,
        after absence: Duration,
        at now: Now
    ) -> [Action] {
        guard let worker = found.worker else { return [] }
        var run = Run(found, app: found.installedApp, machine, at: now)
        run.machine.account.isolation = worker.isolation.grade
        run.slot = worker.slot
        run.outcome = outcome
        run.answerOnRecord = found.record.lastAnswer
        run.adoptionCount = (found.note?.adoptionCount ?? 0) &+ 1
        run.failedAdoptions = found.note?.failedAdoptions ?? 0
        // Each intentd has its own range of serial numbers, so that no serial is used twice.
        run.lastSerial = UInt64(run.adoptionCount) << 32
        register(run)
        slots[worker.slot] = .run(run.id)
        admission.adopt(
            ticket(for: run),
            appLimit: run.app.runCountMax
        )
        var timer: Now.Monotonic?
        if case .monotonic(let instant)? = found.note?.timer { timer = instant + absence }
        if run.failedAdoptions >= Self.failedAdoptionLimit, outcome == nil {
            let message = "adopting it crashed intentd repeatedly"
            return logAdoption(of: run, "is abandoned: \(message)") + withRun(run.id, at: now) { $0.abandon(message) }
        }
        guard outcome == nil else {
            return logAdoption(of: run, "has ended already")
                + withRun(run.id, at: now) { $0.adopted(timer: timer, at: now) }
        }
        var actions =
            logAdoption(of: run, "continues") + withRun(run.id, at: now) { $0.adopted(timer: timer, at: now) }
        if let state = runs[run.id]?.machine.visibleState {
            actions += publish(.state(state, reason: run.machine.stopReason), of: run.id)
        }
        if let reason = found.record.stopReason { actions += withRun(run.id, at: now) { $0.cancel(reason, at: now) } }
        return actions + waitForOwner(of: run, at: now)
    }

    /// Returns the live run that an adopted run retries.
    func predecessor(of run: Run) -> RunID? {
        run.accepted.retryOf.flatMap { has($0, of: run.requester) ? $0 : nil }
    }

    /// Returns the run's ticket for the backlog, with claims computed from the run's values. A claim on a parameter
    /// without a value is unknown until the app has described its intents, because the default is unknown.
    func ticket(for run: Run, predecessor: RunID? = nil) -> AdmissionQueue.Ticket {
        var ticket = AdmissionQueue.Ticket(
            run: run.id,
            user: run.owner,
            account: account(of: run.owner),
            app: run.app.name
        )
        ticket.predecessor = predecessor
        if run.query == nil {
            ticket.claims = run.app.claims(of: run.intent, with: run.values.byName, of: run.owner, isDeclared: false)
        }
        ticket.priority = run.app.priority(of: run.intent)
        return ticket
    }

    private mutating func register(_ run: Run) {
        runs[run.id] = run
        requests[OwnedRequest(requester: run.requester, request: run.request)] = run.id
    }

    private func waitForOwner(of run: Run, at now: Now) -> [Action] {
        guard run.onDisconnect == .cancel else { return [] }
        return [.armTimer(.owner(run.id), at: .monotonic(now.monotonic + Self.ownerPatience))]
    }

    private func logAdoption(of run: Run, _ text: String) -> [Action] {
        [.log(RunLine(.adopted("it \(text)"), of: run))]
    }

    private mutating func lose(_ found: FoundRun, _ message: String, at now: Now) -> [Action] {
        let moment = found.record.state == .queued ? "before the run was started" : "during the run"
        return end(found, .lost(message: "intentd exited \(moment): \(message)"), at: now)
    }

    /// Ends a run that cannot be adopted.
    private mutating func end(_ found: FoundRun, _ outcome: RunOutcome, at now: Now) -> [Action] {
        var machine = RunStateMachine(limits: found.record.accepted.limits, traits: [])
        // Keep the start time, so that the run's duration can be computed.
        machine.processStart = found.note?.processStart
        var run = Run(found, app: found.installedApp, machine, at: now)
        run.lastSerial = UInt64((found.note?.adoptionCount ?? 0) &+ 1) << 32
        register(run)
        var actions = withRun(run.id, at: now) { $0.end(outcome, at: now) }
        if let worker = found.worker {
            slots[worker.slot] = .unclaimed
            actions.append(.signal(worker.slot, .kill))
        } else if let note = found.note {
            actions.append(.release(note.slot, run.id))
        }
        return actions
    }

    /// Completes the record of a run that has a recorded end but no recorded exit.
    private func recordExit(of found: FoundRun, _ account: RunAccount) -> [Action] {
        [.record(RunRecord(found.record.run, .exited(WorkerExit(account: account))))]
    }
}

extension RunTable.Run {
    /// Returns the run's note, or nil if it has not changed since the last call.
    fileprivate mutating func changedNote() -> RunNote? {
        guard !isOffRecord, let slot, var note = machine.note(of: id, in: slot) else { return nil }
        note.timer = timer
        note.adoptionCount = adoptionCount
        note.failedAdoptions = failedAdoptions
        guard note != self.note else { return nil }
        self.note = note
        return note
    }

    /// Restores a run from its record.
    fileprivate init(_ found: FoundRun, app: InstalledApp, _ machine: RunStateMachine, at now: Now) {
        let record = found.record
        let accepted = record.accepted
        let secrets = found.remainder?.secrets ?? [:]
        let acceptance = RunTable.Acceptance(
            record: accepted,
            app: Shared(app),
            intent: IntentDeclaration(name: accepted.intent, title: accepted.intent, traits: accepted.traits),
            isDeclared: false,
            values: secrets.isEmpty
                ? accepted.values : RunValues(accepted.values.byName.merging(secrets) { recorded, _ in recorded }),
            // The record contains only the parameter of a query, so a run with a query cannot be started again.
            query: accepted.query.map { OptionsQuery(parameter: $0) },
            time: record.isOfThisBoot
                ? Now(
                    monotonic: Now.Monotonic(nanoseconds: record.acceptedMonotonic),
                    boottime: Now.Boottime(nanoseconds: record.acceptedBoottime)
                ) : now,
            files: found.remainder?.files
        )
        self.init(id: record.run, acceptance, answers: found.remainder?.answers, machine: machine)
    }
}

extension FoundRun {
    /// The installed version of the run's app, or a substitute if the app is not installed or its unit file is invalid.
    /// The substitute permits only operators to confirm, because the app's rules are unknown.
    fileprivate var installedApp: InstalledApp {
        if case .found(let app) = app { return app }
        var app = InstalledApp(
            name: record.accepted.app,
            executable: "",
            fingerprint: InstalledApp.Fingerprint(
                InstalledApp.FileVersion(device: 0, inode: 0, byteCount: 0, modifiedNanoseconds: 0)
            ),
            limits: record.accepted.limits
        )
        app.access = .only(users: [], groups: [])
        app.confirm = .members(of: [])
        return app
    }
}
