import IntentLauncherMessages
import IntentLifecycle
import Testing

/// Clients, workers, a launcher and two clocks around a real `RunTable`, moved by a seeded generator.
struct SimulatedWorld {
    /// One worker process as the launcher sees it.
    struct Worker {
        enum Phase { case launching, living, ended, released }
        var mode: WorkerMode
        var app: AppName
        var user: UInt32?
        /// The revision of the app's files from which the worker was launched.
        var revision: UInt64
        /// True if the worker was launched as a spare.
        var isSpare: Bool
        var phase = Phase.launching
        var hasLaunched = false
        var wasToldToPerform = false
        var hasStarted = false
        var hasFinished = false
        var isKilled = false
        var isCollecting = false
        var questionCount = 0
    }

    /// The state of one run, from its events.
    struct Record {
        var user: Caller
        var app: AppName
        /// The revision of the app's files with which the run was accepted.
        var revision: UInt64
        var phase = Phase.queued
        /// True once the run's queue timeout has been armed. Its next timer is that of its process.
        var isClocked = false
        var wasToldToStop = false
        var outcome: RunOutcome?
        var lastSerial: UInt64 = 0
        var hasEnded = false
        var isForgotten = false

        enum Phase { case queued, placed, asking }
    }

    /// The run of a request, as its client sees it.
    struct RequestedRun {
        var user: Caller
        var app: AppName
        var revision: UInt64
    }

    var runTable: RunTable
    let capacity: RunTable.Capacity
    var apps: [InstalledApp]
    /// The highest `Spare=` that each app has ever had.
    var spareMax: [AppName: Int] = [:]
    private var random: SplitMix64
    var nanoseconds: Int64 = 0
    private var clients: [ClientID: Caller] = [:]
    var workers: [SlotID: Worker] = [:]
    /// Runs that can still do something, in order of creation.
    var movable: [SlotID] = []
    var records: [RunID: Record] = [:]
    var recorded: [RunID: RecordedLife] = [:]
    var runOfSlot: [SlotID: RunID] = [:]
    /// The ready workers that must receive their run before the event has been handled.
    var untold: Set<SlotID> = []
    /// The worker that violated the protocol, and must be killed before the event has been handled.
    var liar: SlotID?
    var isStopping = false
    var timers: [RunTable.TimerID: Now.Instant] = [:]
    var openRequests: [UInt64: ClientID] = [:]
    private var lastNumber: UInt64 = 0
    /// Identifiers of runs for which the supervisor keeps files until it receives `forget`.
    var offered: Set<RunID> = []
    var requested: [RunID: RequestedRun] = [:]
    /// Runs in the order in which they were accepted.
    var acceptedRuns: [RunID] = []
    var hasQuit = false
    var problems: [String] = []
    var eventCount = 0
    /// The events so far, if a log is kept.
    var log: [String] = []
    let keepsLog: Bool

    init(seed: UInt64, keepsLog: Bool = false) {
        self.keepsLog = keepsLog
        random = SplitMix64(state: seed)
        var capacity = RunTable.Capacity()
        capacity.runCount = 1 + Int(seed % 3)
        capacity.runCountPerUser = 1 + Int(seed / 3 % 3)
        capacity.queueCount = 2 + Int(seed / 9 % 3)
        // In most schedules no question exceeds `MaxWaiting=`, so that both rules for questions are tested.
        capacity.waitingCount = seed % 7 == 0 ? 1 : 256
        self.capacity = capacity
        let idleStop = Duration.seconds(1 + Int(seed / 5 % 10))
        apps = [
            Scene.app(
                "Probe",
                runCountMax: 1 + Int(seed / 27 % 3),
                spareCount: Int(seed / 81 % 4),
                idleStop: idleStop
            ),
            Scene.app("Other", runCountMax: 1, spareCount: Int(seed / 11 % 2), idleStop: idleStop),
        ]
        for app in apps { spareMax[app.name] = app.spareCount }
        runTable = RunTable(capacity: capacity, at: at(0))
    }

    /// Performs a schedule of this many random steps, then stops and cleans up.
    mutating func live(steps: Int) {
        for _ in 0..<steps where !hasQuit { step() }
        if !hasQuit { happen(.stopRequested) }
        // Everything in progress finishes, and nothing new begins.
        for _ in 0..<400 where !hasQuit { settle() }
        if !hasQuit { problem("it did not quit") }
        if !timers.isEmpty { problem("timers are left: \(timers.keys)") }
        for (slot, worker) in workers where worker.phase != .released { problem("slot \(slot.number) is left") }
        for (run, record) in records where !record.hasEnded { problem("run \(run) has no outcome") }
        if !offered.isEmpty { problem("files of runs that never began are kept: \(offered)") }
        for (id, client) in openRequests where clients[client] != nil { problem("request \(id) has no answer") }
    }

    // MARK: Steps

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
        case 15: answerSomething()
        case 14: if random.next() % 3 == 0 { changeApp() }
        default: moveWorker(mayMisbehave: true)
        }
    }

    private mutating func someApp() -> InstalledApp { random.next() % 3 == 0 ? apps[1] : apps[0] }

    /// The operator changes the unit file of an app.
    private mutating func changeApp() {
        let index = random.next() % 3 == 0 ? 1 : 0
        apps[index].revision += 1
        apps[index].spareCount = Int(random.next() % 4)
        apps[index].idleStop = .seconds(1 + Int(random.next() % 10))
        spareMax[apps[index].name] = max(spareMax[apps[index].name] ?? 0, apps[index].spareCount)
    }

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
            clients[client] = Caller.local(user: UInt32(1000 + random.next() % 2))
            return client
        }
        return pick(clients.keys.sorted { $0.number < $1.number }) ?? ClientID(number: 0)
    }

    private mutating func request(_ body: RunTable.Request) { request(body, of: someClient()) }

    private mutating func request(_ request: RunTable.Request, of client: ClientID) {
        guard let user = clients[client] else { return }
        lastNumber += 1
        openRequests[lastNumber] = client
        happen(.requested(client, user, id: lastNumber, request))
    }

    mutating func perform() {
        lastNumber += 1
        let run = RunID(randomBits: lastNumber)
        offered.insert(run)
        let names = ["Echo", "Echo", "Echo", "Add", "Missing"]
        let values: [String: IntentValue] = random.next() % 5 == 0 ? [:] : ["text": .string("a")]
        let app = someApp()
        let perform = PerformRequest(
            // Occasionally repeat the same request.
            request: Scene.request(random.next() % 8 == 0 ? lastNumber / 2 : lastNumber),
            app: app.name.text,
            intent: pick(names) ?? "Echo",
            values: values,
            onDisconnect: random.next() % 2 == 0 ? .cancel : .continue,
            answers: random.next() % 6 == 0 ? AnswersInAdvance(others: .refuse) : nil
        )
        let client = someClient()
        guard let user = clients[client] else { return }
        requested[run] = RequestedRun(user: user, app: app.name, revision: app.revision)
        request(.perform(perform, newRun: run, .found(app)), of: client)
    }

    private mutating func cancelSomething() {
        guard let run = pick(records.keys.sorted { $0.text < $1.text }) else { return }
        request(.cancel(run: run.text))
    }

    /// Usually a valid answer, from a user who may or may not be permitted to give it.
    private mutating func answerSomething() {
        guard let run = pick(records.keys.sorted { $0.text < $1.text }) else { return }
        let value: IntentValue = random.next() % 4 == 0 ? .string("x") : .int(3)
        let question = random.next() % 3 == 0 ? random.next() % 3 : nil
        request(.answer(AnswerRequest(run: run.text, question: question, value: value)))
    }

    private mutating func someClientLeaves() {
        guard let client = pick(clients.keys.sorted(by: { $0.number < $1.number })) else { return }
        clients[client] = nil
        happen(.clientLeft(client))
    }

    private mutating func loseLauncher() {
        for slot in workers.keys { workers[slot]?.phase = .released }
        movable = []
        happen(.launcherLost)
    }

    private mutating func fireTimer() {
        let due = timers.map { (timer: $0.key, instant: Self.nanoseconds($0.value)) }
        let first = due.map(\.instant).min()
        // Of the timers that fire at the same time, fire the first by name, because a dictionary has no order.
        guard let next = due.filter({ $0.instant == first }).min(by: { "\($0.timer)" < "\($1.timer)" }) else { return }
        nanoseconds = max(nanoseconds, next.instant)
        timers[next.timer] = nil
        happen(.timerFired(next.timer))
    }

    private mutating func moveWorker(mayMisbehave: Bool) {
        guard let slot = pick(movable), let worker = workers[slot] else { return }
        if worker.phase == .launching {
            if mayMisbehave, random.next() % 10 == 0 {
                workers[slot]?.phase = .released
                movable.removeAll { $0 == slot }
                return happen(.launchFailed(slot, LaunchFailure(message: "no luck")))
            }
            workers[slot]?.phase = .living
            workers[slot]?.hasLaunched = true
            if runOfSlot[slot] != nil, !worker.isKilled { untold.insert(slot) }
            return happen(.launched(slot, Isolation(grade: Self.isolation(of: slot), parts: [])))
        }
        if worker.isCollecting {
            workers[slot]?.isCollecting = false
            return happen(random.next() % 4 == 0 ? .filesRefused(slot, message: "a link") : .filesCollected(slot))
        }
        let misbehaves = mayMisbehave && random.next() % 12 == 0
        if worker.isKilled || misbehaves || (!mayMisbehave && worker.hasFinished) { return end(slot, misbehaves) }
        let isWaiting = worker.isSpare && runOfSlot[slot] == nil
        if mayMisbehave, random.next() % 25 == 0 {
            if isWaiting { liar = slot }
            return happen(.violated(slot, message: "garbage"))
        }
        if isWaiting { return spareReports(slot) }
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

    /// A spare that waits for its run may send only hello.
    private mutating func spareReports(_ slot: SlotID) {
        switch random.next() % 16 {
        case 0:
            liar = slot
            happen(.reported(slot, .hello(Hello(protocolVersion: 2, software: "x"))))
        case 1:
            liar = slot
            happen(.reported(slot, .started))
        case 2: happen(.reported(slot, .hello(Hello(software: "x"))))
        default: break
        }
    }

    private mutating func report(_ slot: SlotID, _ worker: Worker, mayMisbehave: Bool) {
        switch random.next() % (mayMisbehave ? 9 : 2) {
        case 2: happen(.reported(slot, .progress(report(Int64(random.next() % 100), of: 100))))
        case 3:
            // Only a running run can ask.
            if let run = runOfSlot[slot], !worker.hasFinished, !worker.isKilled, records[run]?.wasToldToStop == false {
                // The open question may be repeated. Another question at the same time is a violation.
                if records[run]?.phase != .asking || random.next() % 2 == 0 { workers[slot]?.questionCount += 1 }
                records[run]?.phase = .asking
            }
            let number = UInt64(workers[slot]?.questionCount ?? 0)
            happen(.reported(slot, .question(Question(number: number, text: "?", type: .int))))
        case 6:
            if random.next() % 2 == 0, records[runOfSlot[slot] ?? RunID(randomBits: 0)]?.phase == .asking {
                leaveQuestion(slot)
                happen(.reported(slot, .withdrawn(question: UInt64(worker.questionCount))))
            }
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
        movable.removeAll { $0 == slot }
        let end: ProcessEnd = crashes ? .signaled(signal: 11) : .exited(code: 0)
        let exceeded: SandboxLimit? = random.next() % 4 == 0 ? .memory : nil
        happen(.ended(slot, SlotEnd(processEnd: end, exceeded: exceeded), lastLine: nil))
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[Int(random.next() % UInt64(elements.count))]
    }
}

/// Sebastiano Vigna's generator, which produces the same schedule from a seed on every machine.
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
