import IntentLauncherMessages
import IntentLifecycle

/// A run table that crashes before or after any of its actions, with a disk, a launcher and workers that survive.
///
/// The disk keeps the order of writes. A record, and the actions that depend on it, stay in `waiting` until it is
/// flushed. A crash loses everything in `waiting`. All other actions are performed at once, as in the supervisor.
struct CrashWorld {
    /// The facts about one run that are on disk.
    struct DiskRun {
        var accepted: AcceptedRun
        var time: Now
        var state = RunState.queued
        var slot: SlotID?
        var stopReason: CancellationReason?
        var lastAnswer: RecordedAnswer?
        var end: RunEnd?
        var hasExited = false
    }

    /// The actual state of a worker, regardless of its reports.
    struct Worker {
        /// A worker in the state `unmade` exited before its process was reported.
        enum Phase { case launching, living, ended, unmade }
        var request: LaunchRequest
        var phase = Phase.launching
        /// The commands that the worker has not read.
        var inbox: [WorkerCommand] = []
        /// Reports that no intentd has read.
        var outbox: [WorkerReport] = []
        var run: RunID?
        var result: WorkerResult?
        /// The worker's question without an answer.
        var question: Question?
        var questionCount: UInt64 = 0
        /// The answers that the worker received, by the question's number.
        var answers: [UInt64: IntentValue] = [:]
        var wasAcknowledged = false
        var wasKilled = false
        /// True if the worker exited by itself, without a command or a signal.
        var hasCrashed = false
        /// The number of the `resume` command that the worker must answer before its other reports count.
        var resumeNumber: UInt64?
        /// True if the current run table has received the worker's end.
        var isTold = false
        var isReleased = false
    }

    var runTable: RunTable
    var random: SplitMix64
    var nanoseconds: Int64 = 0
    var disk: [RunID: DiskRun] = [:]
    var order: [RunID] = []
    var runsOfRequests: [RequestID: RunID] = [:]
    /// The runs with state that may be left.
    var unfinished: Set<RunID> = []
    var workers: [SlotID: Worker] = [:]
    var notes: [SlotID: RunNote] = [:]
    var waiting: [RunTable.Action] = []
    var timers: [RunTable.TimerID: Now.Instant] = [:]
    /// The workers that received `perform`, by run.
    var performers: [RunID: SlotID] = [:]
    var serials: [RunID: UInt64] = [:]
    /// The runs that a client has cancelled.
    var unwanted: Set<RunID> = []
    var lastNumber: UInt64 = 0
    var crashCount = 0
    /// The number of steps of workers, of the launcher, and of the run table that reads their reports.
    var moveCount = 0
    /// The recorded workers of runs.
    var recordedSlots: Set<SlotID> = []
    /// The runs that were performing after the last crash, and were not required to stop.
    var free: Set<RunID> = []
    var hasQuit = false
    /// The number of actions until the next crash; nil if no crash follows.
    var actionsToCrash: Int?
    var problems: [String] = []
    var log: [String] = []
    let keepsLog: Bool

    static let client = ClientID(number: 1)
    static let user = Caller.local(user: 1000)
    static let choices = ValueType.enumeration(
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

    /// Performs this many random steps with crashes, and then steps without crashes until everything has ended.
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

    // MARK: Steps

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
        // As in the index of requests on disk. The run table no longer has the runs that ended.
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
        // A timer fires when nothing else happens.
        if moveCount == before, waiting.isEmpty { fireTimer() }
    }

    private mutating func moveWorker(mayMisbehave: Bool) {
        let slots = slotsAtWork
        guard !slots.isEmpty else { return }
        move(slots[Int(random.next() % UInt64(slots.count))], mayMisbehave: mayMisbehave)
    }

    // MARK: Crashes

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
            workers[slot]?.resumeNumber = .max
            workers[slot]?.isTold = false
        }
        // The launcher does not report a worker that is not launched yet or will never be launched.
        let kept = workers.filter { !$0.value.isReleased && [.living, .ended].contains($0.value.phase) }
        let unfinished = order.filter(unfinished.contains)
        var noteOfRun: [RunID: RunNote] = [:]
        for run in unfinished {
            if let note = disk[run]?.slot.flatMap({ notes[$0] }), note.run == run { noteOfRun[run] = note }
        }
        for (slot, note) in notes where kept[slot] == nil && noteOfRun[note.run]?.slot != slot { notes[slot] = nil }
        let unclaimed = kept.keys.filter { slot in notes[slot].map { noteOfRun[$0.run]?.slot != slot } ?? true }
        let numbers = workers.keys.map(\.number) + notes.keys.map(\.number) + disk.values.compactMap(\.slot?.number)
        happen(
            .tookOver(
                lastSlot: numbers.max() ?? 0,
                unclaimed: unclaimed.sorted { $0.number < $1.number }
            )
        )
        for run in unfinished {
            guard let entry = disk[run] else { continue }
            let note = noteOfRun[run]
            let record = UnfinishedRun(
                run: run,
                accepted: entry.accepted,
                acceptedMonotonic: entry.time.monotonic.nanoseconds,
                acceptedBoottime: entry.time.boottime.nanoseconds,
                state: entry.state,
                stopReason: entry.stopReason,
                slot: entry.slot,
                lastAnswer: entry.lastAnswer,
                end: entry.end
            )
            let worker = note.flatMap {
                kept[$0.slot] == nil ? nil : FoundRun.Worker(slot: $0.slot, isolation: Scene.isolation)
            }
            let found = FoundRun(record, app: .found(app), note: note, worker: worker)
            happen(.found(found, absence: .nanoseconds(nanoseconds - lost)))
        }
    }

    // MARK: Actions of the run table

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

    /// An action that follows a record waits behind it.
    private mutating func pass(_ action: RunTable.Action) {
        switch action {
        case .record, .quit: waiting.append(action)
        default: action.recordedRun == nil ? carryOut(action) : waiting.append(action)
        }
    }

    /// Flushes all waiting records to the disk, and then performs the actions that waited for them.
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
        case .publish(_, let event): check(event)
        case .launch(let request):
            if workers[request.slot] != nil { problem("slot \(request.slot.number) is given twice") }
            workers[request.slot] = Worker(request: request)
        case .send(let slot, _, let command):
            if case .acknowledge = command, let run = workers[slot]?.run, let entry = disk[run], entry.end == nil,
                entry.stopReason == nil, notes[slot]?.outcome == nil
            {
                problem("the result of \(run) is acknowledged, and not recorded")
            }
            if case .resume(let number) = command { workers[slot]?.resumeNumber = number }
            if workers[slot]?.phase == .living { workers[slot]?.inbox.append(command) }
        case .signal(let slot, .kill): workers[slot]?.wasKilled = true
        case .release(let slot, _):
            if let worker = workers[slot], ![.ended, .unmade, .launching].contains(worker.phase) {
                problem("slot \(slot.number) is released while it lives")
            }
            // The launcher ignores the release of a worker that it does not have yet, and releases it once it has it.
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
        case .keep, .answer, .signal, .collect, .discardFiles, .log, .notify, .conduct, .catalogued, .reportBroken,
            .decide:
            break
        }
    }

    static func nanoseconds(_ instant: Now.Instant) -> Int64 {
        switch instant {
        case .monotonic(let instant): instant.nanoseconds
        case .boottime(let instant): instant.nanoseconds
        }
    }
}
