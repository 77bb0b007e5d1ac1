package import IntentLauncherMessages

/// The runs of shortcuts. They have no worker and no slot: ``ShortcutMachine`` decides what they do, and each step is a
/// run that `intentd` requests.
extension RunTable {
    /// What the supervisor does for a shortcut.
    package enum ShortcutTask: Equatable, Sendable {
        case request(StepRequest)
        /// Ask the history for the steps of this run.
        case recall(of: RunID)
        /// Report the end of this live run, which an earlier `intentd` requested.
        case follow(key: String, RunID)
        /// Store these files as the files of the result.
        case collect(SlotID, [FileSource])
        /// Return this input as an event, once the other actions of its event are performed.
        case deliver(ShortcutInput)
    }

    /// What a worker would receive.
    package enum ShortcutInput: Equatable, Sendable {
        case cancelled(CancellationReason)
        case answered(IntentValue)
        /// The question remains without an answer.
        case unanswered
    }

    /// What the supervisor reports to a shortcut.
    package enum StepEvent: Equatable, Sendable {
        case accepted(key: String, RunID)
        case refused(key: String, message: String)
        /// The request was refused because a limit is reached. The request is repeated after a pause.
        case busy(StepRequest, after: Duration)
        indirect case ended(key: String, RunEnd, app: String)
        /// The steps are nil if the history cannot be read.
        case recalled([RecordedStep]?)
        case delivered(ShortcutInput)
    }

    // MARK: Beginning

    /// Returns the reason why a shortcut cannot be performed, or nil.
    func refusal(ofShortcut app: InstalledApp, as step: StepKey?, of user: Caller) -> ErrorReport? {
        guard app.shortcut != nil else {
            guard let step, let live = shortcuts[step.shortcut] else { return nil }
            return live.machine.isStopped
                ? ErrorReport(.stopping, "the shortcut's run \(step.shortcut) is ending") : nil
        }
        let chain = chain(of: step)
        if chain.contains(app.name) {
            let path = (chain + [app.name]).map(\.text).joined(separator: " → ")
            return ErrorReport(.badRequest, "a shortcut performs itself: \(path)", hint: "remove a step with Shortcut=")
        }
        if chain.count >= ShortcutPlan.depthLimit {
            let message = "more than \(ShortcutPlan.depthLimit) shortcuts perform each other"
            return ErrorReport(.badRequest, message, hint: "merge some of them")
        }
        let account = account(of: user)
        guard shortcutPool.hasRoom(for: account, limit: capacity.shortcutCount) else {
            return ErrorReport(
                .busy,
                "\(shortcutPool[account]) runs of your shortcuts are live, which is one user's full share of \(capacity.shortcutCount)",
                hint: "try again when one of them has ended"
            )
        }
        return nil
    }

    private func chain(of step: StepKey?) -> [AppName] { step.flatMap { shortcuts[$0.shortcut]?.chain } ?? [] }

    /// Stores the plan of a run. This action precedes the record of the run.
    mutating func storePlan(of run: Run, as step: StepKey?) -> [Action] {
        guard let shortcut = run.app.shortcut, run.query == nil else { return [] }
        let machine = ShortcutMachine(
            shortcut.plan,
            run: run.id,
            values: run.values.byName,
            undoing: run.accepted.key.flatMap(UndoKey.init)?.run
        )
        let live = LiveShortcut(machine: machine, chain: chain(of: step) + [run.app.name])
        add(live, run)
        let stored = StoredShortcut(shortcut, chain: live.chain)
        return [store(StoredShortcut.name(of: run.id), String(foreign: WireCoding.encode(stored)), of: run.id)]
    }

    /// Stores what the recorded runs do not contain.
    func storeNotes(of id: RunID) -> [Action] {
        guard let notes = shortcuts[id]?.machine.notes else { return [] }
        return [store(StoredShortcut.notesName(of: id), String(foreign: WireCoding.encode(notes)), of: id)]
    }

    /// Stores a row. Later actions of the run wait until the row is safe.
    private func store(_ name: String, _ value: String, of run: RunID) -> Action {
        .record(RunRecord(run, .stored(name: name, value: value)))
    }

    /// Begins an accepted run of a shortcut. It joins no backlog.
    mutating func beginShortcut(_ id: RunID, at now: Now) -> [Action] {
        let started = withRun(id, at: now) { $0.conducted(at: now) }
        guard let undoes = shortcuts[id]?.machine.undoes else {
            return started + conduct(id, at: now) { $0.begin(with: [], at: now.wall) }
        }
        return started + [.conduct(id, .recall(of: undoes))]
    }

    /// Continues a run of an earlier `intentd`. The steps that have ended are taken from the history.
    mutating func continueShortcut(
        _ run: Run,
        _ stored: StoredShortcut,
        _ notes: ShortcutMachine.ShortcutNotes,
        stopReason: CancellationReason?,
        at now: Now
    ) -> [Action] {
        restore(run, stored, notes)
        var actions = withRun(run.id, at: now) { $0.conducted(at: now) }
        if let stopReason { actions += withRun(run.id, at: now) { $0.cancel(stopReason, at: now) } }
        return actions + [.conduct(run.id, .recall(of: shortcuts[run.id]?.machine.undoes ?? run.id))]
    }

    mutating func restore(_ run: Run, _ stored: StoredShortcut, _ notes: ShortcutMachine.ShortcutNotes) {
        let machine = ShortcutMachine(
            stored.plan.plan,
            run: run.id,
            values: run.values.byName,
            undoing: run.accepted.key.flatMap(UndoKey.init)?.run,
            notes: notes
        )
        add(LiveShortcut(machine: machine, chain: stored.chain), run)
    }

    private mutating func add(_ live: LiveShortcut, _ run: Run) {
        shortcuts[run.id] = live
        shortcutPool.add(account(of: run.owner))
    }

    /// Removes the shortcut of a run. Returns nil for the run of an app.
    mutating func removeShortcut(of run: Run) -> LiveShortcut? {
        guard let live = shortcuts.removeValue(forKey: run.id) else { return nil }
        shortcutPool.remove(account(of: run.owner))
        return live
    }

    /// Removes what is stored of shortcuts that are not live.
    mutating func dropRecalledShortcuts() -> [Action] {
        let runs = recalledShortcuts.stored.keys.sorted { $0.text < $1.text }
        for run in runs { _ = recalledShortcuts.remove(run) }
        return runs.flatMap { dropStored($0) }
    }

    private func dropStored(_ run: RunID) -> [Action] {
        // No later action of the run must wait for these records, so they belong to no run.
        [StoredShortcut.notesName(of: run), StoredShortcut.name(of: run)].map { name in
            .record(RunRecord(RunID(randomBits: 0), .stored(name: name, value: nil)))
        }
    }

    // MARK: Events

    mutating func stepReported(_ id: RunID, _ event: StepEvent, at now: Now) -> [Action] {
        switch event {
        case .accepted(let key, let run):
            guard shortcuts.contains(id) else { return [] }
            shortcuts[id]?.runs[key] = run
            if runs.contains(run) { shortcutOfRun[run] = id }
            guard let reason = shortcuts[id]?.cancelled[key] else { return [] }
            return withRun(run, at: now) { $0.cancel(reason, at: now) }
        case .refused(let key, let message): return conduct(id, at: now) { $0.runRefused(key, message, at: now.wall) }
        case .busy(let request, let pause):
            return conduct(id, at: now) { $0.runDelayed(request, until: now.wall + pause.nanoseconds) }
        case .ended(let key, let end, let app):
            return conduct(id, at: now) { $0.runEnded(key, end, of: app, at: now.wall) }
        case .recalled(let steps): return conduct(id, at: now) { $0.begin(with: steps, at: now.wall) }
        case .delivered(.cancelled(let reason)): return conduct(id, at: now) { $0.cancelled(reason, at: now.wall) }
        case .delivered(.answered(let value)): return conduct(id, at: now) { $0.answered(value, at: now.wall) }
        case .delivered(.unanswered): return conduct(id, at: now) { $0.unanswered(at: now.wall) }
        }
    }

    /// Continues the shortcuts that are due, and arms the timer for the next one.
    mutating func shortcutsTimedOut(at now: Now) -> [Action] {
        nextShortcutWake = nil
        let due = shortcuts.values.filter { $0.wake.map { $0 <= now.wall } == true }.map(\.machine.run).sorted {
            $0.text < $1.text
        }
        for id in due { shortcuts[id]?.wake = nil }
        var actions = due.flatMap { id in conduct(id, at: now) { $0.timePassed(at: now.wall) } }
        if let next = shortcuts.values.compactMap(\.wake).min() { actions += armShortcuts(at: next, now) }
        return actions
    }

    private mutating func armShortcuts(at wake: Int64, _ now: Now) -> [Action] {
        if let next = nextShortcutWake, next <= wake { return [] }
        nextShortcutWake = wake
        // A pause can be longer than the clock's range after a change of the clock.
        let pause = max(Duration.zero, min(.nanoseconds(wake - now.wall), .seconds(86_400)))
        return [.armTimer(.shortcuts, at: .boottime(now.boottime + pause))]
    }

    /// Handles a run that has left the table.
    mutating func shortcutVanished(_ run: Run, at now: Now) -> [Action] {
        var actions: [Action] = []
        if let live = removeShortcut(of: run) {
            if let slot = live.slot { slots[slot] = nil }
            actions += dropStored(run.id)
        }
        if let parent = shortcutOfRun.removeValue(forKey: run.id) { actions += endShortcut(parent, at: now) }
        return actions
    }

    // MARK: Actions

    private mutating func conduct(
        _ id: RunID,
        at now: Now,
        _ decide: (inout ShortcutMachine) -> [ShortcutMachine.Action]
    ) -> [Action] {
        guard let index = shortcuts.index(forKey: id) else { return [] }
        let decided = decide(&shortcuts[at: index].machine)
        var actions = shortcuts[at: index].machine.hasCause ? endLingering(at: now) : []
        for action in decided { actions += carry(out: action, for: id, at: now) }
        guard let live = shortcuts[id], live.machine.nextWake != live.wake else { return actions }
        shortcuts[id]?.wake = live.machine.nextWake
        return actions + (live.machine.nextWake.map { armShortcuts(at: $0, now) } ?? [])
    }

    private mutating func carry(out action: ShortcutMachine.Action, for id: RunID, at now: Now) -> [Action] {
        switch action {
        case .request(let request): return [.conduct(id, .request(request))]
        case .cancel(let key, let reason):
            shortcuts[id]?.cancelled[key] = reason
            guard let run = shortcuts[id]?.runs[key] else { return [] }
            return withRun(run, at: now) { $0.cancel(reason, at: now) }
        case .follow(let key, let run):
            shortcuts[id]?.runs[key] = run
            if runs.contains(run) {
                shortcutOfRun[run] = id
                ownerReconnected(.shortcuts, to: run)
                return [.conduct(id, .follow(key: key, run))]
            }
            guard let ended = endedRuns[run] else {
                return conduct(id, at: now) { $0.runRefused(key, "its end is not recorded", at: now.wall) }
            }
            return conduct(id, at: now) { $0.runEnded(key, ended.end, of: ended.app, at: now.wall) }
        case .ask(let question): return questionAsked(id, question, at: now)
        case .report(let progress): return runReported(id, .progress(progress), at: now)
        case .store: return storeNotes(of: id)
        case .end(let end):
            shortcuts[id]?.end = end
            if let live = shortcuts[id], let owner = runs[id]?.owner { endSteps(of: live, for: owner) }
            let announced = endShortcut(id, at: now)
            // A shortcut that stopped waits for the exits.
            return announced + (shortcuts[id]?.end == nil ? endLingeringSoon(at: now) : endLingering(at: now))
        }
    }

    /// Announces the end of a shortcut. A shortcut that was stopped ends once nothing of any step is left; after a success,
    /// the workers of steps may still be exiting, as after the end of any run.
    private mutating func endShortcut(_ id: RunID, at now: Now) -> [Action] {
        guard let live = shortcuts[id], let end = live.end, let run = runs[id] else { return [] }
        // A shortcut that performs another one, and stops, waits for the workers of both.
        let isOutermost = live.chain.count == 1
        let mayHaveWorkers =
            if case .returned = end.ending { isOutermost && run.machine.stopReason == nil } else { false }
        guard mayHaveWorkers || !live.runs.values.contains(where: { runs.contains($0) }) else { return [] }
        shortcuts[id]?.end = nil
        var details = RunDetails()
        // A failure has the account in its message.
        details.supportingDialog = end.ending == .threwCancellation ? end.account : nil
        if end.isUndoable {
            details.undo = UndoOffer(
                name: run.intent.title,
                intent: IntentReference(intent: run.intent.name, values: [:])
            )
        }
        guard !end.files.isEmpty, run.machine.stopReason == nil else {
            return withRun(id, at: now) { $0.conductorEnded(end.ending, details.isEmpty ? nil : details, at: now) }
        }
        let slot = makeSlot(for: .run(id))
        shortcuts[id]?.slot = slot
        shortcutFiles[id] = end.files
        let result = WorkerResult(
            ending: end.ending,
            files: end.files.map { _ in .memory },
            details: details.isEmpty ? nil : details
        )
        return withRun(id, at: now) { $0.resultReceived(result, at: now) }
    }

    /// Performs an action of a shortcut's run, for which a worker would otherwise be responsible. Returns nil for the
    /// actions that do not concern a worker.
    mutating func carryForShortcut(_ action: RunStateMachine.Action, _ id: RunID, at now: Now) -> [Action]? {
        guard let live = shortcuts[id] else { return nil }
        switch action {
        case .launch: return []
        case .armTimer:
            // The steps have limits of their own. Only a question, and the copy of files, have a time limit.
            switch runs[id]?.machine.visibleState {
            case .asking: return nil
            case .stopping where live.slot != nil: return nil
            case .queued, .starting, .running, .stopping, .unknown, nil: return []
            }
        case .send(.perform), .send(.resume): return []
        case .send(.cancel(let reason, _)): return [.conduct(id, .deliver(.cancelled(reason)))]
        case .send(.answer(_, let value)): return [.conduct(id, .deliver(.answered(value)))]
        case .send(.refuse): return [.conduct(id, .deliver(.unanswered))]
        case .send(.acknowledge):
            return withRun(id, at: now) { $0.processesEnded(SlotEnd(processEnd: .exited(code: 0)), at: now) }
        case .signal(.terminate): return []
        case .signal(.kill):
            return withRun(id, at: now) { $0.processesEnded(SlotEnd(processEnd: .exited(code: 0)), at: now) }
        case .collect:
            guard let slot = live.slot, let files = shortcutFiles.removeValue(forKey: id) else { return [] }
            return [.conduct(id, .collect(slot, files))]
        case .discardFiles: return live.slot.map { [.discardFiles($0, id)] } ?? []
        case .disarmTimer, .publish, .conclude, .vanish: return nil
        }
    }

    // MARK: Steps

    /// Returns the values of a step's request, with the text of the file read as the types of the parameters.
    func stepValues(_ given: RunValues, of step: StepKey?, declaredBy intent: IntentDeclaration) -> RunValues {
        guard let step, let live = shortcuts[step.shortcut] else { return given }
        var values = given.byName
        for parameter in intent.parameters {
            guard case .string(let text)? = values[parameter.name],
                live.machine.isLiteral(parameter.name, of: step.step)
            else {
                if let value = values[parameter.name], case .array = parameter.type, !value.isArray {
                    values[parameter.name] = .array([value])
                }
                continue
            }
            values[parameter.name] = parameter.type.reading(text)
        }
        return values == given.byName ? given : RunValues(encoding: values)
    }

    /// Stores which parameters of a step's app are secret, unless it is stored already.
    mutating func storeSecretNames(of app: InstalledApp, _ catalog: IntentCatalog, for step: StepKey?) -> [Action] {
        guard let shortcut = step?.shortcut, let live = shortcuts[shortcut],
            app.shortcut != nil || live.described[app.name] != app.revision
        else { return [] }
        shortcuts[shortcut]?.described[app.name] = app.revision
        let names = Dictionary(catalog.intents.map { ($0.name, app.secretNames(of: $0).sorted()) }) { first, _ in first
        }
        var notes = live.machine.notes
        guard notes.secretNames.updateValue(names, forKey: app.name.text) != names else { return [] }
        shortcuts[shortcut]?.machine.notes = notes
        return storeNotes(of: shortcut)
    }

    /// Returns the stored secret parameters of an intent of a step's app; nil if they are unknown.
    func storedSecretNames(of intent: String, for step: Run) -> Set<String>? {
        step.accepted.key.flatMap(StepKey.init).flatMap { shortcuts[$0.shortcut] }
            .flatMap { $0.machine.notes.secretNames[step.app.name.text]?[intent] }.map { Set($0) }
    }

    /// Returns the reason why a lost run of a step is not repeated, or nil.
    func refusal(of step: StepKey?, _ intent: IntentDeclaration, of app: InstalledApp) -> ErrorReport? {
        guard let step, shortcuts[step.shortcut]?.machine.lostSteps.contains(step) == true,
            app.agentRule(for: intent).isIdempotent ?? intent.details?.isIdempotent != true
        else { return nil }
        return ErrorReport(
            .badRequest,
            "the end of the attempt before is not known, and \(app.name)/\(intent.name) is not idempotent",
            hint: "check what it has done"
        )
    }
}

extension IntentValue {
    fileprivate var isArray: Bool { if case .array = self { true } else { false } }
}

extension ValueType {
    /// Returns the value that a text of a file stands for. A text that does not fit the type stays a text, which the check of
    /// the parameters refuses.
    fileprivate func reading(_ text: String) -> IntentValue {
        switch self {
        case .int: Int64(text).map { .int($0) } ?? .string(text)
        case .double: Double(text).map { .double($0) } ?? .string(text)
        case .duration: TimeSpan.seconds(text).map { .double($0) } ?? .string(text)
        case .bool:
            switch text {
            case "true", "yes": .bool(true)
            case "false", "no": .bool(false)
            default: .string(text)
            }
        case .array(let element): .array([element.reading(text)])
        case .string, .file, .decimal, .date, .url, .enumeration, .entity, .object, .measurement, .currencyAmount,
            .dateComponents, .unknown:
            .string(text)
        }
    }
}
