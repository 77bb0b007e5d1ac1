import IntentLauncherMessages
import IntentLifecycle
import Testing

/// What the end of a shortcut says, and what the steps of one receive.
@Suite struct ShortcutResultTests {
    private static func shortcut(_ change: (inout ShortcutPlan) -> Void = { _ in }, steps: ShortcutPlan.Step...)
        -> InstalledApp
    {
        var plan = ShortcutPlan(title: "Sum")
        plan.steps = steps
        change(&plan)
        let intent = IntentDeclaration(name: "Sum", title: "Sum up", traits: [.progressReporting, .cancellable])
        var app = Scene.app("Sum")
        app.shortcut = InstalledShortcut(plan: plan, catalog: IntentCatalog(intents: [intent]))
        app.limits = app.limits.ofShortcut
        return app
    }

    private static let step = ShortcutPlan.Step(
        name: "one",
        line: 1,
        work: .perform(app: "Probe", intent: "AddIntent", values: ["left": .init([.text("40")])])
    )

    /// A live shortcut of one step, and the step's request.
    private static func begun(_ app: InstalledApp) throws -> (scene: Scene, step: StepRequest) {
        var scene = try Scene.ready()
        let actions = scene.perform("Sum", [:], onDisconnect: .continue, app: app)
        let requests = actions.compactMap { if case .conduct(_, .request(let request)) = $0 { request } else { nil } }
        return (scene, try #require(requests.first))
    }

    /// Ends the step, of which the run has ended and exited. Returns the end of the shortcut.
    private static func end(
        _ step: StepRequest,
        _ outcome: RunOutcome,
        undo: UndoOffer? = nil,
        in scene: inout Scene
    ) -> RunEnd? {
        var account = RunAccount()
        if let undo { account.details = RunDetails(undo: undo) }
        let end = RunEnd(run: Scene.run(2), outcome: outcome, account: account)
        let actions = scene.runTable.handle(
            .stepReported(Scene.run(1), .ended(key: step.key, end, app: "Probe")),
            at: at(1)
        )
        return actions.lazy.compactMap { action in
            if case .record(let record) = action, case .ended(let end) = record.fact {
                return RunEnd(run: record.run, outcome: end.outcome, account: end.account)
            }
            return nil
        }.first
    }

    @Test func `a shortcut can be undone if one of its steps registered an undo`() throws {
        let undo = UndoOffer(intent: IntentReference(intent: "Subtract", values: [:]))
        for offer in [undo, nil] {
            var (scene, step) = try Self.begun(Self.shortcut(steps: Self.step))
            let end = try #require(Self.end(step, .done(value: .int(41), dialog: nil), undo: offer, in: &scene))
            #expect(end.account.details?.undo?.intent?.intent == (offer == nil ? nil : "Sum"))
        }
    }

    @Test func `a shortcut that fails says so in its message, and nothing beside it`() throws {
        var (scene, step) = try Self.begun(Self.shortcut(steps: Self.step))
        let end = try #require(Self.end(step, .failed(message: "no sum"), in: &scene))
        guard case .failed(let message) = end.outcome else { return #expect(Bool(false), "\(end)") }
        #expect(message.contains("no sum") && end.account.details?.supportingDialog == nil)
    }

    @Test func `the result of a shortcut is the value that its file names`() throws {
        for result in [ShortcutPlan.Template([.value(.init("one"))]), nil] {
            var (scene, step) = try Self.begun(Self.shortcut({ $0.result = result }, steps: Self.step))
            let end = try #require(Self.end(step, .done(value: .int(41), dialog: nil), in: &scene))
            #expect(end.outcome == .done(value: result == nil ? nil : .int(41), dialog: nil))
        }
    }

    @Test func `a shortcut in the list of runs has no remaining time`() throws {
        var (scene, _) = try Self.begun(Self.shortcut(steps: Self.step))
        _ = try scene.launchedSlot(scene.echo(3), mode: .once)
        let listed = scene.runTable.handle(.requested(Scene.client, Scene.user, id: 9, .runs(held: [])), at: at(1))
        let runs = listed.lazy.compactMap { if case .answer(_, _, .runs(let runs)) = $0 { runs } else { nil } }.first
        #expect(try #require(runs).first { $0.run == Scene.run(1) }?.remaining == nil)
    }
}
