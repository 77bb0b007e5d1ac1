import IntentLifecycle
import IntentWire
import Testing

/// Clients, workers, a launcher and two clocks around a real `Fleet`, moved by a seeded generator.
struct SimulatedWorld {
    /// One worker process as the launcher would know it.
    struct Worker {
        enum Phase { case launching, living, ended, released }
        var mode: WorkerMode
        var phase = Phase.launching
        var hasStarted = false
        var hasFinished = false
        var isKilled = false
        var isCollecting = false
    }

    /// What was seen of one run.
    struct Record {
        var user: UserID
        var app: AppName
        var phase = Phase.queued
        var wasToldToStop = false
        var outcome: RunOutcome?
        var lastSerial: UInt64 = 0
        var hasEnded = false
        var isForgotten = false

        enum Phase { case queued, placed, asking }
    }

    /// Which run a request is for, as its client sees it.
    private struct Wish {
        var user: UserID
        var app: AppName
    }

    private var fleet: Fleet
    private let capacity: Fleet.Capacity
    private let apps: [InstalledApp]
    private var random: SplitMix64
    private var nanoseconds: Int64 = 0
    private var clients: [ClientID: UserID] = [:]
    private var workers: [SlotID: Worker] = [:]
    private var records: [RunID: Record] = [:]
    private var runOfSlot: [SlotID: RunID] = [:]
    private var timers: [Fleet.TimerID: Now.Instant] = [:]
    private var openRequests: [UInt64: ClientID] = [:]
    private var lastNumber: UInt64 = 0
    /// Identifiers that the edge made, and keeps files for until it hears that they are over.
    private var offered: Set<RunID> = []
    private var wishes: [RunID: Wish] = [:]
    /// Runs in the order in which they were accepted.
    private var acceptedRuns: [RunID] = []
    private var hasQuit = false
    private(set) var problems: [String] = []
    private var eventCount = 0
    /// What happened, where somebody wants to read it.
    private(set) var log: [String] = []
    private let keepsLog: Bool

    init(seed: UInt64, keepsLog: Bool = false) {
        self.keepsLog = keepsLog
        random = SplitMix64(state: seed)
        var capacity = Fleet.Capacity()
        capacity.runCount = 1 + Int(seed % 3)
        capacity.runCountPerUser = 1 + Int(seed / 3 % 3)
        capacity.queueCount = 2 + Int(seed / 9 % 3)
        // None beyond in most schedules, so that both rules of questions are lived through.
        capacity.waitingCount = seed % 7 == 0 ? 1 : 256
        self.capacity = capacity
        apps = [Scene.app("Probe", runCountMax: 1 + Int(seed / 27 % 3)), Scene.app("Other", runCountMax: 1)]
        fleet = Fleet(capacity: capacity, at: at(0))
    }

    /// Lives through a schedule of that many chances, then stops and clears up.
    mutating func live(steps: Int) {
        for _ in 0..<steps where !hasQuit { step() }
        if !hasQuit { happen(.stopRequested) }
        // All that is under way comes to its end: nothing new begins.
        for _ in 0..<400 where !hasQuit { settle() }
        if !hasQuit { problem("it did not quit") }
        if !timers.isEmpty { problem("timers are left: \(timers.keys)") }
        for (slot, worker) in workers where worker.phase == .ended { problem("slot \(slot.number) is not released") }
        for (run, record) in records where !record.hasEnded { problem("run \(run) has no outcome") }
        if !offered.isEmpty { problem("files of runs that never began are kept: \(offered)") }
        for (id, client) in openRequests where clients[client] != nil { problem("request \(id) has no answer") }
    }

    // MARK: Chances

    private mutating func step() {
        nanoseconds += Int64(random.next() % 2_000_000_000)
        switch random.next() % 32 {
        case 0...5: perform()
        case 6: cancelSomething()
        case 7: someClientLeaves()
        case 8: fireTimer()
        case 9: request(.describe(.found(someApp())))
        case 10: request(.list(apps))
        case 11: request(.runs(held: []))
        case 12: if random.next() % 20 == 0 { happen(.stopRequested) }
        case 13: if random.next() % 40 == 0 { loseLauncher() }
        default: moveWorker(mayMisbehave: true)
        }
    }

    private mutating func someApp() -> InstalledApp { random.next() % 3 == 0 ? apps[1] : apps[0] }

    private mutating func settle() {
        nanoseconds += 1_000_000
        let before = eventCount
        moveWorker(mayMisbehave: false)
        if eventCount == before { fireTimer() }
    }

    private mutating func someClient() -> ClientID {
        if clients.isEmpty || random.next() % 4 == 0 {
            lastNumber += 1
            let client = ClientID(number: lastNumber)
            clients[client] = UserID(number: UInt32(1000 + random.next() % 2))
            return client
        }
        return pick(clients.keys.sorted { $0.number < $1.number }) ?? ClientID(number: 0)
    }

    private mutating func request(_ wish: Fleet.Request) { request(wish, of: someClient()) }

    private mutating func request(_ request: Fleet.Request, of client: ClientID) {
        guard let user = clients[client] else { return }
        lastNumber += 1
        openRequests[lastNumber] = client
        happen(.requested(client, user, id: lastNumber, request))
    }

    private mutating func perform() {
        lastNumber += 1
        let run = RunID(randomBits: lastNumber)
        offered.insert(run)
        let names = ["Echo", "Echo", "Echo", "Add", "Missing"]
        let values: [String: IntentValue] = random.next() % 5 == 0 ? [:] : ["text": .string("a")]
        let app = someApp()
        let perform = PerformRequest(
            // Now and then the same request again.
            request: Scene.request(random.next() % 8 == 0 ? lastNumber / 2 : lastNumber),
            app: app.name.text,
            intent: pick(names) ?? "Echo",
            values: values,
            onDisconnect: random.next() % 2 == 0 ? .cancel : .continue
        )
        let client = someClient()
        guard let user = clients[client] else { return }
        wishes[run] = Wish(user: user, app: app.name)
        request(.perform(perform, newRun: run, .found(app)), of: client)
    }

    private mutating func cancelSomething() {
        guard let run = pick(records.keys.sorted { $0.text < $1.text }) else { return }
        request(.cancel(run: run.text))
    }

    private mutating func someClientLeaves() {
        guard let client = pick(clients.keys.sorted(by: { $0.number < $1.number })) else { return }
        clients[client] = nil
        happen(.clientLeft(client))
    }

    private mutating func loseLauncher() {
        for slot in workers.keys { workers[slot]?.phase = .released }
        happen(.launcherLost)
    }

    private mutating func fireTimer() {
        let due = timers.map { (timer: $0.key, instant: Self.nanoseconds($0.value)) }
        guard let next = due.min(by: { ($0.instant, "\($0.timer)") < ($1.instant, "\($1.timer)") }) else { return }
        nanoseconds = max(nanoseconds, next.instant)
        timers[next.timer] = nil
        happen(.timerFired(next.timer))
    }

    private mutating func moveWorker(mayMisbehave: Bool) {
        let movable = workers.filter { $0.value.phase == .launching || $0.value.phase == .living }
        guard let slot = pick(movable.keys.sorted(by: { $0.number < $1.number })), let worker = workers[slot] else {
            return
        }
        if worker.phase == .launching {
            if mayMisbehave, random.next() % 10 == 0 {
                workers[slot]?.phase = .released
                return happen(.launchFailed(slot, message: "no luck"))
            }
            workers[slot]?.phase = .living
            return happen(.launched(slot))
        }
        if worker.isCollecting {
            workers[slot]?.isCollecting = false
            return happen(random.next() % 4 == 0 ? .filesRefused(slot, message: "a link") : .filesCollected(slot))
        }
        let misbehaves = mayMisbehave && random.next() % 12 == 0
        if worker.isKilled || misbehaves || (!mayMisbehave && worker.hasFinished) { return end(slot, misbehaves) }
        if mayMisbehave, random.next() % 25 == 0 { return happen(.violated(slot, message: "garbage")) }
        if worker.mode == .describe {
            if worker.hasFinished { return end(slot, false) }
            workers[slot]?.hasFinished = true
            return happen(.reported(slot, .catalog(Scene.catalog)))
        }
        if !worker.hasStarted {
            workers[slot]?.hasStarted = true
            return happen(.reported(slot, .started))
        }
        report(slot, worker, mayMisbehave: mayMisbehave)
    }

    private mutating func report(_ slot: SlotID, _ worker: Worker, mayMisbehave: Bool) {
        switch random.next() % (mayMisbehave ? 8 : 2) {
        case 2: happen(.reported(slot, .progress(report(Int64(random.next() % 100), of: 100))))
        case 3:
            // Only a run that goes on can ask.
            if let run = runOfSlot[slot], !worker.hasFinished, !worker.isKilled, records[run]?.wasToldToStop == false {
                records[run]?.phase = .asking
            }
            happen(.reported(slot, .question(Question(number: 1, text: "?", type: .int))))
        case 4: happen(.reported(slot, .background(random.next() % 2 == 0 ? .entered : .left)))
        case 5: end(slot, true)
        default:
            if worker.hasFinished && !mayMisbehave { return end(slot, false) }
            workers[slot]?.hasFinished = true
            leaveQuestion(slot)
            let ending: WorkerEnding =
                switch random.next() % 4 {
                case 0: .threw(message: "no")
                case 1: .threwCancellation
                default: .returned(value: .file(FileReference(index: 0, name: "a")), dialog: nil)
                }
            let files: [ResultFile] = random.next() % 2 == 0 ? [.path("a")] : [.memory]
            happen(.reported(slot, .finished(WorkerResult(ending: ending, files: files))))
        }
    }

    private func report(_ completed: Int64, of total: Int64) -> ProgressReport {
        ProgressReport(
            completedUnitCount: completed,
            totalUnitCount: total,
            fraction: Double(completed) / Double(total)
        )
    }

    private mutating func end(_ slot: SlotID, _ crashes: Bool) {
        workers[slot]?.phase = .ended
        let end: ProcessEnd = crashes ? .signaled(signal: 11) : .exited(code: 0)
        happen(.ended(slot, SlotEnd(processEnd: end), lastWords: nil))
    }

    // MARK: What the fleet does, and what it must not

    private mutating func happen(_ event: Fleet.Event) {
        eventCount += 1
        if keepsLog { log.append("\(nanoseconds): \(event)") }
        let now = Now(monotonic: .init(nanoseconds: nanoseconds), boottime: .init(nanoseconds: nanoseconds))
        for action in fleet.handle(event, at: now) { check(action) }
        checkQueue()
    }

    private mutating func check(_ action: Fleet.Action) {
        if hasQuit { problem("after the end: \(action)") }
        switch action {
        case .answer(let client, let id, let answer): checkAnswer(client, id, answer)
        case .publish(_, let event, _): checkEvent(event)
        case .launch(let request):
            workers[request.slot] = Worker(mode: request.mode)
            runOfSlot[request.slot] = request.run
            if let run = request.run { checkPlace(of: run) }
        case .tell(let slot, let command):
            checkLiving(slot, action)
            if case .cancel = command, let run = runOfSlot[slot] {
                leaveQuestion(slot)
                if records[run]?.wasToldToStop == true { problem("told twice to stop: \(run)") }
                records[run]?.wasToldToStop = true
            }
        case .signal(let slot, let signal):
            checkLiving(slot, action)
            leaveQuestion(slot)
            if signal == .kill { workers[slot]?.isKilled = true }
        case .collect(let slot, _):
            checkLiving(slot, action)
            workers[slot]?.isCollecting = true
        case .release(let slot):
            switch workers[slot]?.phase {
            case .ended, .released?: workers[slot]?.phase = .released
            case .launching, .living, nil: problem("slot \(slot.number) is released while it lives")
            }
        case .armTimer(let timer, let instant):
            if case .run(let run) = timer, records[run]?.isForgotten == true { problem("armed after its end: \(run)") }
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
        case .quit: hasQuit = true
        }
    }

    private mutating func checkAnswer(_ client: ClientID, _ id: UInt64, _ answer: ClientAnswer) {
        if openRequests.removeValue(forKey: id) != client { problem("request \(id) is answered twice or to another") }
        if case .accepted(let run) = answer, records[run] == nil, let wish = wishes[run] {
            records[run] = Record(user: wish.user, app: wish.app)
            acceptedRuns.append(run)
        }
    }

    // MARK: Places

    /// The runs that are not over, in the order of their coming.
    private var living: [(run: RunID, record: Record)] {
        acceptedRuns.compactMap { run in
            records[run].flatMap { $0.isForgotten ? nil : (run, $0) }
        }
    }

    /// A question closes with the result, with the word to stop and with a signal.
    private mutating func leaveQuestion(_ slot: SlotID) {
        if let run = runOfSlot[slot], records[run]?.phase == .asking { records[run]?.phase = .placed }
    }

    /// A run begins: it must have waited, and there must have been a place for it.
    private mutating func checkPlace(of run: RunID) {
        guard let record = records[run], record.phase == .queued else { return problem("\(run) begins twice") }
        let elder = living.prefix { $0.run != run }.map(\.record)
        if elder.contains(where: { $0.phase == .queued && $0.user == record.user && $0.app == record.app }) {
            problem("\(run) begins before an elder one of its user and app")
        }
        if !hasPlace(for: record) { problem("\(run) begins, and there is no place for it") }
        records[run]?.phase = .placed
    }

    private func hasPlace(for record: Record) -> Bool {
        let living = living.map(\.record)
        let askingCount = living.count { $0.phase == .asking }
        let placed = living.filter { $0.phase == .placed }
        let appLimit = apps.first { $0.name == record.app }?.runCountMax ?? 0
        return placed.count + max(0, askingCount - capacity.waitingCount) < capacity.runCount
            && placed.count { $0.user == record.user } < capacity.runCountPerUser
            && placed.count { $0.app == record.app } < appLimit
    }

    private mutating func checkQueue() {
        guard !hasQuit else { return }
        let living = living.map(\.record)
        let queued = living.filter { $0.phase == .queued }
        if queued.count > capacity.queueCount { problem("\(queued.count) wait, more than may") }
        for user in Set(queued.map(\.user)) where queued.count(where: { $0.user == user }) > capacity.queueCountPerUser
        {
            problem("user \(user.number) fills more than half of the queue")
        }
        // Whose place a question beyond the limit takes is not seen from outside.
        guard living.count(where: { $0.phase == .asking }) <= capacity.waitingCount else { return }
        for record in queued where hasPlace(for: record) { problem("a run of \(record.user) waits though it fits") }
    }

    private mutating func checkEvent(_ event: NumberedEvent) {
        guard var record = records[event.run] else { return problem("an event of run \(event.run) before accepted") }
        // Who comes late hears the newest again, with the serial that it had.
        if event.serial == record.lastSerial { return }
        if case .finished = event.event, record.hasEnded, record.outcome == nil { record.lastSerial = 0 }
        if event.serial <= record.lastSerial { problem("serial \(event.serial) of \(event.run) does not rise") }
        record.lastSerial = event.serial
        if case .finished(let end) = event.event {
            if record.outcome != nil { problem("two outcomes of \(event.run)") }
            record.outcome = end.outcome
            if record.wasToldToStop, case .done = end.outcome { problem("a late success of \(event.run)") }
        }
        records[event.run] = record
    }

    private mutating func checkLiving(_ slot: SlotID, _ action: Fleet.Action) {
        switch workers[slot]?.phase {
        case .launching, .living: break
        // The files of a worker that ended are still opened in its folder.
        case .ended: if case .collect = action { break } else { problem("to a worker that is gone: \(action)") }
        case .released, nil: problem("to a worker that is gone: \(action)")
        }
    }

    private mutating func problem(_ text: String) { problems.append(text) }

    private mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[Int(random.next() % UInt64(elements.count))]
    }

    private static func nanoseconds(_ instant: Now.Instant) -> Int64 {
        switch instant {
        case .monotonic(let instant): instant.nanoseconds
        case .boottime(let instant): instant.nanoseconds
        }
    }
}

/// Sebastiano Vigna's generator: the same seed gives the same schedule on every machine.
struct SplitMix64 {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
