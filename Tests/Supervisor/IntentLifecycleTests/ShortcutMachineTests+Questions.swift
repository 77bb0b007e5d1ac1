import IntentLauncherMessages
import IntentLifecycle
import Testing

/// Questions, results and failures of shortcuts.
extension ShortcutMachineTests {
    private static func asking(_ work: ShortcutPlan.Work, continues: Bool = false) -> ShortcutMachine {
        var ask = step("which")
        (ask.work, ask.continuesAfterError) = (work, continues)
        return machine([ask, step("two", ["answer": .init([.value(.init("which"))])])], undoes: false)
    }

    private static func question(_ actions: [ShortcutMachine.Action]) -> Question? {
        actions.lazy.compactMap { if case .ask(let question) = $0 { question } else { nil } }.first
    }

    private static func ending(_ actions: [ShortcutMachine.Action]) -> ShortcutEnd? {
        if case .end(let end)? = actions.last { end } else { nil }
    }

    private static func message(_ actions: [ShortcutMachine.Action]) -> String? {
        if case .threw(let message)? = ending(actions)?.ending { message } else { nil }
    }

    @Test func `a step asks for a confirmation, for a value of a type, or for one of its options`() throws {
        let text = ShortcutPlan.Template([.text("Go on?")])
        var confirming = Self.asking(.ask(text, type: nil))
        let confirmation = try #require(Self.question(confirming.begin(with: [], at: 0)))
        #expect(confirmation.kind == .confirmation && confirmation.type == .bool && confirmation.text == "Go on?")
        var asking = Self.asking(.ask(text, type: .int))
        let value = try #require(Self.question(asking.begin(with: [], at: 0)))
        #expect(value.kind == nil && value.type == .int)
        var choosing = Self.asking(.choose(text, options: [.init([.text("a")]), .init([.text("b")])]))
        let choice = try #require(Self.question(choosing.begin(with: [], at: 0)))
        #expect(choice.kind == .choice && choice.title == "Test")
        #expect(
            choice.type
                == .enumeration([EnumerationCase(value: "a", title: "a"), EnumerationCase(value: "b", title: "b")])
        )
        let next = Self.requests(choosing.answered(.string("b"), at: 0))
        #expect(next.first?.values == ["answer": .string("b")])
    }

    @Test(arguments: [
        (ShortcutPlan.Work.choose(.init([.text("Which?")]), options: []), "nothing to choose"),
        (.choose(.init([.text("Which?")]), options: [.init([.value(.init("absent"))])]), "nothing to choose"),
        (.ask(.init([.text("Of "), .value(.init("absent"))]), type: .int), "a value of its question does not exist"),
    ])
    func `a step that cannot ask ends the shortcut with the reason`(work: ShortcutPlan.Work, reason: String) throws {
        var machine = Self.asking(work)
        let message = try #require(Self.message(machine.begin(with: [], at: 0)))
        #expect(message.hasPrefix("step 'which': ") && message.contains(reason), "\(message)")
        #expect(machine.unanswered(at: 1).isEmpty && machine.answered(.bool(true), at: 1).isEmpty)
    }

    @Test(arguments: [true, false]) func `a declined confirmation ends the shortcut, unless the step may fail`(
        continues: Bool
    ) {
        var machine = Self.asking(.ask(.init([.text("Go on?")]), type: nil), continues: continues)
        _ = machine.begin(with: [], at: 0)
        let actions = machine.answered(.bool(false), at: 0)
        #expect(Self.requests(actions).isEmpty == !continues)
        #expect(Self.ending(actions)?.ending == (continues ? nil : .threwCancellation))
    }

    @Test func `a value of false is an answer, and an unanswered question a failure`() throws {
        var machine = Self.asking(.ask(.init([.text("Loud?")]), type: .bool))
        _ = machine.begin(with: [], at: 0)
        var other = machine
        #expect(Self.requests(machine.answered(.bool(false), at: 0)).first?.values == ["answer": .bool(false)])
        #expect(try #require(Self.message(other.unanswered(at: 0))).contains("its question was not answered"))
        #expect(other.unanswered(at: 0).isEmpty)
    }

    @Test(arguments: [
        (IntentValue.bool(true), "is true"), (.bool(false), "is false"), (.int(3), "is 3"), (.double(2), "is 2"),
        (.double(2.5), "is 2.5"), (.object(["title": .string("T"), "id": .string("i")]), "is T"),
        (.object(["id": .string("i")]), "is i"), (.object(["x": .int(1)]), "is an object"),
        (.array([.string("a"), .int(1)]), "is a, 1"), (.file(FileReference(index: 0, name: "a.pdf")), "is a.pdf"),
    ])
    func `a value in a text has the form that a person reads`(value: IntentValue, text: String) throws {
        var machine = Self.machine(
            [Self.step("two", ["text": .init([.text("is "), .value(.init("value"))])])],
            values: ["value": value]
        )
        #expect(Self.requests(machine.begin(with: [], at: 0)).first?.values == ["text": .string(text)])
    }

    @Test(arguments: [true, false])
    func `the result of a shortcut has its file, and can be undone if a step can`(isUndoable: Bool) throws {
        var plan = ShortcutPlan(title: "Test")
        plan.steps = [Self.step("one")]
        plan.result = .init([.value(.init("one", ["file"]))])
        for hasFile in [true, false] {
            var machine = ShortcutMachine(plan, run: Self.run, values: [:])
            let first = try #require(Self.requests(machine.begin(with: [], at: 0)).first)
            let file = IntentValue.file(FileReference(index: 0, name: "a"))
            let done = RunOutcome.done(value: .object(hasFile ? ["file": file] : [:]), dialog: nil)
            let last = Self.end(1, done, undo: isUndoable ? "Back" : nil)
            let end = try #require(Self.ending(machine.runEnded(first.key, last, of: "App", at: 0)))
            #expect(end.ending == .returned(value: hasFile ? file : nil, dialog: nil))
            #expect(end.files == (hasFile ? [FileSource(run: RunID(randomBits: 1), index: 0)] : []))
            #expect(end.isUndoable == isUndoable)
        }
    }

    @Test(arguments: [(nil, "step 'one': "), (2, "step 'one' (1): ")] as [(Int?, String)])
    func `a failure names its step, and the number of a repetition`(count: Int?, text: String) throws {
        var machine = Self.machine([Self.step("one") { $0.repeatCount = count }], undoes: false)
        let first = try #require(Self.requests(machine.begin(with: [], at: 0)).first)
        let actions = machine.runEnded(first.key, Self.end(1, .failed(message: "no")), of: "App", at: 0)
        #expect(Self.message(actions)?.hasPrefix(text) == true)
        // Nothing was to be undone.
        #expect(Self.ending(actions)?.account == nil)
    }

    @Test(arguments: [true, false])
    func `the undo of a whole shortcut ends with the account of its steps, as a failure if one is not undone`(
        isUndone: Bool
    ) throws {
        var plan = ShortcutPlan(title: "Test")
        plan.steps = [Self.step("one")]
        let step = RecordedStep(
            key: StepKey(shortcut: Self.run, step: "one", index: 0, attempt: 1).text,
            run: KnownRun(
                run: RunID(randomBits: 1),
                app: "App",
                intent: "one",
                requester: Requester(Scene.user),
                end: Self.end(1, .done(value: nil, dialog: nil), undo: "Back"),
                lastSerial: 1
            )
        )
        var machine = ShortcutMachine(plan, run: RunID(randomBits: 9), values: [:], undoing: Self.run)
        let undo = try #require(Self.requests(machine.begin(with: [step], at: 0)).first)
        #expect(undo.intent == "Back")
        let outcome = isUndone ? RunOutcome.done(value: nil, dialog: nil) : .failed(message: "no")
        let actions = machine.runEnded(undo.key, Self.end(2, outcome), of: "App", at: 0)
        let end = try #require(Self.ending(actions))
        if isUndone {
            #expect(end.ending == .returned(value: nil, dialog: "undone: one"))
        } else {
            #expect(Self.message(actions)?.hasPrefix("not undone: one (") == true)
        }
    }

    @Test(arguments: [(true, "a closure"), (false, "it registered no undo")])
    func `the account of a failure says why a step was not undone`(hasClosure: Bool, reason: String) throws {
        var machine = Self.machine([Self.step("one"), Self.step("two")])
        let first = try #require(Self.requests(machine.begin(with: [], at: 0)).first)
        var end = Self.end(1, .done(value: nil, dialog: nil))
        if hasClosure { end.account.details = RunDetails(undo: UndoOffer(name: "Back")) }
        let second = try #require(Self.requests(machine.runEnded(first.key, end, of: "App", at: 0)).first)
        let failed = machine.runEnded(second.key, Self.end(2, .failed(message: "no")), of: "App", at: 0)
        #expect(Self.ending(failed)?.account?.contains(reason) == true, "\(failed)")
    }
}
