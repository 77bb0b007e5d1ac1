import IntentLauncherMessages
import IntentLifecycle
import Testing

/// Values exactly at a limit, and one beyond it.
@Suite struct BoundTests {
    /// A question of this many encoded bytes.
    private static func question(byteCount: Int) throws -> Question {
        let empty = Question(number: 1, text: "", type: .int)
        let rest = byteCount - WireCoding.encode(empty).count
        let question = Question(number: 1, text: String(repeating: "x", count: rest), type: .int)
        try #require(WireCoding.encode(question).count == byteCount)
        return question
    }

    private static func running() throws -> (scene: Scene, slot: SlotID) {
        var scene = try Scene.ready()
        let slot = try scene.launchedSlot(scene.echo(1), mode: .once)
        _ = scene.launched(slot)
        _ = scene.runTable.handle(.reported(slot, .started), at: at(0))
        return (scene, slot)
    }

    @Test(arguments: [(0, true), (1, false)])
    func `a question has at most the bytes that every subscriber can receive`(excess: Int, isAsked: Bool) throws {
        var (scene, slot) = try Self.running()
        let question = try Self.question(byteCount: Question.byteLimit + excess)
        let actions = scene.runTable.handle(.reported(slot, .question(question)), at: at(1))
        #expect((actions.question != nil) == isAsked)
        #expect(actions.contains(.signal(slot, .kill)) == !isAsked)
    }

    @Test(arguments: [(0, true), (1, false)])
    func `a snippet has at most the bytes that a result permits`(excess: Int, isValid: Bool) throws {
        let empty = WireCoding.encode(Snippet(root: SnippetElement(.text("")))).count
        let text = String(repeating: "x", count: Snippet.byteLimit + excess - empty)
        let snippet = Snippet(root: SnippetElement(.text(text)))
        try #require(WireCoding.encode(snippet).count == Snippet.byteLimit + excess)
        #expect((SnippetCheck.problem(with: snippet) == nil) == isValid)
    }

    @Test func `the service of the HTTP API has a pool of connections of its own, up to its size`() {
        var admission = ConnectionAdmission()
        let service = Account.local(user: 990)
        func admit(_ number: UInt64, _ account: Account, _ kind: ConnectionAdmission.Kind) -> Bool {
            admission.admit(ClientID(number: number), of: account, as: kind)
        }
        let admitted = (1...UInt64(ConnectionAdmission.webPoolSize)).count { admit($0, service, .web) }
        #expect(admitted == ConnectionAdmission.webPoolSize)
        #expect(admit(9001, service, .web) == false)
        #expect(admit(9002, .local(user: 1000), .user) == true)
        admission.leave(ClientID(number: 1))
        #expect(admit(9003, service, .web) == true)
    }

    @Test func `the result of a step counts once, although it is reported twice`() {
        var budget = StepBudget()
        let account = Account.local(user: 1)
        for _ in 1...2 { budget.add(400, of: Scene.run(2), to: Scene.run(1), of: account) }
        #expect(budget.refusal(for: account, limit: 1000) == nil)
        budget.add(400, of: Scene.run(3), to: Scene.run(1), of: account)
        #expect(budget.refusal(for: account, limit: 1000) != nil)
    }

    @Test(
        arguments: [
            (nil, RunAccess.Authentication.none), ("requiresAuthentication", .named),
            ("requiresLocalDeviceAuthentication", .namedAndPresent), ("requiresAnything", .unknown), ("", .unknown),
        ] as [(String?, RunAccess.Authentication)]
    )
    func `each policy of an intent has its authentication, and an unknown one permits no user`(
        word: String?,
        authentication: RunAccess.Authentication
    ) {
        #expect(RunAccess.Authentication(word) == authentication)
    }

    @Test func `a list in an answer has as many elements as the question permits`() {
        var question = Question(number: 1, text: "Which?", type: .array(.int))
        question.size = ElementCount(minimum: 2, maximum: 3)
        let accepted = (1...4).map { count in
            (try? AnswerCheck.accept(.array(Array(repeating: .int(1), count: count)), for: question)) != nil
        }
        #expect(accepted == [false, true, true, false])
    }

    @Test func `an instant beyond the range of the clock is its first or last instant`() {
        let (last, first) = (Int64.max, Int64.min)
        #expect(Now.Boottime(nanoseconds: last - 1) + .seconds(1) == Now.Boottime(nanoseconds: last))
        #expect(Now.Boottime(nanoseconds: first + 1) + .seconds(-1) == Now.Boottime(nanoseconds: first))
        #expect(Now.Monotonic(nanoseconds: last - 1) + .seconds(1) == Now.Monotonic(nanoseconds: last))
        #expect(Now.Monotonic(nanoseconds: first + 1) + .seconds(-1) == Now.Monotonic(nanoseconds: first))
    }

    @Test func `pairs of an app and a user are ordered by the app, then by the user`() throws {
        let names = try ["A", "B"].map { try #require(AppName($0)) }
        let users = [Caller.local(user: 1), .local(user: 2, account: "a"), .local(user: 2, account: "b")]
        let pairs = names.flatMap { name in users.map { AppUser(app: name, user: $0) } }
        #expect(pairs.reversed().sorted() == pairs)
    }

    @Test func `the unread bytes of a client that has disconnected are free again`() {
        var budget = ByteBudget.messages
        let (ann, ben) = (Account.local(user: 1), Account.local(user: 2))
        let half = 128 << 20
        var held = [budget.holds(half, ClientID(number: 1), of: ann)]
        held.append(budget.holds(half, ClientID(number: 2), of: ben))
        // Fewer bytes are permitted to a client whatever others hold.
        held.append(budget.holds(half - 1, ClientID(number: 2), of: ben))
        budget.left(ClientID(number: 2), of: ben)
        budget.left(ClientID(number: 1), of: ann)
        held.append(budget.holds(half, ClientID(number: 3), of: ben))
        #expect(held == [true, false, true, true])
    }

    @Test(arguments: [100, 101])
    func `a message with more than 100 secrets to hide is not sent`(count: Int) throws {
        let names = (0..<count).map { "p\($0)" }
        let parameters = names.map { ParameterDeclaration(name: $0, title: "P", type: .string) }
        let catalog = IntentCatalog(intents: [IntentDeclaration(name: "Echo", title: "Echo", parameters: parameters)])
        var app = Scene.app
        app.secretNames = Set(names)
        app.notify.onFailure = NotifyRule.Target("Mail/Send")
        var scene = Scene()
        let values = Dictionary(uniqueKeysWithValues: names.map { ($0, IntentValue.string("secret of \($0)")) })
        let description = try scene.launchedSlot(scene.perform("Echo", values, app: app), mode: .describe)
        _ = scene.runTable.handle(.reported(description, .catalog(catalog)), at: at(0))
        let begun = scene.runTable.handle(.ended(description, Scene.exited, lastLine: nil), at: at(0))
        let slot = try scene.launchedSlot(begun, mode: .once)
        _ = scene.launched(slot)
        _ = scene.runTable.handle(.reported(slot, .started), at: at(0))
        let result = WorkerResult(ending: .threw(message: "no secret of p1 here"))
        let actions =
            scene.runTable.handle(.reported(slot, .finished(result)), at: at(1))
            + scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(1))
        let messages = actions.compactMap {
            if case .notify(.perform(let delivery)) = $0 { delivery.notification.message } else { nil }
        }
        #expect(messages == [count == 100 ? "no … here" : ""])
    }
}
