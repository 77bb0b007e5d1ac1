import Foundation
import IntentLauncherMessages
import IntentLifecycle
import Testing

/// `[Agents]`: what agents may perform, and the approval by a person.
@Suite struct AgentTests {
    private static let person = ClientID(number: 2)

    private static func app(
        _ allowance: AgentRule.Allowance?,
        _ asking: AgentRule.Asking?,
        confirm: ConfirmRule = .caller
    ) -> InstalledApp {
        var app = Scene.app
        app.agents.allowance = allowance
        app.agents.asking = asking
        app.confirm = confirm
        return app
    }

    private static func origin(_ client: ClientID, user: Caller = Scene.user, agent: UInt32? = nil)
        -> RunTable.RequestOrigin
    {
        var caller = CallerProcess(user)
        caller.agent = agent
        var origin = RunTable.RequestOrigin(
            client: client,
            user: user,
            rank: RunAccess.Rank(of: user),
            groups: [],
            id: 7,
            caller: caller
        )
        origin.agent = agent
        return origin
    }

    private static func perform(
        _ scene: inout Scene,
        _ app: InstalledApp,
        agent: UInt32? = nil,
        number: UInt64 = 1,
        text: String = "hello"
    ) -> [RunTable.Action] {
        let request = PerformRequest(
            request: Scene.request(number),
            app: app.name.text,
            intent: "Echo",
            values: ["text": .string(text)],
            entryPoint: agent == nil ? .mcp : nil
        )
        let asked = RunTable.Request.perform(request, newRun: Scene.run(number), .found(app), refusal: nil)
        return scene.runTable.handle(.requested(origin(Scene.client, agent: agent), asked), at: at(0))
    }

    private static func answer(
        _ scene: inout Scene,
        _ value: Bool,
        from origin: RunTable.RequestOrigin,
        at seconds: Int64 = 1
    ) -> [RunTable.Action] {
        let answer = AnswerRequest(run: Scene.run(1).text, question: 0, value: .bool(value))
        return scene.runTable.handle(.requested(origin, .answer(answer)), at: at(seconds))
    }

    private static func question(in actions: [RunTable.Action]) -> OpenQuestion? {
        actions.lazy.compactMap { action in
            if case .publish(_, let numbered) = action, case .question(let open) = numbered.event { return open }
            return nil
        }.first
    }

    // MARK: Rules

    @Test(arguments: [
        (AgentRule.Allowance?.none, [false, false, false]), (AgentRule.Allowance.none, [false, false, false]),
        (.reading, [true, false, false]), (.all, [true, true, true]),
    ])
    func `the operator permits agents no intents, intents that read, or all intents`(
        allowance: AgentRule.Allowance?,
        expected: [Bool]
    ) {
        var rule = AgentRule()
        rule.allowance = allowance
        #expect(IntentDetails.Effect.allCases.map(rule.permits) == expected)
        #expect(rule.permits(.unknown("melts")) == (allowance == .all))
    }

    @Test(arguments: [
        (AgentRule.Asking?.none, [false, true, true], [false, false, true]),
        (AgentRule.Asking.never, [false, false, false], [false, false, false]),
        (.destructive, [false, false, true], [false, false, true]), (.always, [true, true, true], [true, true, true]),
    ])
    func `approval depends on the effect, and is required less often if the intent can be undone`(
        asking: AgentRule.Asking?,
        final: [Bool],
        undoable: [Bool]
    ) {
        var rule = AgentRule()
        rule.asking = asking
        let effects = IntentDetails.Effect.allCases
        #expect(effects.map { rule.asksAPerson(before: $0, isUndoable: false) } == final)
        #expect(effects.map { rule.asksAPerson(before: $0, isUndoable: true) } == undoable)
    }

    @Test func `an app that declares tools offers agents nothing else, unless the operator names the intent`() throws {
        var app = Self.app(.all, nil)
        var tool = IntentDeclaration(name: "Tool", title: "Tool")
        tool.details = IntentDetails()
        tool.details?.protocols = ["ToolIntent"]
        let other = IntentDeclaration(name: "Other", title: "Other")
        let named = IntentDeclaration(name: "Named", title: "Named")
        var rules = IntentRules()
        rules.agents = app.agents
        rules.agents?.namesIntent = true
        app.intentRules["Named"] = rules
        let fitted = try app.fitted(to: IntentCatalog(intents: [tool, other, named]))
        #expect([tool, other, named].map { fitted.permitsAgents(to: $0, .changes) } == [true, false, true])
        let plain = try app.fitted(to: IntentCatalog(intents: [other, named]))
        #expect([other, named].map { plain.permitsAgents(to: $0, .changes) } == [true, true])
    }

    @Test func `an agent cannot perform what the operator does not permit, whatever its client claims`() throws {
        for agent in [nil, UInt32(990)] {
            var scene = try Scene.ready()
            let error = Scene.refusal(in: Self.perform(&scene, Self.app(.reading, nil), agent: agent))
            #expect(error?.code == .notPermitted)
            #expect(error?.message == "agents may not perform Probe/Echo")
        }
        var scene = try Scene.ready()
        #expect(
            Scene.refusal(
                in: scene.perform("Echo", ["text": .string("a")], app: Self.app(AgentRule.Allowance.none, nil))
            ) == nil
        )
    }

    @Test func `agents have a bounded number of unfinished runs for one user`() throws {
        var capacity = RunTable.Capacity()
        capacity.agentRunCount = 2
        var scene = try Scene.ready(capacity)
        let app = Self.app(.all, .never)
        for number in UInt64(1)...2 {
            #expect(Scene.refusal(in: Self.perform(&scene, app, number: number)) == nil)
        }
        let refusal = try #require(Scene.refusal(in: Self.perform(&scene, app, number: 3)))
        #expect(refusal.code == .busy && refusal.retryAfter == .seconds(1))
        #expect(Scene.refusal(in: scene.echo(4)) == nil)
        // A run that has ended does not count, although its worker has not exited.
        let slot = try #require(scene.runTable.slot(of: Scene.run(1)))
        _ = scene.launched(slot)
        _ = scene.runTable.handle(.reported(slot, .started), at: at(0))
        let result = WorkerResult(ending: .returned(value: nil, dialog: nil))
        _ = scene.runTable.handle(.reported(slot, .finished(result)), at: at(0))
        #expect(scene.runTable.isLive(Scene.run(1)))
        #expect(Scene.refusal(in: Self.perform(&scene, app, number: 5)) == nil)
    }

    @Test func `runs that wait for an approval have their own limit, are named, and do not stop what only reads`()
        throws
    {
        var capacity = RunTable.Capacity()
        (capacity.agentRunCount, capacity.agentWaitingCount) = (1, 2)
        var scene = try Scene.ready(capacity)
        let app = Self.app(.all, .always)
        for number in UInt64(1)...2 {
            #expect(Scene.refusal(in: Self.perform(&scene, app, number: number)) == nil)
        }
        let refusal = try #require(Scene.refusal(in: Self.perform(&scene, app, number: 3)))
        #expect(refusal.code == .busy && refusal.retryAfter == nil)
        #expect(refusal.message.contains("MaxWaiting=2") && refusal.message.contains("\(Scene.run(1)), "))
        #expect(refusal.hint?.contains("intent_run_cancel") == true)
        // What another agent asked for is counted, but not named.
        let other = try #require(Scene.refusal(in: Self.perform(&scene, app, agent: 991, number: 4)))
        #expect(other.message.contains("MaxWaiting=2") && !other.message.contains("\(Scene.run(1))"))
        var reading = app
        reading.agents.effect = .reads
        #expect(Scene.refusal(in: Self.perform(&scene, reading, number: 5)) == nil)
    }

    @Test func `the approver is told by OnQuestion=`() throws {
        var scene = try Scene.ready()
        var app = Self.app(.all, .always)
        app.notify.onQuestion = NotifyRule.Target("Mail/Send")
        let told = Self.perform(&scene, app).compactMap { action -> String? in
            guard case .notify(.perform(let delivery)) = action, delivery.notification.event == .question else {
                return nil
            }
            return delivery.notification.message
        }
        #expect(told.count == 1 && told.first?.contains("intentctl answer \(Scene.run(1))") == true)
    }

    // MARK: Approval

    @Test func `a run that needs approval starts only after it, and the receipt has the digest of the question`()
        throws
    {
        var scene = try Scene.ready()
        let asked = Self.perform(&scene, Self.app(.all, .always))
        #expect(scene.launchedRuns(asked) == [])
        let open = try #require(Self.question(in: asked))
        #expect(open.question.number == 0)
        #expect(open.question.text.contains("Probe/Echo"))
        #expect(open.question.text.contains(#"text="hello""#))
        #expect(open.question.digest?.count == 64)
        #expect(try scene.status().waitingCount == 1)
        #expect(try scene.status().runningCount == 0)

        let approved = Self.answer(&scene, true, from: Self.origin(Self.person))
        #expect(scene.launchedRuns(approved) == [1])
        let notice = try #require(
            approved.lazy.compactMap { action -> RecordedAnswer? in
                if case .record(let record) = action, case .answered(let answer) = record.fact { return answer }
                return nil
            }.first
        )
        #expect(notice.digest == open.question.digest)
        #expect(notice.isSameUser == true)
        #expect(notice.value == .bool(true))
        // The approval is used up.
        #expect(Scene.refusal(in: Self.answer(&scene, true, from: Self.origin(Self.person)))?.code == .noQuestion)
    }

    @Test func `text that an agent chooses cannot imitate or displace another part of the question`() throws {
        let forged = #"a", b="c. Files: none. The client says that it is "x"#
        for text in [forged, "line\nValues: none", String(repeating: "x", count: 100_000)] {
            var scene = try Scene.ready()
            let asked = Self.perform(&scene, Self.app(.all, .always), text: text)
            let shown = try #require(Self.question(in: asked)).question.text
            #expect(shown.hasPrefix("An agent asks to perform Probe/Echo. Values: text=\""))
            #expect(shown.count < 1000 && !shown.contains("\n"))
            #expect(shown.components(separatedBy: #"". The client says that it is ""#).count <= 2)
            #expect(!shown.contains(forged))
            if text.count > 200 { #expect(shown.contains("100002 characters")) }
            #expect(shown.hasSuffix("process 0"))
        }
    }

    @Test func `the lines and the invisible characters of a value are visible in the question`() throws {
        var scene = try Scene.ready()
        let text = "echo ok # only\nrm -rf x\u{202E}\u{61C}\u{E0041}\u{2800}"
        let asked = Self.perform(&scene, Self.app(.all, .always), text: text)
        let shown = try #require(Self.question(in: asked)).question.text
        #expect(shown.contains(#"text="echo ok # only\nrm -rf x\u{202E}\u{61C}\u{E0041}\u{2800}""#), "\(shown)")
    }

    @Test func `a refused request ends without a worker`() throws {
        var scene = try Scene.ready()
        _ = Self.perform(&scene, Self.app(.all, .always))
        let refused = Self.answer(&scene, false, from: Self.origin(Self.person))
        #expect(scene.launchedRuns(refused) == [])
        #expect(!scene.runTable.isLive(Scene.run(1)))
    }

    @Test func `an approval expires`() throws {
        var scene = try Scene.ready()
        _ = Self.perform(&scene, Self.app(.all, .always))
        _ = scene.runTable.handle(.timerFired(.run(Scene.run(1))), at: at(3599))
        #expect(scene.runTable.isLive(Scene.run(1)))
        _ = scene.runTable.handle(.timerFired(.run(Scene.run(1))), at: at(3600))
        #expect(!scene.runTable.isLive(Scene.run(1)))
        #expect(Scene.refusal(in: Self.answer(&scene, true, from: Self.origin(Self.person), at: 3601)) != nil)
    }

    @Test func `an agent with a uid of its own never approves its own request`() throws {
        var scene = try Scene.ready()
        let asked = Self.perform(&scene, Self.app(.all, .always), agent: 990)
        #expect(Self.question(in: asked)?.needsOther == true)
        let own = Self.answer(&scene, true, from: Self.origin(Scene.client, agent: 990))
        #expect(Scene.refusal(in: own)?.code == .notPermitted)
        #expect(scene.runTable.isLive(Scene.run(1)))
        let approved = Self.answer(&scene, true, from: Self.origin(Self.person))
        #expect(scene.launchedRuns(approved) == [1])
        let isSameUser = approved.contains { action in
            if case .record(let record) = action, case .answered(let answer) = record.fact {
                return answer.isSameUser == true
            }
            return false
        }
        #expect(!isSameUser)
    }

    @Test func `answers in advance approve nothing`() throws {
        var scene = try Scene.ready()
        var answers = AnswersInAdvance()
        answers.confirmations = .all
        let asked = scene.perform(
            "Echo",
            ["text": .string("a")],
            entryPoint: .mcp,
            answers: answers,
            app: Self.app(.all, .always)
        )
        #expect(scene.launchedRuns(asked) == [])
        #expect(Self.question(in: asked) != nil)
    }

    @Test func `if Confirm= requires another user, the caller cannot approve`() throws {
        var scene = try Scene.ready()
        _ = Self.perform(&scene, Self.app(.all, .always, confirm: .other))
        let own = Self.answer(&scene, true, from: Self.origin(Self.person))
        #expect(Scene.refusal(in: own)?.code == .notPermitted)
        let other = Self.answer(&scene, true, from: Self.origin(Self.person, user: .local(user: 1001)))
        #expect(scene.launchedRuns(other) == [1])
    }

    @Test func `an approved run replaces older runs when it is approved, and not before`() throws {
        var scene = try Scene.ready()
        var app = Self.app(.all, .always)
        app.concurrency.add(ConcurrencyLimit(.all, overflow: .replace))
        let first = scene.perform("Echo", ["text": .string("a")], newRun: Scene.run(2), request: 2, app: app)
        let slot = try scene.launchedSlot(first, mode: .once)
        _ = scene.runTable.handle(.launched(slot, Scene.isolation), at: at(0))
        _ = scene.runTable.handle(.reported(slot, .started), at: at(0))
        let cancelled = RunTable.Action.send(slot, Scene.run(2), .cancel(reason: .replaced, graceMilliseconds: 1000))
        #expect(!Self.perform(&scene, app).contains(cancelled))
        #expect(Self.answer(&scene, true, from: Self.origin(Self.person)).contains(cancelled))
    }

    @Test func `a run for which the operator requires no approval starts at once`() throws {
        var scene = try Scene.ready()
        #expect(scene.launchedRuns(Self.perform(&scene, Self.app(.all, .never))) == [1])
    }
}
