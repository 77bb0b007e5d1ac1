import IntentLauncherMessages
import IntentLifecycle
import Testing

/// The workers and spares of shortcuts' steps.
@Suite struct ShortcutWorkerTests {
    private static let shortcut = Scene.run(1)
    private var scene: Scene
    private var probe = Scene.app("Probe", spareCount: 3)
    private let other = Scene.app("Other")

    init() throws {
        probe.runCountMax = 2
        scene = try Scene.ready(RunTable.Capacity(), apps: [probe, other])
        // The spares of an app in steady use.
        for number in [50, 51] as [UInt64] {
            let asked = scene.echo(number, app: probe)
            launch(asked + scene.finish(try #require(scene.runTable.slot(of: Scene.run(number)))))
        }
    }

    private mutating func launch(_ actions: [RunTable.Action]) {
        for case .launch(let request) in actions where request.run == nil { _ = scene.launched(request.slot) }
    }

    private static func plan(stepCount: Int) -> InstalledApp {
        let values = ["text": ShortcutPlan.Template([.text("a")])]
        var plan = ShortcutPlan(title: "Sum")
        plan.steps = (1...stepCount).map {
            ShortcutPlan.Step(name: "s\($0)", line: $0, work: .perform(app: "Probe", intent: "Echo", values: values))
        }
        let intent = IntentDeclaration(name: "Sum", title: "Sum", traits: [.progressReporting, .cancellable])
        var app = Scene.app("Sum")
        app.shortcut = InstalledShortcut(plan: plan, catalog: IntentCatalog(intents: [intent]))
        app.limits = app.limits.ofShortcut
        return app
    }

    private static func request(in actions: [RunTable.Action]) -> StepRequest? {
        actions.lazy.compactMap { if case .conduct(_, .request(let request)) = $0 { request } else { nil } }.first
    }

    private static func exits(_ actions: [RunTable.Action]) -> [SlotID] {
        actions.compactMap { if case .send(let slot, _, .acknowledge) = $0 { slot } else { nil } }
    }

    /// Begins a shortcut, or continues one, until its next step has a worker.
    private mutating func begin(_ request: StepRequest?, as number: UInt64) throws -> (key: String, slot: SlotID) {
        let request = try #require(request)
        launch(
            scene.runTable.handle(
                .requested(
                    .shortcuts,
                    Scene.user,
                    id: 7,
                    shortcut: request.shortcut,
                    .perform(PerformRequest(request), newRun: Scene.run(number), .found(probe))
                ),
                at: at(0)
            )
        )
        let accepted = RunTable.StepEvent.accepted(key: request.key, Scene.run(number))
        _ = scene.runTable.handle(.stepReported(request.shortcut, accepted), at: at(0))
        let slot = try #require(scene.runTable.slot(of: Scene.run(number)))
        _ = scene.launched(slot)
        _ = scene.runTable.handle(.reported(slot, .started), at: at(0))
        return (request.key, slot)
    }

    private mutating func finish(_ slot: SlotID) -> [RunTable.Action] {
        let result = WorkerResult(ending: .returned(value: nil, dialog: nil))
        return scene.runTable.handle(.reported(slot, .finished(result)), at: at(0))
    }

    private mutating func report(_ event: RunTable.StepEvent, to shortcut: RunID = shortcut) -> [RunTable.Action] {
        scene.runTable.handle(.stepReported(shortcut, event), at: at(0))
    }

    private static func ended(_ number: UInt64, _ key: String) -> RunTable.StepEvent {
        let end = RunEnd(run: Scene.run(number), outcome: .done(value: nil, dialog: nil), account: RunAccount())
        return .ended(key: key, end, app: "Probe")
    }

    enum Cause: CaseIterable { case time, failure, waitingRun, shutdown }

    @Test(arguments: Cause.allCases)
    mutating func `the worker of an ended step exits when the next steps have not ended soon, or another run waits`(
        cause: Cause
    ) throws {
        let begun = scene.perform("Sum", [:], onDisconnect: .continue, app: Self.plan(stepCount: 3))
        let (key, slot) = try begin(Self.request(in: begun), as: 2)
        let finished = finish(slot)
        #expect(Self.exits(finished) == [])
        #expect(finished.contains(.armTimer(.lingering, at: .monotonic(at(0).monotonic + .milliseconds(20)))))
        let after: [RunTable.Action]
        switch cause {
        case .time: after = scene.runTable.handle(.timerFired(.lingering), at: at(0))
        case .shutdown: after = scene.runTable.handle(.stopRequested, at: at(0))
        case .waitingRun:
            #expect(Self.exits(scene.echo(60, app: other)) == [])
            after = scene.echo(61, app: probe)
        case .failure:
            _ = report(Self.ended(2, key))
            after = report(.refused(key: StepKey(shortcut: Self.shortcut, step: "s2").text, message: "no"))
            // A shortcut that fails ends when nothing of its steps is left.
            #expect(scene.runTable.isLive(Self.shortcut))
        }
        #expect(Self.exits(after) == [slot])
        // The worker has its whole grace period from now on.
        #expect(after.contains { if case .armTimer(.run(Scene.run(2)), _) = $0 { true } else { false } })
        _ = scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(0))
        // A shortcut continues after a restart.
        #expect(scene.runTable.isLive(Self.shortcut) == (cause != .failure))
    }

    @Test mutating func `after a success, the workers of steps exit once the end is announced`() throws {
        probe.runCountMax = 32
        let begun = scene.perform("Sum", [:], onDisconnect: .continue, app: Self.plan(stepCount: 2))
        let (first, slot) = try begin(Self.request(in: begun), as: 2)
        _ = finish(slot)
        let (second, lastSlot) = try begin(Self.request(in: report(Self.ended(2, first))), as: 3)
        #expect(Self.exits(finish(lastSlot)) == [lastSlot])
        let ended = report(Self.ended(3, second))
        #expect(!scene.runTable.isLive(Self.shortcut) && Self.exits(ended) == [])
        #expect(ended.contains(.armTimer(.lingering, at: .monotonic(at(0).monotonic))))
        #expect(Self.exits(scene.runTable.handle(.timerFired(.lingering), at: at(0))) == [slot])
    }

    @Test(arguments: [false, true])
    mutating func `a step exits at once if a limit counts it, or if it has not ended`(hasLimit: Bool) throws {
        if hasLimit { probe.concurrency.add(ConcurrencyLimit(.all)) }
        let begun = scene.perform("Sum", [:], onDisconnect: .continue, app: Self.plan(stepCount: 3))
        let (_, slot) = try begin(Self.request(in: begun), as: 2)
        if !hasLimit { _ = scene.runTable.handle(.timerFired(.run(Scene.run(2))), at: at(100)) }
        #expect(Self.exits(finish(slot)) == [slot])
    }

    @Test mutating func `spares are replaced after a shortcut while another run of the app lives`() throws {
        probe.runCountMax = 32
        launch(scene.echo(60, app: probe))
        for number in stride(from: UInt64(100), to: 180, by: 10) {
            let begun = scene.perform(
                "Sum",
                [:],
                newRun: Scene.run(number),
                request: number,
                onDisconnect: .continue,
                app: Self.plan(stepCount: 1)
            )
            let (key, slot) = try begin(Self.request(in: begun), as: number + 1)
            _ = finish(slot)
            launch(report(Self.ended(number + 1, key), to: Scene.run(number)))
            launch(scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(0)))
            #expect(scene.runTable.spareCount > 0)
        }
    }
}
