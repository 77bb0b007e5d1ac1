import IntentLauncherMessages
import IntentLifecycle
import Testing

/// Questions whether a run may connect to a host (`AllowHosts=ask`).
@Suite struct HostQuestionTests {
    private static var app: InstalledApp {
        var app = Scene.app
        app.grants.hasHosts = true
        app.grants.asksForHosts = true
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
        answers: AnswersInAdvance? = nil
    ) throws -> SlotID {
        let actions = scene.perform(
            "Add",
            ["left": .int(1)],
            newRun: Scene.run(number),
            request: number,
            entryPoint: entryPoint,
            answers: answers,
            app: Self.app
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

    @Test func `an answer for a day is for the app and the user until a reload or the next day`() throws {
        for (seconds, isReloaded, isAsked) in [(10, false, false), (25 * 3600, false, true), (10, true, true)] {
            var scene = try Scene.ready()
            let slot = try begun(&scene)
            _ = scene.runTable.handle(.hosts([slot], .asked(asked())), at: at(0))
            #expect(decisions(answer("day", &scene)) == [true])
            _ = scene.runTable.handle(
                .reported(slot, .finished(WorkerResult(ending: .returned(value: nil, dialog: nil)))),
                at: at(1)
            )
            _ = scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(1))
            if isReloaded {
                let reload = RunTable.Request.reload(.init(), [Self.app], warnings: [])
                _ = scene.runTable.handle(.requested(Scene.client, .local(user: 0), id: 4, reload), at: at(1))
            }
            let next = try begun(&scene, 2)
            let asking = scene.runTable.handle(.hosts([next], .asked(asked(number: 2))), at: at(Int64(seconds)))
            #expect(questions(asking).isEmpty == !isAsked)
            #expect(decisions(asking) == (isAsked ? [] : [true]))
        }
    }

    @Test func `a refusal is remembered for the run`() throws {
        var scene = try Scene.ready()
        let slot = try begun(&scene)
        _ = scene.runTable.handle(.hosts([slot], .asked(asked())), at: at(0))
        #expect(decisions(answer("refuse", &scene)) == [false])
        let again = scene.runTable.handle(.hosts([slot], .asked(asked(number: 2))), at: at(2))
        #expect(decisions(again) == [false])
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
