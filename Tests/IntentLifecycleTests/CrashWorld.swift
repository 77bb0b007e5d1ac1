import IntentLifecycle
import IntentWire

/// A run table that dies before or after any of its actions, between a disk, a launcher and workers that live on.
///
/// The disk keeps the order of what is written: a record, and what may follow it only when it is there, waits in
/// `waiting` until it is flushed; a death loses what waits. All the rest is done at once, as the edge does it.
struct CrashWorld {
    /// What the disk has of one run.
    struct DiskRun {
        var accepted: AcceptedRun
        var time: Now
        var state = RunState.queued
        var slot: SlotID?
        var stopReason: CancellationReason?
        var lastAnswer: RecordedAnswer?
        var end: RunEnd?
        var isGone = false
    }

    /// A worker, as it is: whoever asks it or hears from it.
    struct Worker {
        /// An unmade one was ended before anybody heard of its process.
        enum Phase { case launching, living, ended, unmade }
        var request: LaunchRequest
        var phase = Phase.launching
        /// What it is to read.
        var inbox: [WorkerCommand] = []
        /// What nobody has read.
        var outbox: [WorkerReport] = []
        var run: RunID?
        var result: WorkerResult?
        /// That nobody answered yet.
        var question: Question?
        var questionCount: UInt64 = 0
        /// What it was answered, by the question's number.
        var answers: [UInt64: IntentValue] = [:]
        var wasAcknowledged = false
        var wasKilled = false
        /// It ended by itself, without having been told to.
        var hasCrashed = false
        /// What the next run table must hear before anything else counts.
        var standing: UInt64?
        /// Its end was told to the run table of now.
        var isTold = false
        var isReleased = false
    }

    var runTable: RunTable
    var random: SplitMix64
    var nanoseconds: Int64 = 0
    var disk: [RunID: DiskRun] = [:]
    var order: [RunID] = []
    var runsOfRequests: [RequestID: RunID] = [:]
    /// Of which something may be left.
    var unfinished: Set<RunID> = []
    var workers: [SlotID: Worker] = [:]
    var notes: [SlotID: RunNote] = [:]
    var waiting: [RunTable.Action] = []
    var timers: [RunTable.TimerID: Now.Instant] = [:]
    /// Which worker was told to perform a run.
    var performers: [RunID: SlotID] = [:]
    var serials: [RunID: UInt64] = [:]
    /// Runs of which somebody asked for the end.
    var unwanted: Set<RunID> = []
    var lastNumber: UInt64 = 0
    var crashCount = 0
    /// What workers, the launcher and the run table that hears them did.
    var moveCount = 0
    /// Workers that are on record for a run.
    var recordedSlots: Set<SlotID> = []
    /// Runs that were not told to stop when the last chance was over: nothing keeps them from their ends.
    var free: Set<RunID> = []
    var hasQuit = false
    /// A death comes after that many actions more; nil: none does.
    var actionsToCrash: Int?
    var problems: [String] = []
    var log: [String] = []
    let keepsLog: Bool

    static let client = ClientID(number: 1)
    static let user = Caller.local(user: 1000)
    private static let choices = ValueType.enumeration(
        ["a", "b"].map { EnumerationCase(value: $0, title: $0) }
    )

    init(seed: UInt64, keepsLog: Bool = false) {
        self.keepsLog = keepsLog
        random = SplitMix64(state: seed)
        runTable = RunTable(capacity: Self.capacity, succession: .adopts, at: at(0))
    }

    private static var capacity: RunTable.Capacity {
        var capacity = RunTable.Capacity()
        capacity.runCount = 2
        return capacity
    }

    private let app = Scene.app("Probe", runCountMax: 2, spareCount: 1, idleStop: .seconds(1))

    var now: Now { Now(monotonic: .init(nanoseconds: nanoseconds), boottime: .init(nanoseconds: nanoseconds)) }

    /// Lives through so many chances with deaths among them, then on without until everything is over.
    mutating func live(steps: Int) {
        for _ in 0..<steps {
            if actionsToCrash == nil, random.next() % 3 == 0 { actionsToCrash = Int(random.next() % 12) }
            nanoseconds += Int64(random.next() % 1_000_000_000)
            switch random.next() % 16 {
            case 0...3: perform()
            case 4: cancelSomething()
            case 5: fireTimer()
            case 6: flush()
            case 8: answerSomething()
            case 7: if actionsToCrash == 0 { crash() }
            default: moveWorker(mayMisbehave: true)
            }
        }
        actionsToCrash = nil
        flush()
        free = Set(
            order.filter {
                disk[$0]?.state != .stopping && notes[disk[$0]?.slot ?? SlotID(number: 0)]?.outcome == nil
                    && performers[$0] != nil
            }
        )
        for _ in 0..<600 where !isQuiet { settle() }
        happen(.stopRequested)
        for _ in 0..<200 where !hasQuit { settle() }
        checkTheEnd()
    }

    // MARK: Chances

    private mutating func perform() {
        lastNumber += 1
        let request = PerformRequest(
            request: Scene.request(random.next() % 6 == 0 ? lastNumber / 2 : lastNumber),
            app: app.name.text,
            intent: "Echo",
            values: ["text": .string("a")],
            onDisconnect: random.next() % 4 == 0 ? .cancel : .continue
        )
        let run = RunID(randomBits: lastNumber)
        // As the disk's index of requests has it: a run that is over is none of the run table's any more.
        if let known = runsOfRequests[request.request], !runTable.isLive(known) { return }
        happen(
            .requested(Self.client, Self.user, id: lastNumber, .perform(request, newRun: run, .found(app)))
        )
    }

    private mutating func cancelSomething() {
        guard !order.isEmpty else { return }
        lastNumber += 1
        let run = order[Int(random.next() % UInt64(order.count))]
        unwanted.insert(run)
        happen(.requested(Self.client, Self.user, id: lastNumber, .cancel(run: run.text)))
    }

    private mutating func answerSomething() {
        let asking = unfinished.sorted { $0.text < $1.text }
        guard !asking.isEmpty else { return }
        lastNumber += 1
        let run = asking[Int(random.next() % UInt64(asking.count))]
        let answer = AnswerRequest(run: run.text, question: nil, value: .string(random.next() % 2 == 0 ? "a" : "b"))
        happen(.requested(Self.client, Self.user, id: lastNumber, .answer(answer)))
    }

    private mutating func fireTimer() {
        guard
            let next = timers.min(by: {
                (Self.nanoseconds($0.value), "\($0.key)") < (Self.nanoseconds($1.value), "\($1.key)")
            })
        else { return }
        nanoseconds = max(nanoseconds, Self.nanoseconds(next.value))
        timers[next.key] = nil
        happen(.timerFired(next.key))
    }

    private var slotsAtWork: [SlotID] {
        workers.filter { !$0.value.isReleased && $0.value.phase != .unmade }.keys.sorted { $0.number < $1.number }
    }

    private var isQuiet: Bool {
        guard waiting.isEmpty else { return false }
        return unfinished.isEmpty
    }

    private mutating func settle() {
        nanoseconds += 1_000_000
        flush()
        answerSomething()
        let slots = slotsAtWork
        let before = moveCount
        for slot in slots { move(slot, mayMisbehave: false) }
        // Nobody is slow: a clock runs out where nothing else comes.
        if moveCount == before, waiting.isEmpty { fireTimer() }
    }

    private mutating func moveWorker(mayMisbehave: Bool) {
        let slots = slotsAtWork
        guard !slots.isEmpty else { return }
        move(slots[Int(random.next() % UInt64(slots.count))], mayMisbehave: mayMisbehave)
    }

    /// One small step of a worker, of the launcher for it, or of the run table that hears it.
    private mutating func move(_ slot: SlotID, mayMisbehave: Bool) {
        guard var worker = workers[slot], !worker.isReleased else { return }
        moveCount += 1
        defer { checkNotes() }
        if worker.phase == .launching {
            if worker.wasKilled, random.next() % 2 == 0 {
                workers[slot]?.phase = .unmade
                return happen(.launchFailed(slot, message: "it was ended before its process was made"))
            }
            // Nobody waits for it any more: it is let go before it is told of.
            guard runTable.knows(slot) else {
                workers[slot]?.phase = .unmade
                return
            }
            workers[slot]?.phase = .living
            return happen(.launched(slot, Scene.isolation))
        }
        // Reading comes about as often as doing.
        if let report = worker.outbox.first, random.next() % 2 == 0 || worker.phase == .ended {
            workers[slot]?.outbox.removeFirst()
            if let number = worker.standing {
                guard case .standing(let standing) = report, standing.number == number else {
                    // Void, unless the worker is gone without a word.
                    if worker.phase == .ended, !worker.outbox.contains(where: { $0.isStanding(number) }) {
                        return happen(.reported(slot, report))
                    }
                    return
                }
                workers[slot]?.standing = nil
            }
            return happen(.reported(slot, report))
        }
        if worker.phase == .ended {
            guard !worker.isTold else { return }
            workers[slot]?.isTold = true
            return happen(.ended(slot, end(of: worker), lastWords: nil))
        }
        if worker.wasKilled || worker.wasAcknowledged || worker.request.mode == .describe && worker.result != nil {
            workers[slot]?.phase = .ended
            return
        }
        if mayMisbehave, worker.run != nil, random.next() % 20 == 0 {
            workers[slot]?.phase = .ended
            workers[slot]?.hasCrashed = true
            return
        }
        if worker.request.mode == .describe {
            workers[slot]?.result = WorkerResult(ending: .threw(message: ""))
            workers[slot]?.outbox.append(.catalog(Scene.catalog))
            return
        }
        if !worker.inbox.isEmpty {
            let command = worker.inbox.removeFirst()
            workers[slot] = worker
            return obey(slot, command)
        }
        guard let run = worker.run, worker.result == nil, worker.question == nil else {
            // What it has said may be read the next time.
            if worker.outbox.isEmpty { moveCount -= 1 }
            return
        }
        if mayMisbehave, random.next() % 2 == 0 {
            let progress = ProgressReport(completedUnitCount: 1, totalUnitCount: 2, fraction: 0.5)
            workers[slot]?.outbox.append(.progress(progress))
            return
        }
        if worker.questionCount < 2, random.next() % 3 == 0 {
            let number = worker.questionCount + 1
            let question = Question(number: number, text: "?", type: Self.choices, kind: .choice)
            workers[slot]?.questionCount = number
            workers[slot]?.question = question
            workers[slot]?.outbox.append(.question(question))
            return
        }
        let result = WorkerResult(ending: .returned(value: .string(run.text), dialog: nil))
        workers[slot]?.result = result
        workers[slot]?.outbox.append(.finished(result))
    }

    private mutating func obey(_ slot: SlotID, _ command: WorkerCommand) {
        switch command {
        case .perform(let perform):
            if let other = performers[perform.run] { problem("\(perform.run) is performed by \(slot) and \(other)") }
            if workers[slot]?.run != nil { problem("\(slot) performs twice") }
            performers[perform.run] = slot
            workers[slot]?.run = perform.run
            workers[slot]?.outbox.append(.started)
        case .cancel:
            guard workers[slot]?.run != nil, workers[slot]?.result == nil else { return }
            workers[slot]?.question = nil
            let result = WorkerResult(ending: .threwCancellation)
            workers[slot]?.result = result
            workers[slot]?.outbox.append(.finished(result))
        case .acknowledge: workers[slot]?.wasAcknowledged = true
        case .resume(let number):
            let hasBegun = workers[slot]?.run != nil
            workers[slot]?.outbox.append(.standing(WorkerStanding(number: number, hasBegun: hasBegun)))
            if let question = workers[slot]?.question { workers[slot]?.outbox.append(.question(question)) }
            if let result = workers[slot]?.result { workers[slot]?.outbox.append(.finished(result)) }
        case .answer(let number, let value, _):
            if let before = workers[slot]?.answers[number], before != value {
                problem("question \(number) is answered with \(before) and \(value)")
            }
            workers[slot]?.answers[number] = value
            if workers[slot]?.question?.number == number { workers[slot]?.question = nil }
        case .files, .refuse: break
        }
    }

    private func end(of worker: Worker) -> SlotEnd {
        SlotEnd(
            processEnd: worker.hasCrashed
                ? .signaled(signal: 11) : worker.wasKilled ? .signaled(signal: 9) : .exited(code: 0)
        )
    }

    // MARK: Death

    mutating func crash() {
        crashCount += 1
        actionsToCrash = nil
        if keepsLog { log.append("\(nanoseconds): it dies, and loses \(waiting)") }
        waiting = []
        timers = [:]
        let lost = nanoseconds
        nanoseconds += Int64(random.next() % 3_000_000_000)
        runTable = RunTable(capacity: Self.capacity, succession: .adopts, at: now)
        for slot in workers.keys {
            workers[slot]?.standing = .max
            workers[slot]?.isTold = false
        }
        // Those that are still being made, or never will be, are none of whom the launcher tells.
        let kept = workers.filter { !$0.value.isReleased && [.living, .ended].contains($0.value.phase) }
        let unfinished = order.filter(unfinished.contains)
        var noteOfRun: [RunID: RunNote] = [:]
        for run in unfinished {
            if let note = disk[run]?.slot.flatMap({ notes[$0] }), note.run == run { noteOfRun[run] = note }
        }
        for (slot, note) in notes where kept[slot] == nil && noteOfRun[note.run]?.slot != slot { notes[slot] = nil }
        let strangers = kept.keys.filter { slot in notes[slot].map { noteOfRun[$0.run]?.slot != slot } ?? true }
        let numbers = workers.keys.map(\.number) + notes.keys.map(\.number) + disk.values.compactMap(\.slot?.number)
        happen(
            .tookOver(
                lastSlot: numbers.max() ?? 0,
                strangers: strangers.sorted { $0.number < $1.number }
            )
        )
        for run in unfinished {
            guard let entry = disk[run] else { continue }
            let note = noteOfRun[run]
            let record: LeftRun.Record =
                if let end = entry.end { .ended(end) } else if entry.state == .queued { .queued } else { .begun }
            let left = LeftRun(
                run: run,
                accepted: entry.accepted,
                acceptedAt: entry.time,
                app: .found(app),
                record: record,
                stopReason: entry.stopReason,
                lastAnswer: entry.lastAnswer,
                note: note,
                worker: note.flatMap {
                    kept[$0.slot] == nil ? nil : LeftRun.Worker(slot: $0.slot, isolation: Scene.isolation)
                }
            )
            happen(.found(left, absence: .nanoseconds(nanoseconds - lost)))
        }
    }

    // MARK: What the run table does

    mutating func happen(_ event: RunTable.Event) {
        guard !hasQuit else { return }
        if keepsLog { log.append("\(nanoseconds): \(event)") }
        for action in runTable.handle(event, at: now) {
            if actionsToCrash == 0 { return crash() }
            if let rest = actionsToCrash { actionsToCrash = rest - 1 }
            if keepsLog { log.append("    \(action)") }
            pass(action)
        }
    }

    /// What follows a record waits behind it.
    private mutating func pass(_ action: RunTable.Action) {
        switch action {
        case .record, .answer, .publish, .release, .forget, .handOver, .tell(_, .perform), .tell(_, .acknowledge),
            .tell(_, .answer), .quit:
            waiting.append(action)
        case .keep, .tell, .launch, .signal, .collect, .discardFiles, .armTimer, .disarmTimer, .log, .note, .catalogued,
            .reportBroken:
            carryOut(action)
        }
    }

    /// All that waits reaches the disk, and then whom it is for.
    private mutating func flush() {
        let actions = waiting
        waiting = []
        for action in actions { carryOut(action) }
    }

    private mutating func carryOut(_ action: RunTable.Action) {
        switch action {
        case .record(let record): write(record)
        case .answer(_, _, .accepted(let run)):
            if disk[run] == nil { problem("\(run) is accepted and not on record") }
        case .publish(_, let event, _): check(event)
        case .launch(let request):
            if workers[request.slot] != nil { problem("slot \(request.slot.number) is given twice") }
            workers[request.slot] = Worker(request: request)
        case .tell(let slot, let command):
            if case .acknowledge = command, let run = workers[slot]?.run, let entry = disk[run], entry.end == nil,
                entry.stopReason == nil, notes[slot]?.outcome == nil
            {
                problem("the result of \(run) is let go, and not on record")
            }
            if case .resume(let number) = command { workers[slot]?.standing = number }
            if workers[slot]?.phase == .living { workers[slot]?.inbox.append(command) }
        case .signal(let slot, .kill): workers[slot]?.wasKilled = true
        case .release(let slot):
            if let worker = workers[slot], ![.ended, .unmade, .launching].contains(worker.phase) {
                problem("slot \(slot.number) is released while it lives")
            }
            // The launcher passes over one that it does not have yet: it is let go when it comes.
            if workers[slot]?.phase != .launching { workers[slot]?.isReleased = true }
            notes[slot] = nil
        case .note(let note):
            guard let read = RunNote(bytes: note.bytes), read == note else {
                return problem("a note is not as written")
            }
            notes[note.slot] = note
        case .armTimer(let timer, let instant): timers[timer] = instant
        case .disarmTimer(let timer): timers[timer] = nil
        case .forget(let run), .handOver(let run):
            timers[.run(run)] = nil
            timers[.owner(run)] = nil
        case .quit: hasQuit = true
        case .keep, .answer, .signal, .collect, .discardFiles, .log, .catalogued, .reportBroken: break
        }
    }

    static func nanoseconds(_ instant: Now.Instant) -> Int64 {
        switch instant {
        case .monotonic(let instant): instant.nanoseconds
        case .boottime(let instant): instant.nanoseconds
        }
    }
}

extension WorkerReport {
    fileprivate func isStanding(_ number: UInt64) -> Bool {
        if case .standing(let standing) = self { return standing.number == number }
        return false
    }
}
