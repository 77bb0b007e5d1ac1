import IntentLauncherMessages
import IntentLifecycle
import Testing

/// Which runs count against the limits of `[Agents]`: the live runs that agents requested for the account.
@Suite struct AgentLimitTests {
    private static let asking = Question(number: 1, text: "How many?", parameter: "text", type: .string)

    private static func app(_ asking: AgentRule.Asking = .never) -> InstalledApp {
        var app = Scene.app
        app.agents.allowance = .all
        app.agents.asking = asking
        return app
    }

    private static func scene(runs: Int, waiting: Int = 10) throws -> Scene {
        var capacity = RunTable.Capacity()
        (capacity.agentRunCount, capacity.agentWaitingCount) = (runs, waiting)
        return try Scene.ready(capacity)
    }

    private static func perform(
        _ scene: inout Scene,
        _ number: UInt64,
        user: Caller = Scene.user,
        app: InstalledApp = app()
    ) -> [RunTable.Action] {
        scene.perform(
            "Echo",
            ["text": .string("a")],
            id: number,
            newRun: Scene.run(number),
            request: number,
            user: user,
            entryPoint: .mcp,
            app: app
        )
    }

    private static func isAccepted(_ actions: [RunTable.Action]) -> Bool { Scene.refusal(in: actions) == nil }

    @Test func `a person's own runs, and the agents of other users, take nothing from an agent's limit`() throws {
        var scene = try Self.scene(runs: 1)
        for number in UInt64(1)...3 { #expect(Self.isAccepted(scene.echo(number))) }
        #expect(Self.isAccepted(Self.perform(&scene, 4, user: .local(user: 1001))))
        #expect(Self.isAccepted(Self.perform(&scene, 5)))
        #expect(Scene.refusal(in: Self.perform(&scene, 6))?.code == .busy)
        #expect(Scene.refusal(in: Self.perform(&scene, 7, user: .local(user: 1001)))?.code == .busy)
    }

    @Test func `a run that asks a person counts against MaxWaiting=, and not against MaxRuns=`() throws {
        var scene = try Self.scene(runs: 1, waiting: 1)
        let slot = try scene.launchedSlot(Self.perform(&scene, 1), mode: .once)
        _ = scene.launched(slot)
        _ = scene.runTable.handle(.reported(slot, .started), at: at(0))
        #expect(Scene.refusal(in: Self.perform(&scene, 2))?.retryAfter == .seconds(1))
        _ = scene.runTable.handle(.reported(slot, .question(Self.asking)), at: at(0))
        let waiting = try #require(Scene.refusal(in: Self.perform(&scene, 3)))
        #expect(waiting.message.contains("MaxWaiting=1") && waiting.retryAfter == nil)
        var reading = Self.app()
        reading.agents.effect = .reads
        #expect(Self.isAccepted(Self.perform(&scene, 4, app: reading)))
    }

    @Test func `a shortcut that waits for its approval leaves the limit of other runs as it is`() throws {
        var scene = try Self.scene(runs: 1)
        var plan = ShortcutPlan(title: "Plan")
        plan.steps = [.init(name: "one", line: 1, work: .perform(app: "Probe", intent: "Echo", values: [:]))]
        let catalog = IntentCatalog(intents: [IntentDeclaration(name: "Plan", title: "Plan", traits: [.cancellable])])
        let shortcut = InstalledApp.personal(
            InstalledApp.planName,
            InstalledShortcut(plan: plan, catalog: catalog),
            of: Scene.user,
            limits: RunLimits()
        )
        let asked = scene.perform("Plan", [:], newRun: Scene.run(1), entryPoint: .mcp, app: shortcut)
        #expect(asked.question != nil)
        #expect(Self.isAccepted(Self.perform(&scene, 2)))
        #expect(Scene.refusal(in: Self.perform(&scene, 3))?.retryAfter == .seconds(1))
    }

    @Test(arguments: [(5, false), (6, true)])
    func `an error names at most five runs that wait, and says that there are more`(count: Int, isCut: Bool) throws {
        var scene = try Self.scene(runs: 10, waiting: count)
        let app = Self.app(.always)
        for number in 1...count { #expect(Self.isAccepted(Self.perform(&scene, UInt64(number), app: app))) }
        let refusal = try #require(Scene.refusal(in: Self.perform(&scene, 99, app: app)))
        let named = (1...count).count { refusal.message.contains(Scene.run(UInt64($0)).text) }
        #expect(named == 5 && refusal.message.contains("…") == isCut)
    }
}
