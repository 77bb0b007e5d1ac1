import IntentLauncherMessages
import IntentLifecycle
import TestSupport
import Testing

/// The decisions about shortcuts, with recorded runs and times that the tests supply.
@Suite struct ShortcutMachineTests {
    static let run = RunID(randomBits: 7)

    static func machine(
        _ steps: [ShortcutPlan.Step],
        undoes: Bool = true,
        values: [String: IntentValue] = [:]
    ) -> ShortcutMachine {
        var plan = ShortcutPlan(title: "Test")
        plan.steps = steps
        plan.undoesOnFailure = undoes
        return ShortcutMachine(plan, run: run, values: values)
    }

    static func step(
        _ name: String,
        _ values: [String: ShortcutPlan.Template] = [:],
        _ change: (inout ShortcutPlan.Step) -> Void = { _ in }
    ) -> ShortcutPlan.Step {
        var step = ShortcutPlan.Step(name: name, line: 1, work: .perform(app: "App", intent: name, values: values))
        change(&step)
        return step
    }

    static func requests(_ actions: [ShortcutMachine.Action]) -> [StepRequest] {
        actions.compactMap { if case .request(let request) = $0 { request } else { nil } }
    }

    static func end(_ number: UInt64, _ outcome: RunOutcome, undo: String? = nil) -> RunEnd {
        var account = RunAccount()
        if let undo {
            account.details = RunDetails(undo: UndoOffer(intent: IntentReference(intent: undo, values: [:])))
        }
        return RunEnd(run: RunID(randomBits: number), outcome: outcome, account: account)
    }

    @Test func `the value of a step is passed with its type, and its file as the file of its run`() throws {
        var machine = Self.machine([
            Self.step("one"),
            Self.step(
                "two",
                ["number": .init([.value(.init("one", ["count"]))]), "file": .init([.value(.init("one", ["file"]))])]
            ),
        ])
        let first = try #require(Self.requests(machine.begin(with: [], at: 0)).first)
        let value = IntentValue.object(["count": .int(3), "file": .file(FileReference(index: 0, name: "a"))])
        let actions = machine.runEnded(first.key, Self.end(1, .done(value: value, dialog: nil)), of: "App", at: 0)
        let second = try #require(Self.requests(actions).first)
        #expect(second.values["number"] == .int(3))
        #expect(second.values["file"] == .file(FileReference(index: 0, name: "a")))
        #expect(second.files == [FileSource(run: RunID(randomBits: 1), index: 0)])
    }

    @Test func `a failed run is repeated after a pause, as often as Retry= states`() throws {
        var machine = Self.machine([Self.step("one") { $0.retryCount = 1 }], undoes: false)
        let first = try #require(Self.requests(machine.begin(with: [], at: 0)).first)
        #expect(
            Self.requests(machine.runEnded(first.key, Self.end(1, .failed(message: "no")), of: "App", at: 0)).isEmpty
        )
        let due = try #require(machine.nextWake)
        #expect(due == 1_000_000_000)
        let second = try #require(Self.requests(machine.timePassed(at: due)).first)
        #expect(second.retryOf == RunID(randomBits: 1))
        let actions = machine.runEnded(second.key, Self.end(2, .failed(message: "no")), of: "App", at: due)
        guard case .end(let end)? = actions.last else { return #expect(Bool(false), "\(actions)") }
        guard case .threw(let message) = end.ending else { return #expect(Bool(false), "\(end)") }
        #expect(message.hasPrefix("step 'one': "))
    }

    @Test func `a pause ends at the recorded time, also after a restart`() {
        var step = Self.step("one")
        step.work = .wait(milliseconds: 5000)
        var machine = Self.machine([step])
        let actions = machine.begin(with: [], at: 1_000_000_000)
        guard case .store(let notes)? = actions.last else { return #expect(Bool(false), "\(actions)") }
        #expect(machine.nextWake == 6_000_000_000)
        var next = ShortcutMachine(machine.plan, run: Self.run, values: [:], notes: notes)
        let continued = next.begin(with: [], at: 5_000_000_000)
        #expect(!continued.contains { if case .store = $0 { true } else { false } }, "\(continued)")
        #expect(next.nextWake == 6_000_000_000)
        guard case .end? = next.timePassed(at: 6_000_000_000).last else { return #expect(Bool(false)) }
    }

    @Test func `a run that was lost is repeated only if its intent is idempotent`() throws {
        var machine = Self.machine([Self.step("one") { $0.retryCount = 1 }])
        let first = try #require(Self.requests(machine.begin(with: [], at: 0)).first)
        _ = machine.runEnded(first.key, Self.end(1, .lost(message: "reboot")), of: "App", at: 0)
        let second = try #require(Self.requests(machine.timePassed(at: 1_000_000_000)).first)
        #expect(machine.lostSteps.map(\.text) == [second.key])
    }

    @Test func `more than a thousand runs end the shortcut with the limit's name`() throws {
        var machine = Self.machine([Self.step("one") { $0.repeatCount = 1000 }, Self.step("two")], undoes: false)
        var actions = machine.begin(with: [], at: 0)
        for number in 1...1000 {
            let request = try #require(Self.requests(actions).first)
            actions = machine.runEnded(
                request.key,
                Self.end(UInt64(number), .done(value: nil, dialog: nil)),
                of: "App",
                at: 0
            )
        }
        guard case .end(let end)? = actions.last, case .threw(let message) = end.ending else {
            return #expect(Bool(false), "\(actions)")
        }
        #expect(message.contains("at most 1000 runs of steps"))
    }

    @Test func `each step, ended item and undo is reported with its name, with the request of its run`() throws {
        var machine = Self.machine([Self.step("one"), Self.step("two") { $0.repeatCount = 2 }])
        func reports(_ actions: [ShortcutMachine.Action]) -> [String] {
            actions.compactMap { action in
                switch action {
                case .request(let request): request.intent
                case .report(let progress): "\(progress.title ?? "-") \(progress.fraction)"
                case .cancel, .ask, .follow, .store, .end: nil
                }
            }
        }
        var actions = machine.begin(with: [], at: 0)
        #expect(reports(actions) == ["one 0.0", "one"])
        func endLast(_ outcome: RunOutcome, number: UInt64, undo: String? = nil) throws {
            let request = try #require(Self.requests(actions).first)
            actions = machine.runEnded(request.key, Self.end(number, outcome, undo: undo), of: "App", at: 0)
        }
        try endLast(.done(value: nil, dialog: nil), number: 1, undo: "Back")
        #expect(reports(actions) == ["two 0.5", "two"])
        try endLast(.done(value: nil, dialog: nil), number: 2)
        #expect(reports(actions) == ["two 0.75", "two"])
        try endLast(.failed(message: "no"), number: 3)
        #expect(reports(actions) == ["undo one 0.75", "Back"])
        #expect(machine.timePassed(at: 1).isEmpty)
    }

    // MARK: Schedules

    /// Schedules of events with crashes at any point. Each seed is one schedule: 2,000 in every run of the tests, 4,000 in a
    /// complete `Tests/run`.
    @Test(arguments: 0..<UInt64(20))
    func `every schedule of ends, crashes and cancellations keeps the promises`(part: UInt64) {
        for seed in Endurance.seeds(of: part, few: 100, more: 200, many: 50_000) {
            var world = ShortcutWorld(seed: seed)
            let problem = world.live()
            #expect(problem == nil, "seed \(seed): \(problem ?? "")")
            if problem != nil { return }
        }
    }
}
