import IntentLauncherMessages
import IntentLifecycle
import Testing

/// The approval of an agent's shortcut, and what it covers.
@Suite struct PlanApprovalTests {
    private static let plan: ShortcutPlan = {
        var plan = ShortcutPlan(title: "Plan")
        plan.steps = [
            step("known", ["path": .init([.text("/srv/a")])]), step("given", ["path": .init([.value(.init("file"))])]),
            step("seen", ["path": .init([.value(.init("known"))])]),
        ]
        return plan
    }()

    private static func step(_ name: String, _ values: [String: ShortcutPlan.Template]) -> ShortcutPlan.Step {
        ShortcutPlan.Step(name: name, line: 1, work: .perform(app: "Probe", intent: "Move", values: values))
    }

    private static func app(_ plan: ShortcutPlan = plan, versions: [String: String]) -> InstalledApp {
        let intent = IntentDeclaration(name: "Plan", title: "Plan", traits: [.progressReporting, .cancellable])
        var shortcut = InstalledShortcut(plan: plan, catalog: IntentCatalog(intents: [intent]))
        shortcut.versions = versions
        return .personal(InstalledApp.planName, shortcut, of: Scene.user, limits: RunLimits())
    }

    /// Performs a plan as an agent until a person has approved it, and then requests one of its steps.
    ///
    /// - Returns: The actions of the step's request.
    private static func request(
        _ name: String,
        key: String? = nil,
        _ change: (inout InstalledApp) -> Void = { _ in },
        asApproved approves: Bool = true,
        confirmedBy rule: ConfirmRule = .caller
    ) throws -> (scene: ApprovalScene, actions: [RunTable.Action]) {
        var scene = try ApprovalScene(.always, confirm: rule)
        _ = scene.handle(.reload(RunTable.Capacity(), [scene.app], warnings: []), by: .root, seconds: 0)
        let plan = app(versions: ["Probe": scene.app.version])
        let origin = ApprovalScene.Sender.agentOverMCP.origin()
        var request = PerformRequest(request: Scene.request(1), app: "plan", intent: "Plan", onDisconnect: .continue)
        request.entryPoint = .mcp
        let asked = scene.scene.runTable.handle(
            .requested(origin, .perform(request, newRun: Scene.run(1), .found(plan))),
            at: at(0)
        )
        #expect(asked.question != nil, "\(asked)")
        _ = scene.answer(.bool(approves), to: 0, by: rule == .caller ? .person : .root)
        var step = PerformRequest(
            request: Scene.request(2),
            app: "Probe",
            intent: "Move",
            values: ["path": .string("/srv/a")],
            onDisconnect: .continue,
            key: key ?? StepKey(shortcut: Scene.run(1), step: name).text
        )
        step.entryPoint = .mcp
        var ofStep = origin
        ofStep.client = .shortcuts
        ofStep.shortcut = Scene.run(1)
        var probe = scene.app
        change(&probe)
        let actions = scene.scene.runTable.handle(
            .requested(ofStep, .perform(step, newRun: Scene.run(2), .found(probe))),
            at: at(1)
        )
        return (scene, actions)
    }

    private static func isCovered(_ actions: [RunTable.Action]) -> Bool {
        actions.contains { action in
            if case .record(let record) = action, case .answered(let answer) = record.fact {
                return answer.isInAdvance == true && answer.standing?.run == Scene.run(1)
            }
            return false
        }
    }

    @Test(arguments: ["known", "given", "seen"])
    func `the approval of the whole covers its steps, and the record names it`(name: String) throws {
        let (_, actions) = try Self.request(name)
        #expect(Self.isCovered(actions), "\(actions)")
    }

    @Test func `a destructive step is covered only with values that the person has seen`() throws {
        for (name, isCovered) in [("known", true), ("given", true), ("seen", false)] {
            let (_, actions) = try Self.request(name) { $0.agents.effect = .destroys }
            #expect(Self.isCovered(actions) == isCovered, "\(name): \(actions)")
        }
    }

    @Test func `an undo is covered unless it destroys data or another user must confirm it`() throws {
        let key = UndoKey(run: Scene.run(3), attempt: 1).text
        #expect(Self.isCovered(try Self.request("known", key: key).actions))
        #expect(!Self.isCovered(try Self.request("known", key: key) { $0.agents.effect = .destroys }.actions))
        #expect(!Self.isCovered(try Self.request("known", key: key) { $0.confirm = .other }.actions))
    }

    @Test func `a step that another user must confirm is not covered by the approval of the caller`() throws {
        let (_, actions) = try Self.request("known") { $0.confirm = .other }
        #expect(!Self.isCovered(actions), "\(actions)")
    }

    @Test func `the user who confirms the whole confirms its steps, also those that anyone may confirm`() throws {
        #expect(Self.isCovered(try Self.request("known", confirmedBy: .other).actions))
        #expect(Self.isCovered(try Self.request("known", { $0.confirm = .caller }, confirmedBy: .other).actions))
        #expect(
            !Self.isCovered(try Self.request("known", { $0.confirm = .members(of: [7]) }, confirmedBy: .other).actions)
        )
    }

    @Test func `a step of an app with another version is asked again`() throws {
        let (_, actions) = try Self.request("known") { $0.fingerprint.executable.modifiedNanoseconds += 1 }
        // The app describes its intents again first.
        #expect(!Self.isCovered(actions), "\(actions)")
    }

    @Test func `what a person has refused covers nothing`() throws {
        let (_, actions) = try Self.request("known", asApproved: false)
        #expect(!Self.isCovered(actions), "\(actions)")
    }

    /// Requests a plan as an agent, after a reload with this app.
    private static func requestPlan(
        _ app: InstalledApp,
        _ plan: ShortcutPlan = plan,
        in scene: inout ApprovalScene
    ) -> [RunTable.Action] {
        _ = scene.handle(.reload(RunTable.Capacity(), [app], warnings: []), by: .root, seconds: 0)
        var request = PerformRequest(request: Scene.request(1), app: "plan", intent: "Plan", onDisconnect: .continue)
        request.entryPoint = .mcp
        let plan = AppLookup.found(Self.app(plan, versions: ["Probe": app.version]))
        return scene.scene.runTable.handle(
            .requested(ApprovalScene.Sender.agentOverMCP.origin(), .perform(request, newRun: Scene.run(1), plan)),
            at: at(0)
        )
    }

    @Test func `a plan of steps that need no approval needs none, and one step that needs it is enough`() throws {
        for asking in [AgentRule.Asking.never, .always] {
            var scene = try ApprovalScene(asking)
            let actions = Self.requestPlan(scene.app, in: &scene)
            #expect((actions.question == nil) == (asking == .never), "\(actions)")
        }
    }

    @Test func `a plan with the value of a secret parameter is refused to an agent, and performed for a person`() throws
    {
        for sender in [ApprovalScene.Sender.agentOverMCP, .person] {
            var scene = try ApprovalScene(.always)
            _ = scene.handle(.reload(RunTable.Capacity(), [scene.app], warnings: []), by: .root, seconds: 0)
            var plan = Self.plan
            plan.steps = [Self.step("secret", ["path": .init([.text("a")]), "token": .init([.text("s3cret")])])]
            let lookup = AppLookup.found(Self.app(plan, versions: ["Probe": scene.app.version]))
            var request = PerformRequest(
                request: Scene.request(1),
                app: "plan",
                intent: "Plan",
                onDisconnect: .continue
            )
            request.entryPoint = sender.entryPoint
            let actions = scene.scene.runTable.handle(
                .requested(sender.origin(), .perform(request, newRun: Scene.run(1), lookup)),
                at: at(0)
            )
            let refusal = Scene.refusal(in: actions)
            #expect((refusal?.code == .notPermitted) == (sender == .agentOverMCP), "\(actions)")
            #expect(refusal == nil || refusal?.message.contains("'token'") == true)
        }
    }

    @Test func `a plan with a step that another user must confirm is not approved by its caller`() throws {
        for rule in [ConfirmRule.caller, .other] {
            var scene = try ApprovalScene(.always, confirm: rule)
            #expect(Self.requestPlan(scene.app, in: &scene).question != nil)
            #expect(scene.answer(.bool(true), to: 0, by: .person).isAccepted == (rule == .caller))
            if rule == .other { #expect(scene.answer(.bool(true), to: 0, by: .root).isAccepted) }
        }
    }

    @Test(arguments: ["Probe/Move", "Probe/Copy", "Gone/Move"])
    func `a plan is confirmed by another user only if that user may run each of its steps`(second: String) throws {
        var scene = try ApprovalScene(.always, confirm: .other)
        var rules = IntentRules()
        rules.access = .only(users: [Scene.user], groups: [])
        scene.app.intentRules["Copy"] = rules
        let names = second.split(separator: "/").map(String.init)
        var plan = Self.plan
        plan.steps[2].work = .perform(app: names[0], intent: names[1], values: ["path": .init([.text("/srv/a")])])
        #expect(Self.requestPlan(scene.app, plan, in: &scene).question != nil)
        // The user may run every intent of the app but one, and no intent of an app that is not installed.
        let mayConfirm = second == "Probe/Move"
        #expect(scene.answer(.bool(true), to: 0, by: .otherUser).isAccepted == mayConfirm)
        if !mayConfirm { #expect(scene.answer(.bool(true), to: 0, by: .root).isAccepted) }
    }

    @Test func `the digest of a plan covers its steps, its values and the versions of the apps`() throws {
        func digest(_ change: (inout ShortcutPlan) -> Void = { _ in }, version: String = "1") throws -> String? {
            var plan = Self.plan
            change(&plan)
            var scene = try ApprovalScene(.always)
            var request = PerformRequest(
                request: Scene.request(1),
                app: "plan",
                intent: "Plan",
                onDisconnect: .continue
            )
            request.entryPoint = .mcp
            let lookup = AppLookup.found(Self.app(plan, versions: ["Probe": version]))
            return scene.scene.runTable.handle(
                .requested(
                    ApprovalScene.Sender.agentOverMCP.origin(),
                    .perform(request, newRun: Scene.run(1), lookup)
                ),
                at: at(0)
            ).question?.question.digest
        }
        let first = try digest()
        #expect(first != nil)
        #expect(try digest() == first)
        #expect(try digest(version: "2") != first)
        #expect(try digest { $0.steps.removeLast() } != first)
        #expect(try digest { $0.steps[0].retryCount = 1 } != first)
        #expect(try digest { $0.steps[0].work = .perform(app: "Probe", intent: "Move", values: [:]) } != first)
        #expect(try digest { $0.undoesOnFailure = true } != first)
        #expect(try digest { $0.result = .init([.value(.init("known"))]) } != first)
    }

    @Test func `a text in a template cannot look like a placeholder`() {
        let text = Self.step("a", ["path": .init([.text("%{known}"), .text("\n\u{202E}")])]).text
        #expect(text == #"Probe/Move path="%%{known}\n\u{202E}""#)
    }

    @Test func `the agent's request for what a program's Undo= reverses is approved by a person`() throws {
        var app = Scene.app
        app.agents.allowance = .all
        var details = IntentDetails()
        details.protocols = ["UndoableIntent"]
        let intent = IntentDeclaration(name: "Move", title: "Move", details: details)
        var described = app.applyingRules(to: IntentCatalog(intents: [intent])).intents[0]
        #expect(described.details?.needsApproval == nil)
        app.fingerprint.commandFile = app.fingerprint.executable
        described = app.applyingRules(to: IntentCatalog(intents: [intent])).intents[0]
        #expect(described.details?.needsApproval == true)
    }

    // MARK: Users' shortcuts

    @Test func `a user's shortcuts are bounded, and a stored row is read only under its own name`() {
        var own = OwnShortcuts()
        let payer = SubordinateIDs().account(of: Scene.user)
        var rows: [String: String] = [:]
        for number in 0..<OwnShortcutText.countLimit {
            let text = OwnShortcutText(name: "S\(number)", text: "x")
            let entry = OwnShortcuts.Entry(text, of: Scene.user, intent: "A", title: "A")
            #expect(own.refusal(of: entry, payer: payer) == nil)
            let row = own.add(entry, payer: payer)
            rows[row.name] = row.value
        }
        let more = OwnShortcuts.Entry(OwnShortcutText(name: "T", text: "x"), of: Scene.user, intent: "A", title: "A")
        #expect(own.refusal(of: more, payer: payer)?.code == .busy)
        // A stored shortcut can be replaced.
        let same = OwnShortcuts.Entry(OwnShortcutText(name: "S0", text: "y"), of: Scene.user, intent: "A", title: "A")
        #expect(own.refusal(of: same, payer: payer) == nil)
        let other = OwnShortcuts.Entry(more.shortcut, of: .local(user: 7), intent: "A", title: "A")
        #expect(own.refusal(of: other, payer: SubordinateIDs().account(of: .local(user: 7))) == nil)
        var next = OwnShortcuts()
        next.recall(rows) { SubordinateIDs().account(of: $0) }
        #expect(next.all(of: Scene.user).count == OwnShortcutText.countLimit)
        var forged = OwnShortcuts()
        forged.recall(["own-shortcut 7 x Y": rows.values.first ?? ""]) { SubordinateIDs().account(of: $0) }
        #expect(forged.all(of: Scene.user).isEmpty)
    }

    @Test func `a user's live shortcuts have a share of MaxSize=, and other users keep theirs`() {
        var budget = StepBudget()
        let (one, two) = (SubordinateIDs().account(of: .local(user: 1)), SubordinateIDs().account(of: .local(user: 2)))
        budget.add(600, of: Scene.run(2), to: Scene.run(1), of: one)
        budget.add(600, of: Scene.run(2), to: Scene.run(1), of: one)
        #expect(budget.refusal(for: one, limit: 1000)?.contains("MaxSize= in [History]") == true)
        #expect(budget.refusal(for: two, limit: 1000) == nil)
        #expect(budget.refusal(for: one, limit: nil) == nil)
        budget.remove(Scene.run(1))
        #expect(budget.refusal(for: one, limit: 1000) == nil)
    }

    @Test func `a request that a limit refuses is repeated later, and fails no step`() throws {
        var machine = ShortcutMachine(Self.plan, run: Scene.run(1), values: [:])
        let begun = machine.begin(with: [], at: 0)
        let requests = begun.compactMap { if case .request(let request) = $0 { request } else { nil } }
        let request = try #require(requests.first, "\(begun)")
        #expect(machine.runDelayed(request, until: 5).isEmpty)
        #expect(machine.nextWake == 5)
        #expect(machine.timePassed(at: 4).isEmpty)
        #expect(machine.timePassed(at: 5) == [.request(request)])
        // A shortcut that is cancelled meanwhile does not wait for the request.
        _ = machine.runDelayed(request, until: 9)
        let ended = machine.cancelled(.userCancelled, at: 6)
        #expect(ended.contains { if case .end = $0 { true } else { false } }, "\(ended)")
    }
}
