import IntentLauncherMessages
import IntentLifecycle
import Testing

/// `Concurrency=`, `Exclusive=`, `Priority=` and `Weight=`: which runs begin, wait, are refused or are replaced.
@Suite struct ConcurrencyTests {
    private let ada = Caller.local(user: 1000)
    private let bob = Caller.local(user: 1001)

    @Test func `a run waits for a run with the same value, and not for a run with another value`() throws {
        var scene = try Scene.ready()
        let app = app(.parameter("text"))
        let first = scene.echo(1, text: "a", app: app)
        #expect(scene.launchedRuns(first) == [1])
        #expect(scene.launchedRuns(scene.echo(2, text: "a", app: app)) == [])
        #expect(scene.launchedRuns(scene.echo(3, text: "b", app: app)) == [3])
        #expect(scene.waitsFor(2)?.contains("with text='a' have not ended (Concurrency=1 by=text)") == true)
        #expect(scene.launchedRuns(scene.finish(try scene.launchedSlot(first, mode: .once))) == [2])
    }

    @Test func `the total counts the runs of all values, and each value has its own limit beside it`() throws {
        var scene = try Scene.ready()
        var app = app(.parameter("text"))
        app.concurrency.add(ConcurrencyLimit(.all, count: 2))
        let first = scene.echo(1, text: "a", app: app)
        let second = scene.echo(2, text: "b", app: app)
        #expect(scene.launchedRuns(scene.echo(3, text: "a", app: app)) == [])
        #expect(scene.launchedRuns(scene.echo(4, text: "c", app: app)) == [])
        #expect(scene.waitsFor(4)?.contains("(Concurrency=2)") == true)
        // Run 3 is older, but the limit for its value is reached, so the slot goes to run 4.
        #expect(scene.launchedRuns(scene.finish(try scene.launchedSlot(second, mode: .once))) == [4])
        #expect(scene.launchedRuns(scene.finish(try scene.launchedSlot(first, mode: .once))) == [3])
    }

    @Test func `a default counts as the value, and an intent without the parameter is not limited`() throws {
        var scene = try Scene.ready()
        let app = app(.parameter("right"))
        #expect(scene.launchedRuns(scene.add(1, ["left": .int(1)], app: app)) == [1])
        #expect(scene.launchedRuns(scene.add(2, ["left": .int(1), "right": .int(1)], app: app)) == [])
        #expect(scene.launchedRuns(scene.add(3, ["left": .int(1), "right": .int(2)], app: app)) == [3])
        #expect(scene.launchedRuns(scene.echo(4, text: "a", app: app)) == [4])
        #expect(scene.launchedRuns(scene.echo(5, text: "a", app: app)) == [5])
    }

    @Test func `runs without a value have a key of their own, which waits for the app's description after a restart`() {
        let app = app(.parameter("customer"))
        let parameter = ParameterDeclaration(name: "customer", title: "Customer", type: .string, isOptional: true)
        let intent = IntentDeclaration(name: "Pay", title: "Pay", parameters: [parameter])
        let absent = app.claims(of: intent, with: [:], of: ada)
        #expect(absent?.map(\.key.group) == [.value("customer", .null)])
        #expect(absent != app.claims(of: intent, with: ["customer": .string("")], of: ada))
        #expect(absent == app.claims(of: intent, with: [:], of: bob))
        #expect(app.claims(of: intent, with: [:], of: ada, isDeclared: false) == nil)
        let given = ["customer": IntentValue.string("a")]
        #expect(
            app.claims(of: IntentDeclaration(name: "Pay", title: ""), with: given, of: ada, isDeclared: false)
                == app.claims(of: intent, with: given, of: ada)
        )
    }

    @Test func `a limit of an intent counts the runs of that intent alone`() throws {
        var scene = try Scene.ready()
        var app = Scene.app
        app.intentRules["Add", default: IntentRules()].concurrency = rules(ConcurrencyLimit(.all))
        #expect(scene.launchedRuns(scene.add(1, ["left": .int(1)], app: app)) == [1])
        #expect(scene.launchedRuns(scene.add(2, ["left": .int(2)], app: app)) == [])
        #expect(scene.launchedRuns(scene.echo(3, text: "a", app: app)) == [3])
    }

    @Test func `with refuse, one run above the limit is refused, even while the others still wait`() throws {
        var capacity = RunTable.Capacity()
        capacity.runCount = 1
        var scene = try Scene.ready(capacity)
        let app = app(.parameter("text"), overflow: .refuse)
        let first = scene.echo(1, text: "z", app: app)
        #expect(scene.launchedRuns(scene.echo(2, text: "a", app: app)) == [])
        let refused = scene.echo(3, text: "a", user: bob, app: app)
        let error = try #require(Scene.refusal(in: refused))
        #expect(error.code == .busy)
        #expect(error.retryAfter != nil)
        #expect(error.message == "other runs of Probe with text='a' have not ended (Concurrency=1 by=text refuse)")
        #expect(refused.contains(.forget(Scene.run(3))))
        _ = scene.finish(try scene.launchedSlot(first, mode: .once))
        #expect(Scene.refusal(in: scene.echo(4, text: "z", app: app)) == nil)
    }

    @Test func `with replace, a waiting run of the user ends at once, and a running one is cancelled`() throws {
        var scene = try Scene.ready()
        let app = app(.parameter("text"), overflow: .replace)
        let slot = try scene.launchedSlot(scene.echo(1, text: "a", app: app), mode: .once)
        begin(slot, in: &scene)
        let second = scene.echo(2, text: "a", app: app)
        #expect(second.contains(.send(slot, Scene.run(1), .cancel(reason: .replaced, graceMilliseconds: 1000))))
        #expect(scene.launchedRuns(second) == [])
        let third = scene.echo(3, text: "a", app: app)
        #expect(scene.outcome(of: 2, in: third) == .cancelled(.replaced))
        #expect(scene.launchedRuns(scene.echo(4, text: "b", app: app)) == [4])
        let ended = scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(1))
        #expect(scene.outcome(of: 1, in: ended) == .cancelled(.replaced))
        #expect(scene.launchedRuns(ended) == [3])
    }

    @Test func `a run replaces no run of another user, and waits for it`() throws {
        var scene = try Scene.ready()
        let app = app(.all, overflow: .replace)
        let first = scene.echo(1, text: "a", user: ada, app: app)
        let second = scene.echo(2, text: "a", user: bob, app: app)
        #expect(scene.launchedRuns(second) == [])
        #expect(scene.outcome(of: 1, in: second) == nil)
        #expect(scene.outcome(of: 2, in: scene.echo(3, text: "a", user: bob, app: app)) == .cancelled(.replaced))
        #expect(scene.launchedRuns(scene.finish(try scene.launchedSlot(first, mode: .once))) == [3])
    }

    @Test func `a run with an open question keeps its claims`() throws {
        var scene = try Scene.ready()
        let app = app(.all)
        let slot = try scene.launchedSlot(scene.echo(1, text: "a", app: app), mode: .once)
        begin(slot, in: &scene)
        _ = scene.runTable.handle(.reported(slot, .question(Question(number: 1, text: "?", type: .int))), at: at(0))
        #expect(scene.runTable.load.waitingCount == 1)
        #expect(scene.launchedRuns(scene.echo(2, text: "b", app: app)) == [])
        #expect(scene.launchedRuns(scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(1))) == [2])
    }

    @Test func `exclusive runs are one for each user, or one for all users of a shared folder`() throws {
        for isShared in [false, true] {
            var scene = try Scene.ready()
            var app = Scene.app
            app.concurrency.exclusivity = .state(.queue)
            app.hasSharedState = isShared
            #expect(scene.launchedRuns(scene.echo(1, text: "a", user: ada, app: app)) == [1])
            #expect(scene.launchedRuns(scene.add(2, ["left": .int(1)], user: ada, app: app)) == [])
            #expect(scene.launchedRuns(scene.echo(3, text: "b", user: bob, app: app)) == (isShared ? [] : [3]))
            #expect(scene.waitsFor(2)?.contains("with the same state folder have not ended (Exclusive=state)") == true)
        }
    }

    @Test func `an intent can be exempt from its app's exclusivity, or exclusive alone`() throws {
        var scene = try Scene.ready()
        var app = Scene.app
        app.concurrency.exclusivity = .state(.queue)
        app.intentRules["Add", default: IntentRules()].concurrency = ConcurrencyRules()
        app.intentRules["Add"]?.concurrency?.exclusivity = ConcurrencyRules.Exclusivity.none
        #expect(scene.launchedRuns(scene.echo(1, text: "a", app: app)) == [1])
        #expect(scene.launchedRuns(scene.add(2, ["left": .int(1)], app: app)) == [2])
        #expect(scene.launchedRuns(scene.echo(3, text: "a", app: app)) == [])
    }

    @Test func `a new limit counts the runs that were accepted before it`() throws {
        var scene = try Scene.ready()
        var changed = app(.all)
        changed.revision = 2
        let first = scene.echo(1, text: "a")
        #expect(scene.launchedRuns(scene.echo(2, text: "a", app: changed)) == [])
        var lifted = Scene.app
        lifted.revision = 3
        #expect(scene.launchedRuns(scene.echo(3, text: "a", app: lifted)) == [2, 3])
        _ = try scene.launchedSlot(first, mode: .once)
    }

    @Test func `adopted runs keep their values, and wait for defaults until the app describes its intents`() throws {
        let app = app(.parameter("right"))
        var table = RunTable(capacity: RunTable.Capacity(), succession: .adopts, at: at(10))
        // Run 1 works without a value, so its value is the default 1.
        _ = table.handle(.found(found(1, ["left": .int(1)], slot: 7, of: app), absence: .zero), at: at(10))
        for (number, right) in [(UInt64(2), Int64(1)), (3, 2)] {
            let values: [String: IntentValue] = ["left": .int(1), "right": .int(right)]
            let actions = table.handle(.found(found(number, values, of: app), absence: .zero), at: at(10))
            #expect(!actions.contains { if case .launch = $0 { true } else { false } })
        }
        var scene = Scene()
        scene.runTable = table
        #expect(scene.waitsFor(2)?.contains("has not described its intents") == true)
        let slot = try scene.launchedSlot(scene.runTable.handle(.started([app]), at: at(10)), mode: .describe)
        _ = scene.runTable.handle(.reported(slot, .catalog(Scene.catalog)), at: at(10))
        #expect(
            scene.launchedRuns(scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(10))) == [3]
        )
        #expect(scene.waitsFor(2)?.contains("with right=1 have not ended") == true)
        let ended = scene.runTable.handle(.ended(SlotID(number: 7), Scene.exited, lastLine: nil), at: at(11))
        #expect(scene.launchedRuns(ended) == [2])
    }

    private func found(
        _ number: UInt64,
        _ values: [String: IntentValue],
        slot: UInt64? = nil,
        of app: InstalledApp
    ) -> FoundRun {
        let accepted = AcceptedRun(
            caller: CallerProcess(Scene.user),
            entryPoint: .socket,
            request: Scene.request(number),
            app: app.name,
            intent: "AddIntent",
            traits: [],
            values: RunValues(values),
            fileCount: 0,
            onDisconnect: .continue,
            limits: RunLimits()
        )
        let slot = slot.map { SlotID(number: $0) }
        let record = UnfinishedRun(
            run: Scene.run(number),
            accepted: accepted,
            acceptedMonotonic: at(0).monotonic.nanoseconds,
            acceptedBoottime: at(0).boottime.nanoseconds,
            state: slot == nil ? .queued : .running,
            slot: slot
        )
        var note = slot.map { RunNote(run: Scene.run(number), slot: $0, phase: .running) }
        note?.processStart = at(0).monotonic
        note?.deadline = Deadline(limits: RunLimits(), traits: [], at: at(0))
        return FoundRun(
            record,
            app: .found(app),
            note: note,
            worker: slot.map { FoundRun.Worker(slot: $0, isolation: Scene.isolation) }
        )
    }

    @Test func `the waiting run with the highest priority of a user begins first`() throws {
        var capacity = RunTable.Capacity()
        capacity.runCount = 1
        var scene = try Scene.ready(capacity)
        var app = Scene.app
        app.concurrency.priority = -1
        app.intentRules["Add", default: IntentRules()].concurrency = ConcurrencyRules()
        app.intentRules["Add"]?.concurrency?.priority = 5
        var slot = try scene.launchedSlot(scene.echo(1, text: "a", app: app), mode: .once)
        _ = scene.echo(2, text: "a", app: app)
        _ = scene.add(3, ["left": .int(1)], app: app)
        _ = scene.add(4, ["left": .int(1)], user: bob, app: app)
        var served: [UInt64] = []
        for _ in 0..<3 {
            let actions = scene.finish(slot)
            served += scene.launchedRuns(actions)
            slot = try scene.launchedSlot(actions, mode: .once)
        }
        // Bob has not had a slot yet.
        #expect(served == [4, 3, 2])
    }

    @Test(arguments: [(1, 90, [60, 30]), (3, 90, [60, 30]), (30, 90, [60, 30])])
    func `users with runs in the backlog share the slots by weight`(
        slots: Int,
        count: Int,
        expected: [Int]
    ) throws {
        var capacity = RunTable.Capacity()
        capacity.runCount = slots
        capacity.runCountPerUser = 100
        capacity.weights = [ada: 200]
        var queue = AdmissionQueue(capacity: capacity)
        let app = try #require(AppName("A"))
        for number in UInt64(0)..<400 {
            let user = number % 2 == 0 ? ada : bob
            let account = Account.local(user: user.uid)
            queue.join(.init(run: Scene.run(number), user: user, account: account, app: app), appLimit: 1000)
        }
        var working: [RunID] = []
        var served: [Int] = []
        var occupied = [0, 0]
        func user(_ run: RunID) -> Int { (0..<400).contains { $0 % 2 == 0 && Scene.run(UInt64($0)) == run } ? 0 : 1 }
        working += queue.admit()
        while served.count < count {
            // All runs have the same duration, so they end in the order in which they began.
            let run = working.removeFirst()
            served.append(user(run))
            queue.leave(run)
            working += queue.admit()
            for run in working { occupied[user(run)] += 1 }
        }
        let shares = [served.count { $0 == 0 }, served.count { $0 == 1 }]
        #expect(abs(shares[0] - expected[0]) <= 3, "\(shares)")
        #expect(abs(shares[1] - expected[1]) <= 3, "\(shares)")
    }

    @Test(arguments: [
        ("nonesuch", "which is not the name of a parameter"), ("pin", "secret"), ("data", "files cannot be compared"),
    ])
    func `a by= parameter that cannot be compared prevents the app from running`(name: String, words: String) throws {
        let intent = IntentDeclaration(
            name: "Pay",
            title: "Pay",
            parameters: [
                ParameterDeclaration(name: "pin", title: "PIN", type: .string),
                ParameterDeclaration(name: "data", title: "Data", type: .array(.file)),
                ParameterDeclaration(name: "customer", title: "Customer", type: .string),
            ]
        )
        let catalog = IntentCatalog(intents: [intent])
        var app = Scene.app
        app.secretNames = ["pin"]
        app.intentRules["Pay", default: IntentRules()].concurrency = rules(ConcurrencyLimit(.parameter(name)))
        #expect { try app.fitted(to: catalog) } throws: { "\(($0 as? MisfitRules)?.message ?? "")".contains(words) }
        app.intentRules = [:]
        app.concurrency.add(ConcurrencyLimit(.parameter(name)))
        #expect { try app.fitted(to: catalog) } throws: { "\(($0 as? MisfitRules)?.message ?? "")".contains(words) }
        app.concurrency.limits = [ConcurrencyLimit(.parameter("customer"))]
        #expect(throws: Never.self) { try app.fitted(to: catalog) }
    }

    // MARK: Support

    private func app(_ scope: ConcurrencyLimit.Scope, overflow: ConcurrencyLimit.Overflow = .queue) -> InstalledApp {
        var app = Scene.app
        app.concurrency.add(ConcurrencyLimit(scope, overflow: overflow))
        return app
    }

    private func rules(_ limit: ConcurrencyLimit) -> ConcurrencyRules {
        var rules = ConcurrencyRules()
        rules.add(limit)
        return rules
    }

    private func begin(_ slot: SlotID, in scene: inout Scene) {
        _ = scene.launched(slot)
        _ = scene.runTable.handle(.reported(slot, .started), at: at(0))
    }
}

extension Scene {
    fileprivate mutating func echo(
        _ number: UInt64,
        text: String,
        user: Caller = Scene.user,
        app: InstalledApp = Scene.app
    ) -> [RunTable.Action] {
        request(number, "Echo", ["text": .string(text)], user: user, app: app)
    }

    fileprivate mutating func add(
        _ number: UInt64,
        _ values: [String: IntentValue],
        user: Caller = Scene.user,
        app: InstalledApp
    ) -> [RunTable.Action] {
        request(number, "Add", values, user: user, app: app)
    }

    private mutating func request(
        _ number: UInt64,
        _ intent: String,
        _ values: [String: IntentValue],
        user: Caller,
        app: InstalledApp
    ) -> [RunTable.Action] {
        perform(
            intent,
            values,
            id: number,
            newRun: Scene.run(number),
            request: number,
            client: ClientID(number: UInt64(user.uid)),
            user: user,
            app: app
        )
    }

    /// The reason for which a run waits, as its user sees it.
    fileprivate mutating func waitsFor(_ number: UInt64) -> String? {
        let actions = runTable.handle(.requested(Scene.client, Scene.user, id: 99, .runs(held: [])), at: at(0))
        return actions.lazy.compactMap { action in
            if case .answer(_, _, .runs(let runs)) = action {
                return runs.first { $0.run == Scene.run(number) }?.waitsFor
            }
            return nil
        }.first
    }

    fileprivate func outcome(of number: UInt64, in actions: [RunTable.Action]) -> RunOutcome? {
        actions.lazy.compactMap { action in
            if case .publish(_, let event) = action, event.run == Scene.run(number),
                case .finished(let end) = event.event
            {
                return end.outcome
            }
            return nil
        }.first
    }
}
