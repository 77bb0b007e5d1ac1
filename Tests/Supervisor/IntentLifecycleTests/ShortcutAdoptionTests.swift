import IntentLauncherMessages
import IntentLifecycle
import Testing

/// A live shortcut under the next intentd: it continues with the steps that were recorded.
@Suite struct ShortcutAdoptionTests {
    private static func plan(_ step: String) -> ShortcutPlan {
        var plan = ShortcutPlan(title: "Sum")
        let work = ShortcutPlan.Work.perform(app: "Probe", intent: "AddIntent", values: ["left": .init([.text("40")])])
        plan.steps = [ShortcutPlan.Step(name: step, line: 1, work: work)]
        return plan
    }

    private static func shortcut(_ step: String = "recorded") -> InstalledApp {
        let intent = IntentDeclaration(name: "Sum", title: "Sum", traits: [.progressReporting, .cancellable])
        var app = Scene.app("Sum")
        app.shortcut = InstalledShortcut(plan: plan(step), catalog: IntentCatalog(intents: [intent]))
        app.limits = app.limits.ofShortcut
        return app
    }

    private static func requests(_ actions: [RunTable.Action]) -> [StepRequest] {
        actions.compactMap { if case .conduct(_, .request(let request)) = $0 { request } else { nil } }
    }

    /// The rows that the history has stored.
    private static func rows(_ actions: [RunTable.Action]) -> [String: String] {
        var rows: [String: String] = [:]
        for case .record(let record) in actions {
            if case .stored(let name, let value) = record.fact { rows[name] = value }
        }
        return rows
    }

    /// The next table, which has found run 1 as the actions of its request have recorded it.
    private static func next(
        after begun: [RunTable.Action],
        _ lookup: AppLookup,
        state: RunState = .running,
        _ change: (inout UnfinishedRun) -> Void = { _ in }
    ) throws -> (table: RunTable, actions: [RunTable.Action]) {
        var record = UnfinishedRun(
            run: Scene.run(1),
            accepted: try #require(begun.accepted),
            acceptedMonotonic: 0,
            acceptedBoottime: 0,
            state: state
        )
        change(&record)
        var table = RunTable(capacity: RunTable.Capacity(), succession: .adopts, at: at(2))
        _ = table.handle(.recalled(rows(begun)), at: at(2))
        _ = table.handle(.inputsKept(Scene.run(1)), at: at(2))
        let actions = table.handle(.found(FoundRun(record, app: lookup), absence: .zero), at: at(2))
        return (table, actions)
    }

    private static func outcome(in actions: [RunTable.Action]) -> RunOutcome? {
        actions.lazy.compactMap { action in
            if case .record(let record) = action, case .ended(let end) = record.fact { return end.outcome }
            return nil
        }.first
    }

    @Test func `a shortcut continues with its recorded steps, whatever its file contains now`() throws {
        var scene = try Scene.ready()
        let begun = scene.perform("Sum", [:], onDisconnect: .continue, app: Self.shortcut())
        for lookup in [AppLookup.found(Self.shortcut("changed")), .unknown(name: "Sum", installed: [])] {
            var (table, found) = try Self.next(after: begun, lookup)
            #expect(Self.outcome(in: found) == nil && Self.requests(found).isEmpty)
            let recalled = table.handle(.stepReported(Scene.run(1), .recalled([])), at: at(3))
            #expect(Self.requests(recalled).map(\.key) == Self.requests(begun).map(\.key))
        }
    }

    @Test func `a shortcut that had to stop ends under the next intentd`() throws {
        var scene = try Scene.ready()
        let begun = scene.perform("Sum", [:], onDisconnect: .continue, app: Self.shortcut())
        var (table, found) = try Self.next(after: begun, .found(Self.shortcut())) { $0.stopReason = .userCancelled }
        let isDelivered = found.contains {
            if case .conduct(_, .deliver(.cancelled(.userCancelled))) = $0 { true } else { false }
        }
        #expect(isDelivered)
        for event in [RunTable.StepEvent.delivered(.cancelled(.userCancelled)), .recalled([])] {
            found += table.handle(.stepReported(Scene.run(1), event), at: at(3))
        }
        #expect(Self.requests(found).isEmpty)
        #expect(!table.isLive(Scene.run(1)))
    }

    @Test func `a plan of an agent that waits for its approval waits for it under the next intentd`() throws {
        var scene = try ApprovalScene(.always)
        let catalog = IntentCatalog(intents: [IntentDeclaration(name: "Plan", title: "Plan", traits: [.cancellable])])
        let shortcut = InstalledShortcut(plan: Self.plan("recorded"), catalog: catalog)
        let app = InstalledApp.personal(InstalledApp.planName, shortcut, of: Scene.user, limits: RunLimits())
        var request = PerformRequest(request: Scene.request(1), app: "plan", intent: "Plan", onDisconnect: .continue)
        request.entryPoint = .mcp
        let asked = scene.scene.runTable.handle(
            .requested(
                ApprovalScene.Sender.agentOverMCP.origin(),
                .perform(request, newRun: Scene.run(1), .found(app))
            ),
            at: at(0)
        )
        #expect(asked.question != nil)
        var (table, found) = try Self.next(after: asked, .unknown(name: "plan", installed: []), state: .asking)
        #expect(table.openQuestion(of: Scene.run(1)) == 0 && Self.requests(found).isEmpty, "\(found)")
        let answer = AnswerRequest(run: Scene.run(1).text, question: 0, value: .bool(true))
        let approved = table.handle(.requested(ApprovalScene.Sender.person.origin(), .answer(answer)), at: at(3))
        #expect(approved.isAccepted)
        #expect(Self.requests(approved).map(\.intent) == ["AddIntent"], "\(approved)")
    }

    @Test func `a shortcut with a recorded end is not performed again`() throws {
        var scene = try Scene.ready()
        let begun = scene.perform("Sum", [:], onDisconnect: .continue, app: Self.shortcut())
        let (table, found) = try Self.next(after: begun, .found(Self.shortcut())) {
            $0.end = RunEnd(run: Scene.run(1), outcome: .done(value: .int(1), dialog: nil), account: RunAccount())
        }
        #expect(!table.isLive(Scene.run(1)) && Self.requests(found).isEmpty)
        let hasExited = found.contains { action in
            if case .record(let record) = action, case .exited = record.fact { return true }
            return false
        }
        #expect(hasExited, "\(found)")
    }
}
