import IntentLauncherMessages
import IntentLifecycle
import Testing

/// Tests the callers of realms (`Realm=` in `[Web]`): users at issuers of access tokens, who have no account.
@Suite struct RealmTests {
    private static let caller = Caller.local(user: 990, account: "alice@home")

    private static func capacity(_ realms: Set<String>, service: UInt32? = 990) -> RunTable.Capacity {
        var capacity = RunTable.Capacity()
        capacity.realms.service = service
        capacity.realms.realms = realms
        return capacity
    }

    private static func origin(_ user: Caller, id: UInt64 = 2) -> RunTable.RequestOrigin {
        RunTable.RequestOrigin(
            client: ClientID(number: 2),
            user: user,
            rank: .user,
            groups: [],
            id: id,
            caller: CallerProcess(user)
        )
    }

    /// A scene in which root's run has the app's only slot, and a run of the caller waits.
    private static func waiting() throws -> (Scene, InstalledApp, SlotID) {
        var app = Scene.app
        app.runCountMax = 1
        var scene = try Scene.ready(capacity(["home"]))
        let slot = try scene.launchedSlot(scene.echo(1, user: .local(user: 0), app: app), mode: .once)
        let perform = PerformRequest(
            request: Scene.request(2),
            app: app.name.text,
            intent: "Echo",
            values: ["text": .string("a")]
        )
        let asked = scene.runTable.handle(
            .requested(origin(caller), .perform(perform, newRun: Scene.run(2), .found(app), refusal: nil)),
            at: at(0)
        )
        #expect(Scene.refusal(in: asked) == nil)
        return (scene, app, slot)
    }

    @Test(
        arguments: [
            (["home"], 990, nil), (["home", "other"], 990, nil), (["other"], 990, "may no longer act for 'alice@home'"),
            ([], 990, "may no longer act for 'alice@home'"), (["home"], 991, "a fleet may not perform Probe/Echo"),
            ([], nil, "a fleet may not perform Probe/Echo"),
        ] as [(Set<String>, UInt32?, String?)]
    )
    func `a waiting run of a realm starts without Fleet=, unless [Web] no longer names the realm or the service`(
        realms: Set<String>,
        service: UInt32?,
        refusal: String?
    ) throws {
        var (scene, app, slot) = try Self.waiting()
        app.revision += 1
        let reloaded = scene.runTable.handle(
            .requested(
                Scene.client,
                .local(user: 0),
                id: 9,
                .reload(Self.capacity(realms, service: service), [app], warnings: [])
            ),
            at: at(1)
        )
        let ends = reloaded.compactMap { action -> String? in
            guard case .record(let record) = action, case .ended(let end) = record.fact,
                case .notStarted(let message) = end.outcome
            else { return nil }
            return message
        }
        #expect(ends.count == (refusal == nil ? 0 : 1))
        if let refusal { #expect(ends.first?.contains(refusal) == true, "\(ends)") }
        #expect(scene.launchedRuns(scene.finish(slot)) == (refusal == nil ? [2] : []))
    }

    @Test(arguments: [
        (Caller.local(user: 1001, account: "ben"), true), (caller, false),
        (.local(user: 990, account: "alice@removed"), false),
    ])
    func `the caller of a realm is no second person who confirms a run of another user`(user: Caller, isSecond: Bool)
        throws
    {
        var app = Scene.app
        app.confirm = .other
        var scene = try Scene.ready(Self.capacity(["home"]))
        let slot = try scene.launchedSlot(scene.echo(1, app: app), mode: .once)
        _ = scene.launched(slot)
        _ = scene.runTable.handle(.reported(slot, .started), at: at(0))
        let question = Question(number: 1, text: "Continue?", type: .bool, kind: .confirmation)
        _ = scene.runTable.handle(.reported(slot, .question(question)), at: at(0))
        let answer = scene.runTable.describeQuestion(of: Scene.run(1).text, to: Self.origin(user), at: at(1))
        if isSecond {
            guard case .asking = answer else { return #expect(Bool(false), "\(answer)") }
        } else {
            guard case .refused(let error) = answer else { return #expect(Bool(false), "\(answer)") }
            #expect(error.code == .unknownRun)
        }
    }

    @Test func `the caller of a realm answers the questions of their own run`() throws {
        var (scene, _, slot) = try Self.waiting()
        _ = scene.finish(slot)
        let own = try #require(scene.runTable.slot(of: Scene.run(2)))
        _ = scene.launched(own)
        _ = scene.runTable.handle(.reported(own, .started), at: at(0))
        _ = scene.runTable.handle(
            .reported(own, .question(Question(number: 1, text: "How many?", type: .int))),
            at: at(0)
        )
        let answer = AnswerRequest(run: Scene.run(2).text, question: 1, value: .int(3))
        let answered = scene.runTable.handle(.requested(Self.origin(Self.caller), .answer(answer)), at: at(1))
        #expect(answered.isAccepted && answered.told == [.int(3)])
    }

    @Test func `a name without a realm belongs to no realm`() throws {
        var (scene, app, _) = try Self.waiting()
        let nameless = Caller.local(user: 990, account: "alice@")
        let perform = PerformRequest(
            request: Scene.request(3),
            app: app.name.text,
            intent: "Echo",
            values: ["text": .string("a")]
        )
        let body = RunTable.Request.perform(perform, newRun: Scene.run(3), .found(app), refusal: nil)
        _ = scene.runTable.handle(.requested(Self.origin(nameless, id: 3), body), at: at(0))
        app.revision += 1
        let reload = RunTable.Request.reload(Self.capacity(["home", ""]), [app], warnings: [])
        _ = scene.runTable.handle(.requested(Scene.client, .local(user: 0), id: 9, reload), at: at(1))
        #expect(scene.runTable.isLive(Scene.run(2)) && !scene.runTable.isLive(Scene.run(3)))
    }
}
