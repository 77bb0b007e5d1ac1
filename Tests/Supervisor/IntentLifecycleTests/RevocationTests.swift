import IntentLauncherMessages
import IntentLifecycle
import Testing

/// Users, fleets and agents that lose a permission between a request and the start of its run.
@Suite struct RevocationTests {
    private static let group: UInt32 = 50
    private static let local = Caller.local(user: 1000, account: "ann")
    private static let ofFleet = Caller.local(user: 990, account: "ann@web1")

    /// A change of the settings that forbids the run which waits.
    enum Change: CaseIterable {
        case userRemoved
        case groupRemoved
        case intentRestricted
        case fleetEnded
        case agentsForbidden
        case agentsAsk
    }

    /// The settings under which the request arrives, which also admit root.
    private static func before(_ change: Change) -> InstalledApp {
        var app = Scene.app
        app.runCountMax = 1
        switch change {
        case .userRemoved: app.access = .only(users: [local], groups: [])
        case .groupRemoved: app.access = .only(users: [], groups: [group])
        case .intentRestricted: break
        case .fleetEnded: app.fleet = FleetRule(.once)
        case .agentsForbidden, .agentsAsk:
            app.agents.allowance = .all
            app.agents.asking = .never
        }
        return app
    }

    private static func after(_ change: Change) -> InstalledApp {
        var app = before(change)
        app.revision += 1
        switch change {
        case .userRemoved: app.access = .only(users: [.local(user: 1001)], groups: [])
        case .groupRemoved: app.access = .only(users: [], groups: [group + 1])
        case .intentRestricted:
            app.intentRules["Echo", default: IntentRules()].access = .only(users: [], groups: [])
        case .fleetEnded: app.fleet = nil
        case .agentsForbidden: app.agents.allowance = AgentRule.Allowance.none
        case .agentsAsk: app.agents.asking = .always
        }
        return app
    }

    private static func request(_ change: Change, _ app: InstalledApp) -> RunTable.Event {
        let user = change == .fleetEnded ? ofFleet : local
        let isOfAgent = change == .agentsForbidden || change == .agentsAsk
        let perform = PerformRequest(
            request: Scene.request(2),
            app: app.name.text,
            intent: "Echo",
            values: ["text": .string("a")],
            entryPoint: isOfAgent ? .mcp : nil
        )
        var origin = RunTable.RequestOrigin(
            client: ClientID(number: 2),
            user: user,
            rank: .user,
            groups: change == .groupRemoved ? [group] : [],
            id: 2,
            caller: CallerProcess(user)
        )
        if change == .fleetEnded { origin.fleet = .user }
        return .requested(origin, .perform(perform, newRun: Scene.run(2), .found(app), refusal: nil))
    }

    private static func reload(_ app: InstalledApp) -> RunTable.Event {
        .requested(Scene.client, .local(user: 0), id: 9, .reload(RunTable.Capacity(), [app], warnings: []))
    }

    private static func outcomes(in actions: [RunTable.Action]) -> [RunOutcome] {
        actions.compactMap { action in
            if case .record(let record) = action, case .ended(let end) = record.fact { end.outcome } else { nil }
        }
    }

    /// A scene in which root's run has the app's only slot, and the run of the request waits.
    private static func waiting(_ change: Change) throws -> (Scene, SlotID) {
        let app = before(change)
        var scene = try Scene.ready(RunTable.Capacity())
        let slot = try scene.launchedSlot(scene.echo(1, user: .local(user: 0), app: app), mode: .once)
        let asked = scene.runTable.handle(request(change, app), at: at(0))
        #expect(Scene.refusal(in: asked) == nil)
        #expect(scene.launchedRuns(asked) == [])
        return (scene, slot)
    }

    @Test(arguments: Change.allCases)
    func `a waiting run ends when a reload takes its permission away, and a run that started continues`(
        change: Change
    ) throws {
        var (scene, slot) = try Self.waiting(change)
        let reloaded = scene.runTable.handle(Self.reload(Self.after(change)), at: at(1))
        let outcomes = Self.outcomes(in: reloaded)
        try #require(outcomes.count == 1, "\(reloaded)")
        guard case .notStarted(let message) = outcomes[0] else {
            Issue.record("\(outcomes)")
            return
        }
        #expect(message.contains("Probe/Echo"), "\(message)")
        #expect(scene.launchedRuns(scene.finish(slot)) == [])
        #expect(try scene.status(for: .local(user: 0)).queuedCount == 0)
    }

    @Test(arguments: Change.allCases)
    func `a waiting run ends with the first request after a change of the settings`(change: Change) throws {
        var (scene, slot) = try Self.waiting(change)
        let asked = scene.runTable.handle(
            .requested(Scene.client, .local(user: 0), id: 9, .describe(.found(Self.after(change)))),
            at: at(1)
        )
        #expect(Self.outcomes(in: asked).count == 1)
        #expect(scene.launchedRuns(scene.finish(slot)) == [])
    }

    @Test(arguments: Change.allCases)
    func `a waiting run starts if the settings still permit it`(change: Change) throws {
        var (scene, slot) = try Self.waiting(change)
        var app = Self.before(change)
        app.revision += 1
        #expect(Self.outcomes(in: scene.runTable.handle(Self.reload(app), at: at(1))) == [])
        #expect(scene.launchedRuns(scene.finish(slot)) == [2])
    }

    @Test func `a reload of one app does not end the waiting runs of another`() throws {
        let before = Self.before(.userRemoved)
        var other = Scene.app("Other")
        var scene = try Scene.ready(RunTable.Capacity(), apps: [Scene.app, other])
        let slot = try scene.launchedSlot(scene.echo(1, user: .local(user: 0), app: before), mode: .once)
        _ = scene.runTable.handle(Self.request(.userRemoved, before), at: at(0))
        other.access = .only(users: [], groups: [])
        other.revision += 1
        let reload = RunTable.Request.reload(RunTable.Capacity(), [before, other], warnings: [])
        let reloaded = scene.runTable.handle(.requested(Scene.client, .local(user: 0), id: 9, reload), at: at(1))
        #expect(Self.outcomes(in: reloaded) == [])
        #expect(scene.launchedRuns(scene.finish(slot)) == [2])
    }

    /// The names in `[Access]` are the same, and the account of one of them was removed.
    @Test func `a reload removes the permission of a removed account although the settings are the same`() throws {
        var (scene, slot) = try Self.waiting(.userRemoved)
        var app = Self.before(.userRemoved)
        app.access = .only(users: [], groups: [])
        #expect(Self.outcomes(in: scene.runTable.handle(Self.reload(app), at: at(1))).count == 1)
        #expect(scene.launchedRuns(scene.finish(slot)) == [])
    }

    @Test(arguments: [true, false])
    func `no approval starts a run if its user has lost the permission`(isReloaded: Bool) throws {
        var before = Scene.app
        before.agents.allowance = .all
        before.agents.asking = .always
        var scene = try Scene.ready(RunTable.Capacity(), apps: [before])
        _ = scene.runTable.handle(Self.request(.agentsForbidden, before), at: at(0))
        if isReloaded {
            let reloaded = scene.runTable.handle(Self.reload(Self.after(.agentsForbidden)), at: at(1))
            #expect(Self.outcomes(in: reloaded).count == 1)
        }
        let answer = AnswerRequest(run: Scene.run(2).text, question: 0, value: .bool(true))
        let answered = scene.runTable.handle(
            .requested(ClientID(number: 3), Self.local, id: 3, .answer(answer)),
            at: at(2)
        )
        #expect(scene.launchedRuns(answered) == (isReloaded ? [] : [2]))
    }

    @Test(arguments: [Change.userRemoved, .intentRestricted])
    func `a request that waits for the app's description is checked against the newest settings`(change: Change) throws
    {
        var scene = Scene(RunTable.Capacity())
        let asked = scene.runTable.handle(Self.request(change, Self.before(change)), at: at(0))
        let slot = try scene.launchedSlot(asked, mode: .describe)
        _ = scene.runTable.handle(Self.reload(Self.after(change)), at: at(0))
        _ = scene.runTable.handle(.reported(slot, .catalog(Scene.catalog)), at: at(1))
        let described = scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(1))
        #expect(Scene.refusal(in: described)?.code == .notPermitted)
        #expect(scene.launchedRuns(described) == [])
    }

    @Test(arguments: [
        (AccessRule.everybody, true), (.only(users: [Self.local], groups: []), true),
        // The groups of the caller are not on record.
        (.only(users: [], groups: [Self.group]), true), (.only(users: [.local(user: 1001)], groups: []), false),
    ])
    func `a later intentd starts a waiting run only if the settings permit it`(
        access: AccessRule,
        starts: Bool
    ) {
        var app = Scene.app
        app.access = access
        let accepted = AcceptedRun(
            caller: CallerProcess(Self.local),
            entryPoint: .socket,
            request: Scene.request(1),
            app: app.name,
            intent: "Echo",
            traits: [],
            values: ["text": .string("a")],
            secretNames: [],
            fileCount: 0,
            onDisconnect: .continue,
            limits: RunLimits()
        )
        let record = UnfinishedRun(
            run: Scene.run(1),
            accepted: accepted,
            acceptedMonotonic: at(0).monotonic.nanoseconds,
            acceptedBoottime: at(0).boottime.nanoseconds,
            state: .queued,
            slot: nil
        )
        var runTable = RunTable(capacity: RunTable.Capacity(), succession: .adopts, at: at(10))
        let actions = runTable.handle(
            .found(FoundRun(record, app: .found(app)), absence: .zero),
            at: at(10)
        )
        #expect(Self.outcomes(in: actions).isEmpty == starts)
    }
}
