import IntentLauncherMessages
import IntentLifecycle
import Testing

/// Tests which users receive a question, and how answers are handled.
@Suite struct AnswerTests {
    private static let second = ClientID(number: 2)
    private static let other = Caller.local(user: 1001)
    private static let root = Caller.local(user: 0)
    private let howMany: Question = {
        var question = Question(number: 1, text: "How many?", parameter: "left", type: .int, kind: .value)
        question.range = NumberRange(lowerBound: 1, upperBound: 5)
        return question
    }()
    private let confirmation = Question(number: 1, text: "Go on?", type: .bool, kind: .confirmation)

    @Test func `every subscriber receives the question with its remaining time, including late subscribers`() throws {
        var scene = try Scene.ready()
        let actions = try ask(howMany, &scene)
        #expect(
            events(actions, for: Scene.client).contains(
                .question(OpenQuestion(howMany, remaining: .milliseconds(3_600_000)))
            )
        )
        #expect(
            events(watch(&scene, at: 100)).contains(
                .question(OpenQuestion(howMany, remaining: .milliseconds(3_500_000)))
            )
        )
        #expect(
            told(&scene, at: 100)
                == .asking(
                    AskingRun(
                        run: Scene.run(1),
                        app: "Probe",
                        intent: "AddIntent",
                        user: 1000,
                        title: nil,
                        question: OpenQuestion(howMany, remaining: .milliseconds(3_500_000))
                    )
                )
        )
    }

    @Test func `a reconnecting owner receives the open question`() throws {
        var scene = try Scene.ready()
        _ = try ask(howMany, &scene)
        let again = scene.perform("Add", ["left": .int(1)], newRun: Scene.run(2), client: Self.second)
        #expect(again.contains(.answer(Self.second, id: 1, .accepted(run: Scene.run(1)))))
        #expect(events(again) == [.question(OpenQuestion(howMany, remaining: .milliseconds(3_600_000)))])
        _ = answer(.int(3), &scene)
        #expect(events(scene.perform("Add", ["left": .int(1)], newRun: Scene.run(3), client: Self.second)) == [])
    }

    @Test func `the first answer counts, subscribers receive who gave it, and a later answer is refused`() throws {
        var scene = try Scene.ready()
        _ = try ask(howMany, &scene)
        _ = watch(&scene, at: 1)
        let first = answer(.int(3), &scene, from: Self.second)
        #expect(first.contains(.answer(Self.second, id: 9, .answerAccepted(run: Scene.run(1), question: 1))))
        #expect(
            first.contains {
                if case .send(_, _, .answer(question: 1, value: .int(3), fileCount: 0)) = $0 { true } else { false }
            }
        )
        let notice = AnswerNotice(question: 1, by: CallerProcess(user: 1000))
        #expect(events(first, for: Scene.client) == [.answered(notice), .state(.running, reason: nil)])
        #expect(events(first, for: Self.second) == [.answered(notice), .state(.running, reason: nil)])
        #expect(first.contains(.record(RunRecord(Scene.run(1), .answered(RecordedAnswer(notice, value: .int(3)))))))
        let late = Scene.refusal(in: answer(.int(4), &scene))
        #expect(late?.code == .noQuestion)
        #expect(late?.message.contains("user 1000") == true)
    }

    @Test(arguments: [(true, "approved by user 1000"), (false, "declined by user 1000")])
    func `the journal names the user who approved or declined`(value: Bool, text: String) throws {
        var scene = try Scene.ready()
        _ = try ask(confirmation, &scene)
        #expect(lines(answer(.bool(value), &scene, question: 1)).contains(text))
        var asking = try Scene.ready()
        _ = try ask(howMany, &asking)
        #expect(lines(answer(.int(3), &asking)).contains("answered by user 1000"))
    }

    private func lines(_ actions: [RunTable.Action]) -> [String] {
        actions.compactMap { if case .log(let line) = $0 { line.text } else { nil } }
    }

    @Test func `an answer is recorded before it is published`() throws {
        var scene = try Scene.ready()
        _ = try ask(howMany, &scene)
        let actions = answer(.int(3), &scene)
        let record = try #require(
            actions.firstIndex {
                if case .record(let record) = $0, case .answered = record.fact { true } else { false }
            }
        )
        let send = try #require(actions.firstIndex { if case .send = $0 { true } else { false } })
        #expect(record < send)
    }

    @Test(arguments: [
        (IntentValue.string("three"), "a whole number"), (.int(6), "from 1 to 5"), (.null, "nothing"),
        (.file(FileReference(index: 0, name: "a")), "a file"),
    ])
    func `an invalid answer is refused with the reason, and the question stays open`(
        value: IntentValue,
        reason: String
    ) throws {
        var scene = try Scene.ready()
        _ = try ask(howMany, &scene)
        let actions = answer(value, &scene)
        #expect(actions.count == 1)
        let error = try #require(Scene.refusal(in: actions))
        #expect(error.code == .badAnswer)
        #expect(error.message.contains(reason), "\(error.message)")
        #expect(Scene.refusal(in: answer(.int(5), &scene)) == nil)
    }

    @Test func `an answer to another question than the open one is refused`() throws {
        var scene = try Scene.ready()
        _ = try ask(howMany, &scene)
        #expect(Scene.refusal(in: answer(.int(3), &scene, question: 7))?.code == .noQuestion)
    }

    @Test func `the question survives the client if the run does`() throws {
        var scene = try Scene.ready()
        _ = try ask(howMany, &scene, onDisconnect: .continue)
        _ = scene.runTable.handle(.clientLeft(Scene.client), at: at(2))
        #expect(Scene.refusal(in: answer(.int(3), &scene, from: Self.second)) == nil)
    }

    // MARK: In advance

    @Test func `a value given in advance answers one question, and no user is asked`() throws {
        var scene = try Scene.ready()
        let asked = try ask(howMany, &scene, answers: AnswersInAdvance(values: ["left": .int(2)]))
        #expect(
            asked.contains {
                if case .send(_, _, .answer(question: 1, value: .int(2), fileCount: 0)) = $0 { true } else { false }
            }
        )
        #expect(!events(asked, for: Scene.client).contains { if case .question = $0 { true } else { false } })
        var again = howMany
        again.number = 2
        let second = scene.runTable.handle(.reported(try slot(scene), .question(again)), at: at(2))
        #expect(events(second, for: Scene.client).contains { if case .question = $0 { true } else { false } })
    }

    @Test func `an answer in advance can be the title of a choice for a parameter`() throws {
        var scene = try Scene.ready()
        let answers = AnswersInAdvance(values: ["text": .string("Red lentil")])
        let cases = [EnumerationCase(value: "a", title: "Tomato"), EnumerationCase(value: "b", title: "Red Lentil")]
        let question = Question(number: 1, text: "?", parameter: "text", type: .enumeration(cases), kind: .choice)
        let slot = try scene.launchedSlot(
            scene.perform("Echo", ["text": .string("soup")], answers: answers),
            mode: .once
        )
        _ = scene.launched(slot)
        _ = scene.runTable.handle(.reported(slot, .started), at: at(0))
        let asked = scene.runTable.handle(.reported(slot, .question(question)), at: at(0))
        #expect(
            asked.contains {
                if case .send(_, _, .answer(question: 1, value: .string("b"), fileCount: 0)) = $0 {
                    true
                } else {
                    false
                }
            }
        )
    }

    @Test func `an invalid value given in advance leaves the question to users`() throws {
        var scene = try Scene.ready()
        let asked = try ask(howMany, &scene, answers: AnswersInAdvance(values: ["left": .int(9)]))
        #expect(events(asked, for: Scene.client).contains { if case .question = $0 { true } else { false } })
    }

    @Test func `a request with answers for unknown parameters, or with invalid values, is refused`() throws {
        var scene = try Scene.ready()
        let unknown = scene.perform("Add", ["left": .int(1)], answers: AnswersInAdvance(values: ["lift": .int(1)]))
        #expect(Scene.refusal(in: unknown)?.code == .unknownParameter)
        let unfit = scene.perform("Add", ["left": .int(1)], answers: AnswersInAdvance(values: ["left": .bool(true)]))
        #expect(Scene.refusal(in: unfit)?.code == .badParameter)
    }

    private static let confirmations: [(AnswersInAdvance.Confirmations?, isDestructive: Bool, ConfirmRule, Bool)] = [
        (nil, false, .caller, false), (nil, true, .caller, false),
        (.harmless, false, .caller, true), (.harmless, true, .caller, false),
        (.all, false, .caller, true), (.all, true, .caller, true),
        (.all, false, .other, false), (.all, true, .other, false), (.harmless, false, .other, false),
    ]

    @Test(arguments: confirmations)
    func `confirmations are accepted in advance as requested, but never if another user must confirm`(
        said: AnswersInAdvance.Confirmations?,
        isDestructive: Bool,
        rule: ConfirmRule,
        isAccepted: Bool
    ) throws {
        var scene = try Scene.ready()
        var question = confirmation
        question.isDestructive = isDestructive ? true : nil
        // A value for a named parameter is never a confirmation.
        question.parameter = "left"
        let answers = AnswersInAdvance(values: ["left": .int(1)], confirmations: said)
        let asked = try ask(question, &scene, rule, answers: answers)
        #expect(
            asked.contains {
                if case .send(_, _, .answer(question: 1, value: .bool(true), fileCount: 0)) = $0 { true } else { false }
            }
                == isAccepted
        )
        #expect(scene.runTable.load.waitingCount == (isAccepted ? 0 : 1))
    }

    @Test func `if no user is to be asked, the question is refused at once and recorded`() throws {
        var scene = try Scene.ready()
        let asked = try ask(howMany, &scene, answers: AnswersInAdvance(others: .refuse))
        #expect(asked.contains { if case .send(_, _, .refuse(question: 1)) = $0 { true } else { false } })
        #expect(asked.contains(.record(RunRecord(Scene.run(1), .asked(howMany)))))
        #expect(scene.runTable.load.waitingCount == 0)
    }

    // MARK: Secrets and invalid questions

    @Test func `only the fact that a secret was asked and answered is recorded`() throws {
        var scene = try Scene.ready()
        var app = Scene.app
        app.secretNames = ["left"]
        var question = howMany
        question.text = "Is it still hunter2?"
        let asked = try ask(question, &scene, app: app)
        let answered = answer(.int(3), &scene)
        for case .record(let record) in asked + answered {
            #expect(!"\(record)".contains("hunter2"))
            if case .answered(let answer) = record.fact { #expect(answer.value == nil) }
        }
        guard case .question(let told)? = events(asked, for: Scene.client).last else {
            Issue.record("not told")
            return
        }
        #expect(told.question.isSecret == true)
        #expect(told.question.text == question.text)
    }

    @Test(arguments: [
        Question(number: 1, text: "?", parameter: "lift", type: .int),
        Question(number: 1, text: "?", type: .int, kind: .confirmation),
        Question(number: 1, text: "?", type: .string, kind: .choice),
        Question(number: 1, text: "?", type: .enumeration([]), kind: .choice),
        Question(number: 1, text: String(repeating: "x", count: Question.byteLimit), type: .int),
    ])
    func `a worker that asks an invalid question is killed`(question: Question) throws {
        var scene = try Scene.ready()
        let asked = try ask(question, &scene)
        #expect(asked.contains { if case .signal(_, .kill) = $0 { true } else { false } })
        #expect(scene.runTable.load.waitingCount == 0)
    }

    // MARK: Permissions

    @Test func `the run is hidden from another user, and root may answer`() throws {
        var scene = try Scene.ready()
        _ = try ask(howMany, &scene)
        #expect(Scene.refusal(in: answer(.int(3), &scene, as: Self.other))?.code == .unknownRun)
        #expect(refusedCode(told(&scene, as: Self.other)) == .unknownRun)
        #expect(Scene.refusal(in: answer(.int(3), &scene, as: Self.root)) == nil)
    }

    @Test func `when a second person must confirm, the caller may watch, and another user may answer`() throws {
        var scene = try Scene.ready()
        let asked = try ask(confirmation, &scene, .other)
        guard case .question(let told)? = events(asked, for: Scene.client).last else {
            Issue.record("not told")
            return
        }
        #expect(told.needsOther == true)
        #expect(Scene.refusal(in: answer(.bool(true), &scene))?.code == .notPermitted)
        #expect(seen(&scene, by: Self.other).map(\.user) == [1000])
        #expect(Scene.refusal(in: answer(.bool(true), &scene, question: 1, as: Self.other)) == nil)
        #expect(seen(&scene, by: Self.other).isEmpty)
    }

    @Test(arguments: [ConfirmRule.caller, .other])
    func `the answer to a confirmation must name its number`(_ rule: ConfirmRule) throws {
        var scene = try Scene.ready()
        _ = try ask(confirmation, &scene, rule)
        let user = rule == .caller ? Scene.user : Self.other
        #expect(Scene.refusal(in: answer(.bool(true), &scene, as: user))?.code == .badAnswer)
        #expect(Scene.refusal(in: answer(.bool(true), &scene, question: 2, as: user))?.code == .noQuestion)
        #expect(Scene.refusal(in: answer(.bool(true), &scene, question: 1, as: user)) == nil)
    }

    @Test func `that a run has ended is told only to users who may see it`() throws {
        var scene = try Scene.ready()
        _ = try ask(howMany, &scene)
        try scene.finish(slot(scene))
        #expect(Scene.refusal(in: answer(.int(3), &scene))?.code == .noQuestion)
        #expect(Scene.refusal(in: answer(.int(3), &scene, as: Self.other))?.code == .unknownRun)
        #expect(refusedCode(told(&scene)) == .noQuestion)
        #expect(refusedCode(told(&scene, as: Self.other)) == .unknownRun)
    }

    @Test(arguments: [true, false])
    func `the suggested answer to a question about a secret is sent to no client`(isSecret: Bool) throws {
        var scene = try Scene.ready()
        var app = Scene.app
        if isSecret { app.secretNames = ["left"] }
        var question = howMany
        question.defaultValue = .int(4)
        let asked = events(try ask(question, &scene, app: app), for: Scene.client)
        let open = asked.compactMap { if case .question(let open) = $0 { open.question } else { nil } }
        #expect(open.map(\.defaultValue) == [isSecret ? nil : .int(4)])
    }

    @Test func `only the caller may answer with a value, not the user who confirms`() throws {
        var scene = try Scene.ready()
        _ = try ask(howMany, &scene, .other)
        #expect(Scene.refusal(in: answer(.int(3), &scene, as: Self.other))?.code == .unknownRun)
        #expect(Scene.refusal(in: answer(.int(3), &scene)) == nil)
    }

    @Test(arguments: [(ConfirmRule.caller, 1), (.other, nil)] as [(ConfirmRule, UInt64?)])
    func `a question is for the owner of its run unless another user must confirm`(_ rule: ConfirmRule, number: UInt64?)
        throws
    {
        var scene = try Scene.ready()
        #expect(scene.runTable.questionForOwner(of: Scene.run(1)) == nil)
        _ = try ask(confirmation, &scene, rule)
        #expect(scene.runTable.questionForOwner(of: Scene.run(1)) == number)
    }

    // MARK: Private

    private func ask(
        _ question: Question,
        _ scene: inout Scene,
        _ rule: ConfirmRule = .caller,
        onDisconnect: DisconnectRule = .cancel,
        answers: AnswersInAdvance? = nil,
        app: InstalledApp = Scene.app
    ) throws -> [RunTable.Action] {
        var app = app
        app.confirm = rule
        let actions = scene.perform("Add", ["left": .int(1)], onDisconnect: onDisconnect, answers: answers, app: app)
        let slot = try scene.launchedSlot(actions, mode: .once)
        _ = scene.launched(slot)
        _ = scene.runTable.handle(.reported(slot, .started), at: at(0))
        return scene.runTable.handle(.reported(slot, .question(question)), at: at(0))
    }

    private func slot(_ scene: Scene) throws -> SlotID { try #require(scene.runTable.slot(of: Scene.run(1))) }

    private func answer(
        _ value: IntentValue,
        _ scene: inout Scene,
        question: UInt64? = nil,
        from client: ClientID = Scene.client,
        as user: Caller = Scene.user
    ) -> [RunTable.Action] {
        let request = AnswerRequest(run: Scene.run(1).text, question: question, value: value)
        return scene.runTable.handle(.requested(client, user, id: 9, .answer(request)), at: at(1))
    }

    private func watch(_ scene: inout Scene, at seconds: Int64) -> [RunTable.Action] {
        scene.runTable.handle(
            .requested(Self.second, Scene.user, id: 8, .watch(run: Scene.run(1).text, after: nil)),
            at: at(seconds)
        )
    }

    private func told(_ scene: inout Scene, as user: Caller = Scene.user, at seconds: Int64 = 1) -> ClientAnswer? {
        let actions = scene.runTable.handle(
            .requested(Self.second, user, id: 7, .question(run: Scene.run(1).text)),
            at: at(seconds)
        )
        return actions.lazy.compactMap { if case .answer(_, _, let answer) = $0 { answer } else { nil } }.first
    }

    private func refusedCode(_ answer: ClientAnswer?) -> ErrorReport.Code? {
        if case .refused(let error)? = answer { error.code } else { nil }
    }

    private func seen(_ scene: inout Scene, by user: Caller) -> [LiveRun] {
        let actions = scene.runTable.handle(
            .requested(Self.second, user, id: 6, .runs(held: [])),
            at: at(1)
        )
        return actions.lazy.compactMap { if case .answer(_, _, .runs(let runs)) = $0 { runs } else { nil } }.first ?? []
    }

    private func events(_ actions: [RunTable.Action], for client: ClientID = AnswerTests.second) -> [RunEvent] {
        actions.compactMap { action in
            guard case .publish(let clients, let event) = action, clients.contains(client) else { return nil }
            return event.event
        }
    }
}
