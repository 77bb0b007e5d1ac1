import IntentLauncherMessages
import IntentLifecycle
import Testing

/// The runs of shortcuts in the run table.
@Suite struct ShortcutRunTests {
    private static func shortcut(_ name: String, _ steps: ShortcutPlan.Step...) -> InstalledApp {
        shortcut(name, steps)
    }

    private static func shortcut(_ name: String, _ steps: [ShortcutPlan.Step]) -> InstalledApp {
        var plan = ShortcutPlan(title: name)
        plan.steps = steps
        let intent = IntentDeclaration(name: name, title: name, traits: [.progressReporting, .cancellable])
        var app = Scene.app(name)
        app.shortcut = InstalledShortcut(plan: plan, catalog: IntentCatalog(intents: [intent]))
        app.limits = app.limits.ofShortcut
        return app
    }

    private static func step(_ name: String, app: String, values: [String: String]) -> ShortcutPlan.Step {
        let templates = values.mapValues { ShortcutPlan.Template([.text($0)]) }
        return ShortcutPlan.Step(name: name, line: 1, work: .perform(app: app, intent: "AddIntent", values: templates))
    }

    private static func requests(_ actions: [RunTable.Action]) -> [StepRequest] {
        actions.compactMap { if case .conduct(_, .request(let request)) = $0 { request } else { nil } }
    }

    private static func perform(
        _ request: StepRequest,
        _ app: InstalledApp,
        newRun: RunID,
        in scene: inout Scene
    ) -> [RunTable.Action] {
        return scene.runTable.handle(
            .requested(
                .shortcuts,
                Scene.user,
                id: 7,
                shortcut: request.shortcut,
                .perform(PerformRequest(request), newRun: newRun, .found(app))
            ),
            at: at(0)
        )
    }

    @Test func `a shortcut holds no slot, and ends with its last step`() throws {
        var scene = try Scene.ready(places: 1)
        let app = Self.shortcut("Sum", Self.step("one", app: "Probe", values: ["left": "40"]))
        let begun = scene.perform("Sum", [:], onDisconnect: .continue, app: app)
        #expect(scene.launchedRuns(begun).isEmpty)
        #expect(!scene.runTable.hasSlot(Scene.run(1)))
        let request = try #require(Self.requests(begun).first)
        // The text of the file becomes a number, because the parameter is one.
        let accepted = Self.perform(request, Scene.app, newRun: Scene.run(2), in: &scene)
        let slot = try scene.launchedSlot(accepted, mode: .once)
        _ = scene.runTable.handle(
            .stepReported(Scene.run(1), .accepted(key: request.key, Scene.run(2))),
            at: at(0)
        )
        let sent = scene.launched(slot)
        guard
            case .send(_, _, .perform(let command))? = sent.first(where: { if case .send = $0 { true } else { false } })
        else { return #expect(Bool(false), "\(sent)") }
        #expect(command.values.byName["left"] == .int(40))
        _ = scene.runTable.handle(.reported(slot, .started), at: at(0))
        let result = WorkerResult(ending: .returned(value: .int(41), dialog: nil))
        _ = scene.runTable.handle(.reported(slot, .finished(result)), at: at(0))
        let end = RunEnd(run: Scene.run(2), outcome: .done(value: .int(41), dialog: nil), account: RunAccount())
        _ = scene.runTable.handle(
            .stepReported(Scene.run(1), .ended(key: request.key, end, app: "Probe")),
            at: at(0)
        )
        #expect(!scene.runTable.isLive(Scene.run(1)))
        _ = scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(0))
        #expect(scene.runTable.spareCount == 0)
    }

    @Test(arguments: [false, true])
    func `a shortcut that stops ends when the processes of all its steps have exited`(fails: Bool) throws {
        var scene = try Scene.ready()
        let app = Self.shortcut(
            "Sum",
            Self.step("one", app: "Probe", values: ["left": "40"]),
            Self.step("two", app: "Probe", values: ["left": "41"])
        )
        var actions = scene.perform("Sum", [:], onDisconnect: .continue, app: app)
        var slots: [SlotID] = []
        for number in [2, 3] as [UInt64] {
            let (request, run) = (try #require(Self.requests(actions).first), Scene.run(number))
            slots.append(try scene.launchedSlot(Self.perform(request, Scene.app, newRun: run, in: &scene), mode: .once))
            _ = scene.runTable.handle(.stepReported(Scene.run(1), .accepted(key: request.key, run)), at: at(0))
            _ = scene.launched(slots[slots.count - 1])
            _ = scene.runTable.handle(.reported(slots[slots.count - 1], .started), at: at(0))
            let isLast = number == 3
            let ending: WorkerEnding =
                isLast && fails ? .threw(message: "no") : .returned(value: .int(41), dialog: nil)
            let outcome: RunOutcome = isLast && fails ? .failed(message: "no") : .done(value: .int(41), dialog: nil)
            if isLast, !fails {
                _ = scene.runTable.handle(
                    .stepReported(Scene.run(1), .delivered(.cancelled(.userCancelled))),
                    at: at(0)
                )
            }
            let result = WorkerReport.finished(WorkerResult(ending: ending))
            _ = scene.runTable.handle(.reported(slots[slots.count - 1], result), at: at(0))
            let end = RunEnd(run: run, outcome: outcome, account: RunAccount())
            actions = scene.runTable.handle(
                .stepReported(Scene.run(1), .ended(key: request.key, end, app: "Probe")),
                at: at(0)
            )
        }
        for slot in slots.reversed() {
            #expect(scene.runTable.isLive(Scene.run(1)))
            _ = scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(0))
        }
        #expect(!scene.runTable.isLive(Scene.run(1)))
    }

    @Test func `a step that asks is reported to a person, and its failure is not`() throws {
        var scene = try Scene.ready()
        let shortcut = Self.shortcut("Sum", Self.step("one", app: "Probe", values: ["left": "40"]))
        let begun = scene.perform("Sum", [:], onDisconnect: .continue, app: shortcut)
        let request = try #require(Self.requests(begun).first)
        var app = Scene.app
        let mail = NotifyRule.Target("Mail/Send")
        (app.notify.onQuestion, app.notify.onFailure) = (mail, mail)
        let accepted = Self.perform(request, app, newRun: Scene.run(2), in: &scene)
        let slot = try scene.launchedSlot(accepted, mode: .once)
        _ = scene.launched(slot)
        _ = scene.runTable.handle(.reported(slot, .started), at: at(0))
        func notifications(_ actions: [RunTable.Action]) -> [Notification.Event] {
            actions.compactMap {
                if case .notify(.perform(let delivery)) = $0 { delivery.notification.event } else { nil }
            }
        }
        let question = Question(number: 1, text: "Really?", type: .bool)
        #expect(notifications(scene.runTable.handle(.reported(slot, .question(question)), at: at(0))) == [.question])
        let crashed = scene.runTable.handle(
            .ended(slot, SlotEnd(processEnd: .exited(code: 1)), lastLine: nil),
            at: at(0)
        )
        #expect(!scene.runTable.isLive(Scene.run(2)))
        #expect(notifications(crashed) == [])
    }

    @Test func `a shortcut that performs itself is refused with the path`() throws {
        var scene = try Scene.ready()
        var step = Self.step("one", app: "Loop", values: [:])
        step.work = .perform(app: "Loop", intent: "Loop", values: [:])
        let app = Self.shortcut("Loop", step)
        let begun = scene.perform("Loop", [:], onDisconnect: .continue, app: app)
        let request = try #require(Self.requests(begun).first)
        let refused = Self.perform(request, app, newRun: Scene.run(2), in: &scene)
        #expect(Scene.refusal(in: refused)?.message == "a shortcut performs itself: Loop → Loop")
    }

    @Test func `more than eight shortcuts that perform each other are refused`() throws {
        var scene = try Scene.ready()
        var actions: [RunTable.Action] = []
        for number in UInt64(1)...9 {
            var step = Self.step("one", app: "S\(number + 1)", values: [:])
            step.work = .perform(app: "S\(number + 1)", intent: "S\(number + 1)", values: [:])
            let app = Self.shortcut("S\(number)", step)
            if number == 1 {
                actions = scene.perform("S1", [:], onDisconnect: .continue, app: app)
            } else {
                let request = try #require(Self.requests(actions).first)
                actions = Self.perform(request, app, newRun: Scene.run(number), in: &scene)
            }
            let refusal = Scene.refusal(in: actions)?.message
            #expect(refusal == (number == 9 ? "more than 8 shortcuts perform each other" : nil))
        }
    }

    @Test func `the live shortcuts of a user are bounded, and leave a share for the next user`() throws {
        var capacity = RunTable.Capacity()
        capacity.shortcutCount = 4
        var scene = try Scene.ready(capacity)
        let app = Self.shortcut("Sum", Self.step("one", app: "Probe", values: ["left": "40"]))
        func perform(_ number: UInt64, _ user: Caller) -> [RunTable.Action] {
            scene.perform(
                "Sum",
                [:],
                newRun: Scene.run(number),
                request: number,
                user: user,
                onDisconnect: .continue,
                app: app
            )
        }
        let other = Caller.local(user: 1001)
        let first = perform(1, Scene.user)
        #expect(Scene.refusal(in: perform(2, Scene.user)) == nil)
        let refusal = try #require(Scene.refusal(in: perform(3, Scene.user)))
        #expect(refusal.code == .busy)
        #expect(refusal.message == "2 runs of your shortcuts are live, which is one user's full share of 4")
        #expect(Scene.refusal(in: perform(4, other)) == nil)
        #expect(Scene.refusal(in: perform(5, other))?.code == .busy)

        // The end of a shortcut returns its unit.
        let request = try #require(Self.requests(first).first)
        _ = scene.runTable.handle(
            .stepReported(Scene.run(1), .refused(key: request.key, message: "not permitted")),
            at: at(0)
        )
        #expect(!scene.runTable.isLive(Scene.run(1)))
        #expect(Scene.refusal(in: perform(6, Scene.user)) == nil)
    }

    @Test func `the plan is recorded before the run, and removed with it`() throws {
        var scene = try Scene.ready()
        let app = Self.shortcut("Sum", Self.step("one", app: "Probe", values: ["left": "40"]))
        let begun = scene.perform("Sum", [:], onDisconnect: .continue, app: app)
        let facts = begun.compactMap { if case .record(let record) = $0 { record.fact } else { nil } }
        guard case .stored(let name, _?)? = facts.first, case .accepted? = facts.dropFirst().first else {
            return #expect(Bool(false), "\(facts)")
        }
        let request = try #require(Self.requests(begun).first)
        let ended = scene.runTable.handle(
            .stepReported(Scene.run(1), .refused(key: request.key, message: "not permitted")),
            at: at(0)
        )
        #expect(ended.contains(.record(RunRecord(RunID(randomBits: 0), .stored(name: name, value: nil)))))
        #expect(!scene.runTable.isLive(Scene.run(1)))
    }

    /// - Parameter otherCount: The number of spares that each of two other apps has.
    @Test(arguments: [0, 64])
    func `an app has a spare for each step of a recent shortcut, unless half of all slots have spares`(
        otherCount: Int
    ) throws {
        let probe = Scene.app("Probe", spareCount: 2)
        let others = ["One", "Two"].map { Scene.app($0, spareCount: otherCount) }
        var scene = try Scene.ready(RunTable.Capacity(), apps: [probe] + others)
        for (number, app) in (others + others).enumerated() {
            _ = scene.perform(
                "Echo",
                ["text": .string("a")],
                newRun: Scene.run(UInt64(100 + number)),
                request: UInt64(100 + number),
                app: app
            )
        }
        #expect(scene.runTable.spareCount == 2 * otherCount)
        let steps = (1...5).map { Self.step("s\($0)", app: "Probe", values: ["left": "1"]) }
        let sum = Self.shortcut("Sum", steps)
        var spares: [SlotID] = []
        func launch(_ actions: [RunTable.Action]) -> [SlotID] {
            let launches = actions.compactMap { action -> SlotID? in
                if case .launch(let request) = action, request.run == nil { request.slot } else { nil }
            }
            for spare in launches { _ = scene.launched(spare) }
            return launches
        }
        /// Performs the shortcut, and returns the number of spares that were launched at each of its steps.
        func perform(_ number: UInt64, steps count: Int = 5) throws -> [Int] {
            let shortcut = Scene.run(number)
            var actions = scene.perform(
                "Sum",
                [:],
                newRun: shortcut,
                request: number,
                onDisconnect: .continue,
                app: sum
            )
            return try (0..<count).map { step in
                let request = try #require(Self.requests(actions).first)
                let run = Scene.run(number + UInt64(step) + 1)
                let accepted = Self.perform(request, probe, newRun: run, in: &scene)
                _ = scene.runTable.handle(.stepReported(shortcut, .accepted(key: request.key, run)), at: at(0))
                let slot = try #require(scene.runTable.slot(of: run))
                let ended = scene.finish(slot)
                // None starts while a step is performed, not even the last one.
                if otherCount == 0, number == 20 { #expect(launch(accepted).isEmpty) }
                let launches = launch(accepted + ended)
                #expect(spares.isEmpty || spares.contains(slot))
                spares += launches
                let end = RunEnd(run: run, outcome: .done(value: nil, dialog: nil), account: RunAccount())
                actions = scene.runTable.handle(
                    .stepReported(shortcut, .ended(key: request.key, end, app: "Probe")),
                    at: at(0)
                )
                return launches.count
            }
        }
        // From the second run on, the app is in steady use.
        let (first, second) = (try perform(10), try perform(20))
        // No spare starts while enough are left for the rest of the steps.
        #expect(first == (otherCount == 0 ? [0, 5, 0, 0, 3] : [0, 2, 1, 0, 2]))
        #expect(second == (otherCount == 0 ? [0, 0, 0, 0, 5] : [1, 1, 1, 0, 2]))
        // Steps that a shortcut never performs keep no spare from other runs.
        _ = try perform(30, steps: 4)
        let launches = try (40...41 as ClosedRange<UInt64>).map { number in
            let text: [String: IntentValue] = ["text": .string("a")]
            let asked = scene.perform("Echo", text, newRun: Scene.run(number), request: number, app: probe)
            return launch(asked + scene.finish(try #require(scene.runTable.slot(of: Scene.run(number))))).count
        }
        #expect(launches == (otherCount == 0 ? [5, 1] : [2, 1]))
    }
}
