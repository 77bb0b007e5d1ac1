import IntentLauncherMessages
import IntentLifecycle
import Testing

/// Questions whether a run may connect to a host (`AllowHosts=ask`).
@Suite struct HostQuestionTests {
    private static var app: InstalledApp {
        var app = Scene.app
        app.grants.hasHosts = true
        app.grants.hostQuestions = "ask"
        return app
    }

    private func asked(_ host: String = "a.example", number: Int = 1) -> HostQuestion {
        HostQuestion(sandbox: 3, number: number, host: host, port: 443)
    }

    /// A run that has begun, and its slot.
    private func begun(
        _ scene: inout Scene,
        _ number: UInt64 = 1,
        entryPoint: EntryPoint? = nil,
        answers: AnswersInAdvance? = nil,
        app: InstalledApp = Self.app
    ) throws -> SlotID {
        let actions = scene.perform(
            "Add",
            ["left": .int(1)],
            newRun: Scene.run(number),
            request: number,
            entryPoint: entryPoint,
            answers: answers,
            app: app
        )
        let slot = try scene.launchedSlot(actions, mode: .once)
        _ = scene.launched(slot)
        _ = scene.runTable.handle(.reported(slot, .started), at: at(0))
        return slot
    }

    private func answer(
        _ value: String,
        _ scene: inout Scene,
        question: UInt64 = 1001,
        run: UInt64 = 1,
        at seconds: Int64 = 1
    )
        -> [RunTable.Action]
    {
        let request = AnswerRequest(run: Scene.run(run).text, question: question, value: .string(value))
        return scene.runTable.handle(.requested(Scene.client, Scene.user, id: 9, .answer(request)), at: at(seconds))
    }

    private func decisions(_ actions: [RunTable.Action]) -> [Bool] {
        actions.compactMap { if case .decide(_, _, let isPermitted) = $0 { isPermitted } else { nil } }
    }

    private func questions(_ actions: [RunTable.Action]) -> [Question] {
        actions.compactMap { action in
            if case .publish(_, let event) = action, case .question(let open) = event.event {
                open.question
            } else {
                nil
            }
        }
    }

    @Test func `the clock stops while a person decides, and the worker learns nothing`() throws {
        var scene = try Scene.ready()
        let slot = try begun(&scene)
        let before = try #require(scene.runTable.deadline(of: Scene.run(1)))
        let asking = scene.runTable.handle(.hosts([slot], .asked(asked())), at: at(0))
        let question = try #require(questions(asking).first)
        #expect(question.text == "May Probe/AddIntent connect to a.example, port 443?")
        #expect(question.number == 1001 && question.isConfirmation)
        #expect(decisions(asking).isEmpty)
        let answered = answer("run", &scene, at: 100)
        #expect(decisions(answered) == [true])
        #expect(!answered.contains { if case .send = $0 { true } else { false } })
        #expect(scene.runTable.deadline(of: Scene.run(1)) == before + .seconds(100))
        // The answer is for the run.
        let again = scene.runTable.handle(.hosts([slot], .asked(asked(number: 2))), at: at(101))
        #expect(decisions(again) == [true] && questions(again).isEmpty)
    }

    /// The rows that actions store, by name; nil for removed ones.
    private func stored(_ actions: [RunTable.Action]) -> [String: String?] {
        let rows = actions.compactMap { action -> (String, String?)? in
            if case .record(let record) = action, case .stored(let name, let value) = record.fact {
                return (name, value)
            }
            return nil
        }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    /// What happens between an answer for a day and the next question.
    enum Meanwhile: CaseIterable {
        case nothing, aDay, reload, otherWord, restart, restartAfterADay, restartWithOtherWord, revocation
        case restartAndRevocation, clockSetBack
    }

    @Test(arguments: Meanwhile.allCases)
    func `an answer for a day applies for a day while the operator lets the app ask with the same word`(
        _ meanwhile: Meanwhile
    ) throws {
        var scene = try Scene.ready()
        var app = Self.app
        let slot = try begun(&scene)
        _ = scene.runTable.handle(.hosts([slot], .asked(asked())), at: at(0))
        let answered = answer("day", &scene)
        #expect(decisions(answered) == [true])
        let rows = stored(answered).compactMapValues(\.self)
        #expect(rows.count == 1)
        _ = scene.runTable.handle(
            .reported(slot, .finished(WorkerResult(ending: .returned(value: nil, dialog: nil)))),
            at: at(1)
        )
        _ = scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(1))
        var seconds: Int64 = 10
        if [.aDay, .restartAfterADay].contains(meanwhile) { seconds = 25 * 3600 }
        if [.otherWord, .restartWithOtherWord].contains(meanwhile) { app.grants.hostQuestions = "ask,private" }
        if [.restart, .restartAfterADay, .restartWithOtherWord, .restartAndRevocation, .clockSetBack].contains(
            meanwhile
        ) {
            scene = try Scene.ready()
            seconds = meanwhile == .clockSetBack ? -100 : seconds
            _ = scene.runTable.handle(.recalled(rows), at: at(seconds))
        }
        if [.reload, .otherWord].contains(meanwhile) {
            let reload = RunTable.Request.reload(.init(), [app], warnings: [])
            let actions = scene.runTable.handle(.requested(Scene.client, .local(user: 0), id: 4, reload), at: at(2))
            #expect(stored(actions).count == (meanwhile == .otherWord ? 1 : 0))
            if meanwhile == .otherWord { app = Self.app }
        }
        if [.revocation, .restartAndRevocation].contains(meanwhile) {
            let other = RunTable.Request.revoke(run: Scene.run(1).text)
            let refused = scene.runTable.handle(.requested(Scene.client, .local(user: 1001), id: 5, other), at: at(2))
            #expect(Scene.refusal(in: refused)?.code == .unknownRun)
            let actions = scene.runTable.handle(.requested(Scene.client, Scene.user, id: 5, other), at: at(2))
            #expect(Array(stored(actions).values) == [nil])
        }
        let next = try begun(&scene, 2, app: app)
        let asking = scene.runTable.handle(.hosts([next], .asked(asked(number: 2))), at: at(seconds))
        let isAsked = ![.nothing, .reload, .restart].contains(meanwhile)
        #expect(questions(asking).isEmpty == !isAsked)
        #expect(decisions(asking) == (isAsked ? [] : [true]))
    }

    @Test func `the status lists the answers for a day, and a user has at most 64 for an app`() throws {
        var scene = try Scene.ready()
        let slot = try begun(&scene)
        for number in 1...70 as ClosedRange<Int> {
            _ = scene.runTable.handle(.hosts([slot], .asked(asked("h\(number).example", number: number))), at: at(0))
            #expect(decisions(answer("day", &scene, question: 1000 + UInt64(number))) == [true])
        }
        let status = RunTable.Request.status(.init(installedAppCount: 1, problems: []), of: [])
        func approvals(_ user: Caller) -> [StandingApproval] {
            scene.runTable.handle(.requested(Scene.client, user, id: 6, status), at: at(1)).lazy
                .compactMap {
                    if case .answer(_, _, .status(let status)) = $0 { status.standingApprovals } else { nil }
                }
                .first ?? []
        }
        #expect(approvals(Scene.user).count == 64)
        #expect(approvals(.local(user: 1001)).isEmpty)
        let text = "connections of Probe to h1.example:443 for its user (AllowHosts=ask)"
        #expect(approvals(Scene.user).contains { $0.text == text && $0.remaining == .seconds(24 * 3600) })
    }

    @Test func `an intent with hosts of its own has a sandbox, a claim and a denial of its own, and no spare`() throws {
        var app = Scene.app("Probe", spareCount: 2)
        var grants = SandboxGrants()
        grants.hasHosts = true
        grants.hostQuestions = "ask"
        app.intentRules["Add"] = IntentRules()
        app.intentRules["Add"]?.sandbox = IntentRules.OwnSandbox(section: "Add", grants: grants)
        app.settings = [
            SettingInEffect("Sandbox", "AllowHosts", value: "none"),
            SettingInEffect("Intent Add", "AllowHosts", value: "ask", source: "f:3"),
        ]
        var scene = try Scene.ready()
        func launches(_ actions: [RunTable.Action]) -> [LaunchRequest] {
            actions.compactMap { if case .launch(let request) = $0 { request } else { nil } }
        }
        let own = launches(scene.perform("Add", ["left": .int(1)], app: app))
        #expect(own.map(\.intent) == ["Add"])
        let slot = try #require(own.first?.slot)
        // A second run of the intent waits for the sandbox, and another intent of the app does not.
        let second = scene.perform("Add", ["left": .int(1)], newRun: Scene.run(2), request: 2, app: app)
        #expect(launches(second).isEmpty)
        let other = launches(
            scene.perform("Echo", ["text": .string("a")], newRun: Scene.run(3), request: 3, app: app)
        )
        #expect(other.first?.run == Scene.run(3) && other.first?.intent == nil)
        _ = scene.launched(slot)
        _ = scene.runTable.handle(.reported(slot, .started), at: at(0))
        #expect(scene.runTable.mayHaveRefusals(in: slot))
        #expect(!scene.runTable.mayHaveRefusals(in: try #require(other.first?.slot)))
        let refused = RefusedConnection(host: "x.example", port: 22, reason: .notGranted)
        _ = scene.runTable.handle(.hosts([slot], .refused(refused)), at: at(0))
        let ended = scene.runTable.handle(
            .reported(slot, .finished(WorkerResult(ending: .threw(message: "failed")))),
            at: at(1)
        )
        _ = scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(1))
        let lines = ended.compactMap { if case .log(let line) = $0 { line.denial } else { nil } }
        #expect(lines.map(\.section) == ["Intent Add"], "\(ended)")
        #expect(lines.map(\.source) == ["f:3"])
    }

    @Test func `a refusal is remembered for the run`() throws {
        var scene = try Scene.ready()
        let slot = try begun(&scene)
        _ = scene.runTable.handle(.hosts([slot], .asked(asked())), at: at(0))
        #expect(decisions(answer("refuse", &scene)) == [false])
        let again = scene.runTable.handle(.hosts([slot], .asked(asked(number: 2))), at: at(2))
        #expect(decisions(again) == [false])
    }

    @Test func `a run asks about at most 256 hosts, and others are refused`() throws {
        var scene = try Scene.ready()
        let slot = try begun(&scene)
        for number in 1...256 {
            let asking = scene.runTable.handle(
                .hosts([slot], .asked(asked("h\(number).example", number: number))),
                at: at(1)
            )
            #expect(questions(asking).count == 1)
            _ = answer("refuse", &scene, question: UInt64(1000 + number))
        }
        let more = asked("more.example", number: 257)
        let refused = scene.runTable.handle(.hosts([slot], .asked(more)), at: at(1))
        #expect(questions(refused).isEmpty && decisions(refused) == [false])
    }

    @Test func `an answer for a day that has ended is removed with the next answer`() throws {
        var scene = try Scene.ready()
        let slot = try begun(&scene)
        _ = scene.runTable.handle(.hosts([slot], .asked(asked())), at: at(0))
        let first = try #require(stored(answer("day", &scene)).keys.first)
        let later: Int64 = 25 * 3600
        _ = scene.runTable.handle(.hosts([slot], .asked(asked("b.example", number: 2))), at: at(later))
        let rows = stored(answer("day", &scene, question: 1002, at: later))
        #expect(rows.count == 2 && rows[first] == .some(nil), "\(rows)")
    }

    @Test func `an agent cannot answer, and no answer in advance does`() throws {
        var scene = try Scene.ready()
        let slot = try begun(&scene, answers: AnswersInAdvance(confirmations: .all))
        let asking = scene.runTable.handle(.hosts([slot], .asked(asked())), at: at(0))
        #expect(questions(asking).count == 1 && decisions(asking).isEmpty)
        var origin = RunTable.RequestOrigin(
            client: Scene.client,
            user: Scene.user,
            rank: RunAccess.Rank(of: Scene.user),
            groups: [],
            id: 9,
            caller: CallerProcess(Scene.user, process: 1)
        )
        origin.agent = 4242
        let request = AnswerRequest(run: Scene.run(1).text, question: 1001, value: .string("run"))
        let refused = scene.runTable.handle(.requested(origin, .answer(request)), at: at(1))
        #expect(Scene.refusal(in: refused) != nil && decisions(refused).isEmpty)
    }

    @Test func `a run that may ask no questions is refused`() throws {
        var scene = try Scene.ready()
        let slot = try begun(&scene, answers: AnswersInAdvance(others: .refuse))
        #expect(decisions(scene.runTable.handle(.hosts([slot], .asked(asked())), at: at(0))) == [false])
    }

    @Test func `questions of the worker and about hosts are asked one after another`() throws {
        var scene = try Scene.ready()
        let slot = try begun(&scene)
        let own = Question(number: 1, text: "Sure?", type: .bool, kind: .confirmation)
        _ = scene.runTable.handle(.hosts([slot], .asked(asked("a.example"))), at: at(0))
        let waiting = scene.runTable.handle(.reported(slot, .question(own)), at: at(0))
        let more = scene.runTable.handle(.hosts([slot], .asked(asked("b.example", number: 2))), at: at(0))
        #expect(questions(waiting + more).isEmpty)
        #expect(questions(answer("run", &scene)).map(\.text) == ["Sure?"])
        let request = AnswerRequest(run: Scene.run(1).text, question: 1, value: .bool(true))
        let answered = scene.runTable.handle(.requested(Scene.client, Scene.user, id: 9, .answer(request)), at: at(2))
        #expect(questions(answered).map(\.text) == ["May Probe/AddIntent connect to b.example, port 443?"])
        #expect(decisions(answer("refuse", &scene, question: 1002)) == [false])
        #expect(scene.runTable.openQuestion(of: Scene.run(1)) == nil)
    }

    @Test func `a question without a waiting connection is closed, and one before the start of the run waits`() throws {
        var scene = try Scene.ready()
        let slot = try begun(&scene)
        _ = scene.runTable.handle(.hosts([slot], .asked(asked())), at: at(0))
        _ = scene.runTable.handle(.hosts([slot], .asked(asked("b.example", number: 2))), at: at(0))
        let closed = scene.runTable.handle(.hosts([slot], .withdrawn(asked())), at: at(1))
        #expect(questions(closed).map(\.number) == [1002])
        _ = scene.runTable.handle(.hosts([slot], .withdrawn(asked("b.example", number: 2))), at: at(1))
        #expect(scene.runTable.openQuestion(of: Scene.run(1)) == nil)

        var early = try Scene.ready()
        let actions = early.perform("Add", ["left": .int(1)], app: Self.app)
        let first = try early.launchedSlot(actions, mode: .once)
        _ = early.launched(first)
        let asking = early.runTable.handle(.hosts([first], .asked(asked())), at: at(0))
        #expect(questions(asking).isEmpty && decisions(asking).isEmpty)
        #expect(questions(early.runTable.handle(.reported(first, .started), at: at(0))).count == 1)
    }

    @Test func `an app that asks has one run at a time for each user`() throws {
        var scene = try Scene.ready()
        let slot = try begun(&scene)
        let second = scene.perform("Add", ["left": .int(1)], newRun: Scene.run(2), request: 2, app: Self.app)
        #expect(!second.contains { if case .launch = $0 { true } else { false } })
        let other = scene.perform(
            "Add",
            ["left": .int(1)],
            newRun: Scene.run(3),
            request: 3,
            user: .local(user: 1001),
            app: Self.app
        )
        #expect(other.contains { if case .launch = $0 { true } else { false } })
        // With two runs in a sandbox, no clock is known to be the right one.
        let otherSlot = try #require(scene.runTable.slot(of: Scene.run(3)))
        let both = scene.runTable.handle(.hosts([slot, otherSlot], .asked(asked())), at: at(0))
        #expect(decisions(both) == [false])
    }
}
