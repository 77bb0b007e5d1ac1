import IntentLauncherMessages
import IntentLifecycle

/// Checks the actions of the run table against its promises.
extension SimulatedWorld {
    mutating func happen(_ event: RunTable.Event) {
        eventCount += 1
        if keepsLog { log.append("\(nanoseconds): \(event)") }
        if case .stopRequested = event { isStopping = true }
        let now = Now(monotonic: .init(nanoseconds: nanoseconds), boottime: .init(nanoseconds: nanoseconds))
        for action in runTable.handle(event, at: now) { check(action) }
        checkQueue()
        if !untold.isEmpty { problem("workers wait and do not hear of their runs: \(untold)") }
        untold = []
        if let liar, workers[liar]?.isKilled != true { problem("a spare worker may lie: \(liar)") }
        liar = nil
    }

    mutating func check(_ action: RunTable.Action) {
        if hasQuit { problem("after the end: \(action)") }
        checkIsOnRecord(action)
        switch action {
        case .record(let record): check(record: record)
        case .answer(let client, let id, let answer): checkAnswer(client, id, answer)
        case .publish(_, let event): checkEvent(event)
        case .launch(let request):
            let revision = apps.first { $0.name == request.app }?.revision ?? 0
            let isSpare = request.mode == .once && request.run == nil
            workers[request.slot] = Worker(
                mode: request.mode,
                app: request.app,
                user: request.user,
                revision: revision,
                isSpare: isSpare
            )
            movable.append(request.slot)
            if isSpare { checkSpares(of: request.app, for: request.user) }
        case .send(let slot, _, let command):
            if workers[slot]?.phase != .living { problem("to a worker that is not there: \(action)") }
            if case .perform(let command) = command {
                if workers[slot]?.wasToldToPerform == true { problem("\(slot) is given to two runs") }
                if runOfSlot[slot] != command.run { problem("\(slot) is told of a run that is not its own") }
                workers[slot]?.wasToldToPerform = true
                untold.remove(slot)
            }
            switch command {
            case .answer, .refuse:
                if let run = runOfSlot[slot], records[run]?.phase != .asking {
                    problem("\(run) hears an answer unasked")
                }
                leaveQuestion(slot)
            case .files, .perform, .cancel, .acknowledge, .resume: break
            }
            if case .cancel = command, let run = runOfSlot[slot] {
                leaveQuestion(slot)
                if records[run]?.wasToldToStop == true { problem("told twice to stop: \(run)") }
                records[run]?.wasToldToStop = true
            }
        case .signal(let slot, let signal):
            checkLiving(slot, action)
            leaveQuestion(slot)
            if signal == .kill {
                if workers[slot]?.isSpare == true, workers[slot]?.isKilled == true, runOfSlot[slot] == nil {
                    problem("the spare worker \(slot) is killed twice")
                }
                workers[slot]?.isKilled = true
                untold.remove(slot)
            }
        case .collect(let slot, _, _):
            checkLiving(slot, action)
            workers[slot]?.isCollecting = true
        case .keep: break
        case .discardFiles(let slot, _): workers[slot]?.isCollecting = false
        case .release(let slot, _):
            switch workers[slot]?.phase {
            case .ended, .released?: workers[slot]?.phase = .released
            case .launching, .living, nil: problem("slot \(slot.number) is released while it lives")
            }
        case .armTimer(let timer, let instant):
            if case .run(let run) = timer { checkClock(of: run) }
            timers[timer] = instant
        case .disarmTimer(let timer): timers[timer] = nil
        case .log(let line):
            guard line.text.hasPrefix("ended") else { return }
            if records[line.run]?.hasEnded != false { problem("run \(line.run) ends twice, or was never accepted") }
            records[line.run]?.hasEnded = true
        case .forget(let run):
            if timers[.run(run)] != nil { problem("a timer outlives run \(run)") }
            records[run]?.isForgotten = true
            offered.remove(run)
        case .note: problem("a note that no intentd would read")
        case .quit: hasQuit = true
        case .handOver(let run): problem("run \(run) is handed over, and no other intentd adopts it")
        case .notify, .conduct, .catalogued, .reportBroken, .decide: break
        }
    }

    mutating func checkAnswer(_ client: ClientID, _ id: UInt64, _ answer: ClientAnswer) {
        if openRequests.removeValue(forKey: id) != client { problem("request \(id) is answered twice or to another") }
        if case .accepted(let run) = answer, records[run] == nil, let request = requested[run] {
            records[run] = Record(user: request.user, app: request.app, revision: request.revision)
            acceptedRuns.append(run)
        }
    }

    // MARK: Places

    /// The runs that have not ended, in order of arrival.
    var living: [(run: RunID, record: Record)] {
        acceptedRuns.compactMap { run in
            records[run].flatMap { $0.isForgotten ? nil : (run, $0) }
        }
    }

    /// A question closes with the answer, the result, a cancellation or a signal.
    mutating func leaveQuestion(_ slot: SlotID) {
        if let run = runOfSlot[slot], records[run]?.phase == .asking { records[run]?.phase = .placed }
    }

    /// The first timer of a run is its queue timeout, and the second is that of its process.
    mutating func checkClock(of run: RunID) {
        guard let record = records[run], !record.isForgotten else { return problem("armed after its end: \(run)") }
        guard record.phase == .queued else { return }
        guard record.isClocked else {
            records[run]?.isClocked = true
            return
        }
        checkPlace(of: run)
        guard let slot = runTable.slot(of: run), let worker = workers[slot] else {
            return problem("\(run) has no worker")
        }
        checkLiving(slot, .send(slot, run, .acknowledge))
        if runOfSlot[slot] != nil { problem("\(slot) is given to two runs") }
        if worker.isKilled || worker.mode != .once { problem("\(run) gets a worker that cannot perform it") }
        if worker.app != record.app { problem("\(run) gets a worker of another app") }
        if worker.user != record.user.uid { problem("\(run) gets a worker of another user") }
        if worker.revision < record.revision { problem("\(run) gets a worker of older files") }
        runOfSlot[slot] = run
        if worker.phase == .living { untold.insert(slot) }
    }

    /// Checks the launch of a spare: not during a stop, and not more than `Spare=` for each user.
    mutating func checkSpares(of app: AppName, for user: UInt32?) {
        if isStopping { problem("a spare worker is made while all ends") }
        let count = movable.count { slot in
            guard let worker = workers[slot], worker.isSpare else { return false }
            return worker.app == app && worker.user == user && !worker.isKilled && runOfSlot[slot] == nil
        }
        if count > spareMax[app] ?? 0 { problem("\(count) spare workers of \(app)") }
    }

    static func isolation(of slot: SlotID) -> IsolationGrade {
        IsolationGrade.allCases[Int(slot.number) % IsolationGrade.allCases.count]
    }

    /// Checks the start of a run: it must have been queued, and a slot must have been free.
    mutating func checkPlace(of run: RunID) {
        guard let record = records[run], record.phase == .queued else { return problem("\(run) begins twice") }
        let elder = living.prefix { $0.run != run }.map(\.record)
        if elder.contains(where: { $0.phase == .queued && $0.user == record.user && $0.app == record.app }) {
            problem("\(run) begins before an elder one of its user and app")
        }
        let others = placed(except: run)
        let ofApp = others.filter { $0.app == record.app }
        let appLimit = appLimit(of: record)
        if !hasRoom(for: record, among: others) || ofApp.count >= appLimit {
            problem("\(run) begins, and there is no place for it")
        }
        if appLimit > 1, ofApp.count(where: { $0.user == record.user }) >= appLimit - 1 {
            problem("\(run) takes the last place of its app, and its user has the others")
        }
        records[run]?.phase = .placed
    }

    private func placed(except run: RunID? = nil) -> [Record] {
        living.filter { $0.run != run && runTable.hasSlot($0.run) }.map(\.record)
    }

    private func appLimit(of record: Record) -> Int { apps.first { $0.name == record.app }?.runCountMax ?? 0 }

    private func hasRoom(for record: Record, among placed: [Record]) -> Bool {
        placed.count < capacity.runCount && placed.count { $0.user == record.user } < capacity.runCountPerUser
    }

    private func hasPlace(for record: Record, among placed: [Record]) -> Bool {
        let ofApp = placed.filter { $0.app == record.app }
        let free = appLimit(of: record) - ofApp.count
        return hasRoom(for: record, among: placed)
            && (free > 1 || free == 1 && !ofApp.contains { $0.user == record.user })
    }

    /// Checks that the runs without a slot are at most `MaxWaiting=`, and one user's share of them.
    private mutating func checkWaiting() {
        let waiting = living.filter { $0.record.phase != .queued && !runTable.hasSlot($0.run) }.map(\.record)
        if waiting.count > capacity.waitingCount { problem("\(waiting.count) runs have no slot, more than may") }
        for user in Set(waiting.map(\.user))
        where waiting.count(where: { $0.user == user }) > (capacity.waitingCount + 1) / 2 {
            problem("user \(user.uid) has more than half of the runs without a slot")
        }
    }

    mutating func checkQueue() {
        guard !hasQuit else { return }
        checkWaiting()
        let living = living.map(\.record)
        let queued = living.filter { $0.phase == .queued }
        if queued.isEmpty { return }
        if queued.count > capacity.queueCount { problem("\(queued.count) wait, more than may") }
        for user in Set(queued.map(\.user))
        where queued.count(where: { $0.user == user }) > (capacity.queueCount + 1) / 2 {
            problem("user \(user.uid) fills more than half of the queue")
        }
        let placed = placed()
        for record in queued where hasPlace(for: record, among: placed) {
            problem("a run of \(record.user) waits though it fits")
        }
    }

    mutating func checkEvent(_ event: NumberedEvent) {
        guard var record = records[event.run] else { return problem("an event of run \(event.run) before accepted") }
        // A late subscriber receives the newest events again, with their serials.
        if event.serial == record.lastSerial { return }
        if case .finished = event.event, record.hasEnded, record.outcome == nil { record.lastSerial = 0 }
        if event.serial <= record.lastSerial { problem("serial \(event.serial) of \(event.run) does not rise") }
        record.lastSerial = event.serial
        if case .finished(let end) = event.event {
            if record.outcome != nil { problem("two outcomes of \(event.run)") }
            record.outcome = end.outcome
            if record.wasToldToStop, case .done = end.outcome { problem("a late success of \(event.run)") }
            if record.wasToldToStop, case .exceeded = end.outcome { problem("a late limit of \(event.run)") }
            let slot = runTable.slot(of: event.run) ?? runOfSlot.first { $0.value == event.run }?.key
            let isolation = slot.flatMap { workers[$0]?.hasLaunched == true ? Self.isolation(of: $0) : nil }
            if end.account.isolation != isolation {
                problem("\(event.run) was isolated \(isolation, default: "never")")
            }
        }
        records[event.run] = record
    }

    mutating func checkLiving(_ slot: SlotID, _ action: RunTable.Action) {
        switch workers[slot]?.phase {
        case .launching, .living: break
        // The files of a worker that has exited are still opened in its folder.
        case .ended: if case .collect = action { break } else { problem("to a worker that has exited: \(action)") }
        case .released, nil: problem("to a worker that has exited: \(action)")
        }
    }

    mutating func problem(_ text: String) { problems.append(text) }

    static func nanoseconds(_ instant: Now.Instant) -> Int64 {
        switch instant {
        case .monotonic(let instant): instant.nanoseconds
        case .boottime(let instant): instant.nanoseconds
        }
    }
}
