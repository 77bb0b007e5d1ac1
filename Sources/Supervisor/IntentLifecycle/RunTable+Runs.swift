import IntentLauncherMessages

extension RunTable {
    /// Passes an event to a run's state machine, and translates the machine's actions into actions of the run table.
    mutating func withRun(
        _ id: RunID,
        at now: Now,
        _ decide: (inout RunStateMachine) -> [RunStateMachine.Action]
    ) -> [Action] {
        guard let index = runs.index(forKey: id) else { return [] }
        let (decided, question) = runs[at: index].decide(decide)
        switch question {
        case .opened: admission.questionOpened(id)
        case .closed:
            admission.questionClosed(id)
            notifications.closed(id)
        case nil: break
        }
        var actions: [Action] = []
        for action in decided { actions += carry(out: action, for: id, at: now) }
        if let note = changedNote(of: id) { actions.insert(.note(note), at: 0) }
        return actions
    }

    mutating func withRun(
        of slot: SlotID,
        at now: Now,
        _ decide: (inout RunStateMachine) -> [RunStateMachine.Action]
    ) -> [Action] {
        guard let id = run(of: slot) else { return [] }
        return withRun(id, at: now, decide)
    }

    mutating func runReported(_ id: RunID, _ report: WorkerReport, at now: Now) -> [Action] {
        switch report {
        case .hello(let hello):
            guard hello.protocolVersion == Hello.currentVersion else {
                return withRun(id, at: now) {
                    $0.violated("it uses version \(hello.protocolVersion) of the worker protocol", at: now)
                }
            }
            return []
        case .catalog: return withRun(id, at: now) { $0.violated("it sent a catalogue instead of a result", at: now) }
        case .started: return withRun(id, at: now) { $0.started(at: now) } + askNext(of: id, at: now)
        case .progress(let progress):
            if let index = runs.index(forKey: id) {
                runs[at: index].progress = progress
                runs[at: index].progressTime = now.monotonic
            }
            return withRun(id, at: now) { $0.progressReported(progress, at: now) }
        case .background(let phase): return withRun(id, at: now) { $0.backgroundChanged(phase, at: now) }
        case .question(let question): return questionAsked(id, question, at: now)
        case .withdrawn(let question): return questionWithdrawn(id, question, at: now)
        case .resumed(let state): return workerResumed(id, state, at: now)
        case .crashed(var report):
            if !isMemoryLimitedByProcess(id) { report.memory = nil }
            return withRun(id, at: now) { $0.crashReported(report, at: now) }
        case .stuck(let report): return withRun(id, at: now) { $0.stacksReported(report, at: now) }
        case .finished(let result):
            if let problem = result.details?.snippet.flatMap(SnippetCheck.problem) {
                return withRun(id, at: now) { $0.violated(problem, at: now) }
            }
            let result = checked(result, of: id)
            return withRun(id, at: now) { $0.resultReceived(result, at: now) }
        }
    }

    /// The strings that the Swift and C++ runtimes print before they abort a process that cannot allocate memory.
    private static let allocationFailures = ["Fatal error: failed to allocate ", "std::bad_alloc"]

    /// True if `MemoryMax=` limits each process of the run, because the host has no memory controller. With a memory
    /// controller, the kernel reports that the limit was exceeded.
    private func isMemoryLimitedByProcess(_ id: RunID) -> Bool {
        runs[id].flatMap { apps[$0.app.name]?.isolation?.needs?.contains(.memoryController) } == true
    }

    /// Publishes output from a run's worker to the run's subscribers.
    mutating func printed(_ text: String, to stream: OutputStream, in slot: SlotID) -> [Action] {
        guard let id = run(of: slot) else { return [] }
        if stream == .stderr, let message = TrapMessage.last(in: text) { runs[id]?.machine.trapMessage = message }
        if stream == .stderr, isMemoryLimitedByProcess(id),
            Self.allocationFailures.contains(where: { TrapMessage.lastIndex(of: $0, in: text) != nil })
        {
            runs[id]?.machine.hasFailedToAllocate = true
        }
        return publish(.output(stream, text: text), of: id)
    }

    /// Launches queued runs while slots are free.
    mutating func admitWaiting(at now: Now) -> [Action] {
        admission.admit().flatMap { run in
            admission.pace.admitted(at: now.monotonic)
            var actions = withRun(run, at: now) { $0.admitted(at: now) }
            guard let pair = runs[run].map({ AppUser(app: $0.app.name, user: $0.owner) }) else { return actions }
            if let isolation = runs[run]?.waitingWorker {
                actions += withRun(run, at: now) { $0.launched(isolation) }
            }
            // Refill the spares after the command to the worker was sent, so that they start while the worker runs.
            return actions + refillSpares(of: pair)
        }
    }

    mutating func clientLeft(_ client: ClientID, at now: Now) -> [Action] {
        var actions: [Action] = []
        // Copy only the runs that this client owns or watches, because copying a run is expensive.
        let known = runs.values.lazy.filter { run in
            run.owners.contains(client) || run.watchers.contains(client) || run.waiters.contains { $0.client == client }
        }
        for id in known.map(\.id).sorted(by: { $0.text < $1.text }) {
            guard var run = runs[id] else { continue }
            run.waiters.removeAll { $0.client == client }
            let wasOwner = run.owners.contains(client)
            run.owners.removeAll { $0 == client }
            run.watchers.removeAll { $0 == client }
            runs[id] = run
            if wasOwner, run.owners.isEmpty, run.onDisconnect == .cancel {
                actions += withRun(id, at: now) { $0.cancel(.clientDisconnected, at: now) }
            }
        }
        for (number, list) in lists where list.origin?.client == client { lists[number] = nil }
        for app in apps.keys.sorted() {
            actions += (apps[app]?.dropRequests(of: client) ?? []).map { .forget($0) }
        }
        return actions
    }

    // MARK: Private

    private mutating func carry(
        out action: RunStateMachine.Action,
        for id: RunID,
        at now: Now
    ) -> [Action] {
        if let actions = carryForShortcut(action, id, at: now) { return actions }
        switch action {
        case .launch:
            guard let run = runs[id] else { return [] }
            let (slot, waitingWorker, actions) = occupySlot(for: run, at: now)
            runs[id]?.slot = slot
            runs[id]?.waitingWorker = waitingWorker
            return actions
        case .armTimer(let instant): return arm(id, at: instant)
        case .disarmTimer:
            runs[id]?.timer = nil
            return [.disarmTimer(.run(id))]
        case .send(let message):
            guard let run = runs[id], let slot = run.slot else { return [] }
            if case .acknowledge = message, mayLinger(run) { return linger(id, at: now) }
            return [.send(slot, id, command(message, for: run))]
        case .signal(let signal):
            guard let run = runs[id], let slot = run.slot else { return [] }
            return record(.signalled(signal), of: run) + [.signal(slot, signal)]
        case .collect(let files): return slot(of: id).map { [.collect($0, id, files)] } ?? []
        case .discardFiles: return slot(of: id).map { [.discardFiles($0, id)] } ?? []
        case .publish(let event):
            guard case .state = event, let run = runs[id] else { return publish(event, of: id) }
            return records(of: event, in: run) + lines(about: event, in: run) + publish(event, of: id)
        case .conclude(let outcome): return conclude(id, outcome, at: now)
        case .vanish: return vanish(id, at: now)
        }
    }

    mutating func arm(_ id: RunID, at instant: Now.Instant) -> [Action] {
        guard let index = runs.index(forKey: id) else { return [] }
        runs[at: index].timer = instant
        return [.armTimer(.run(id), at: instant)]
    }

    /// Returns the journal lines about a state change.
    private func lines(about event: RunEvent, in run: Run) -> [Action] {
        switch event {
        case .state(.starting, _): [.log(RunLine(.started, of: run))]
        case .state(.stopping, let reason): [.log(RunLine(.stopping, of: run, reason: reason))]
        case .state, .progress, .question, .answered, .output, .finished: []
        }
    }

    private func command(_ message: RunStateMachine.Message, for run: Run) -> WorkerCommand {
        switch message {
        case .perform:
            .perform(
                PerformCommand(
                    run: run.id,
                    intent: run.intent.name,
                    values: run.values,
                    fileCount: run.fileCount,
                    locale: run.accepted.locale,
                    query: run.query,
                    traceparent: run.accepted.traceparent,
                    // Other steps of a shortcut can have read the files.
                    rewinds: (run.fileCount > 0
                        && (notifications.retries.contains(run.request) || run.isOfShortcut)).trueOrNil,
                    authentication: run.accepted.authentication,
                    isUncertain: (run.accepted.entryPoint == .mcp).trueOrNil,
                    version: run.intent.details?.version
                )
            )
        case .cancel(let reason, let grace): .cancel(reason: reason, graceMilliseconds: grace.milliseconds)
        case .answer(let question, let value):
            .answer(question: question, value: value, fileCount: (value.files.map(\.index).max() ?? -1) + 1)
        case .refuse(let question): .refuse(question: question)
        case .acknowledge: .acknowledge
        case .resume: .resume(number: UInt64(run.adoptionCount))
        }
    }

    mutating func publish(_ event: RunEvent, of id: RunID) -> [Action] {
        guard let index = runs.index(forKey: id) else { return [] }
        let (numbered, followers) = runs[at: index].number(event)
        return followers.isEmpty ? [] : [.publish(followers, numbered)]
    }

    private mutating func conclude(_ id: RunID, _ outcome: RunOutcome, at now: Now) -> [Action] {
        guard var run = runs[id] else { return [] }
        let ofTime = run.machine.expiredClock.flatMap {
            run.app.denial(by: $0, of: run.intent, under: run.machine.limits)
        }
        if let denial = run.app.denial(of: outcome, of: run.intent) ?? ofTime ?? denialOfConnection(run, outcome) {
            run.machine.note(denial)
        }
        run.machine.noteHosts()
        // Another program declares the intent, and has changed it. The next request reads the declaration again.
        if run.intent.details?.version != nil, run.machine.account.details?.code == RunDetails.changedDeclaration,
            case .known? = apps[run.app.name]?.state
        {
            apps[run.app.name]?.state = .cold
        }
        runs[id] = run
        runs[id]?.outcome = outcome
        endedCount += 1
        endedCounts[account(of: run.owner), default: 0] += 1
        let end = RunEnd(of: id, outcome, run.machine.account)
        var line = RunLine(.ended(outcome), of: run, reason: outcome.reason)
        line.denial = run.machine.account.details?.denial
        return ending(of: run, outcome, at: now) + [.log(line)] + publish(.finished(end), of: id)
            + notify(of: run, outcome, at: now)
    }

    private mutating func vanish(_ id: RunID, at now: Now) -> [Action] {
        guard let run = runs.removeValue(forKey: id) else { return [] }
        guard let outcome = run.outcome else {
            preconditionFailure("a run is removed only after its outcome was announced")
        }
        admission.leave(id)
        repeatableFiles.remove(id)
        var actions = record(.exited(WorkerExit(run.slotEnd, account: run.machine.account)), of: run) + [.forget(id)]
        if let slot = run.slot {
            if slots.removeValue(forKey: slot) != nil { actions.append(.release(slot, id)) }
            actions += updateSpares(of: AppUser(app: run.app.name, user: run.owner), at: now)
        }
        // Answer the requests to cancel the run, now that its processes have exited.
        let end = RunEnd(of: id, outcome, run.machine.account)
        for waiter in run.waiters { actions.append(.answer(waiter.client, id: waiter.id, .ended(end))) }
        actions += shortcutVanished(run, at: now)
        guard !run.isOffRecord else { return actions }
        let entry = EndedRuns.Entry(
            requester: run.requester,
            account: account(of: run.owner),
            request: run.request,
            app: run.app.name.text,
            intent: run.intent.name,
            end: end,
            lastSerial: run.lastSerial
        )
        for forgotten in endedRuns.remember(entry) {
            requests[OwnedRequest(requester: forgotten.requester, request: forgotten.request)] = nil
        }
        return actions
    }
}

extension RunTable.Run {
    fileprivate enum QuestionChange {
        case opened
        case closed
    }

    /// Passes an event to the machine in place, because copying a run is expensive.
    fileprivate mutating func decide(
        _ decide: (inout RunStateMachine) -> [RunStateMachine.Action]
    ) -> ([RunStateMachine.Action], QuestionChange?) {
        let wasAsking = machine.isAsking
        let actions = decide(&machine)
        return (actions, wasAsking == machine.isAsking ? nil : wasAsking ? .closed : .opened)
    }

    /// Assigns the next serial number to an event, and keeps the event for late subscribers.
    ///
    /// - Returns: The numbered event and the run's subscribers.
    fileprivate mutating func number(_ event: RunEvent) -> (NumberedEvent, followers: [ClientID]) {
        lastSerial += 1
        let numbered = NumberedEvent(run: id, serial: lastSerial, event)
        switch event {
        case .state: lastState = numbered
        case .progress: lastProgress = numbered
        case .question: questionSerial = lastSerial
        case .answered, .output, .finished: break
        }
        return (numbered, followers)
    }
}

extension WorkerExit {
    init(_ end: SlotEnd? = nil, account: RunAccount) {
        self.init(
            processEnd: end?.processEnd,
            exceeded: end?.exceeded,
            leftoverProcessCount: account.leftoverProcessCount,
            hadLateResult: account.hadLateResult,
            usage: end?.usage
        )
    }
}

extension RunEnd {
    /// Creates the end of a run, with the number of its files.
    init(of run: RunID, _ outcome: RunOutcome, _ account: RunAccount) {
        self.init(run: run, outcome: outcome, account: account)
        fileCount = files.count
    }
}

extension RunOutcome {
    /// A short description of the outcome, for the journal.
    var phrase: String {
        let (row, detail) = described
        return switch detail {
        case .result: row.phrase
        case .message(let message): "\(row.phrase): \(message)"
        case .question(let parameter, _): "\(row.phrase): \(parameter ?? "a question")"
        case .reason(let reason): "\(row.phrase): \(reason.name)"
        case .exit(.exited(let code)): "\(row.phrase): exit code \(code) without a result"
        case .exit(.signaled(let signal)): "\(row.phrase): signal \(signal)"
        }
    }
}
