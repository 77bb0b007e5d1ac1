import IntentLauncherMessages
import IntentLifecycle
import Testing

/// What the status says to users and operators, and which apps it asks again to describe their intents.
@Suite struct StatusTests {
    private static let exitedBadly = SlotEnd(processEnd: .exited(code: 78))

    private static func status(
        _ scene: inout Scene,
        of apps: [InstalledApp],
        rank: RunAccess.Rank = .user,
        fleet: FleetAccess = .none,
        milliseconds: Int64 = 1000,
        _ facts: RunTable.StatusFacts = RunTable.StatusFacts(installedAppCount: 0, problems: [])
    ) -> [RunTable.Action] {
        let instant = milliseconds * 1_000_000
        let now = Now(monotonic: .init(nanoseconds: instant), boottime: .init(nanoseconds: instant))
        var origin = RunTable.RequestOrigin(
            client: Scene.client,
            user: Scene.user,
            rank: rank,
            groups: [],
            id: 9,
            caller: CallerProcess(Scene.user)
        )
        origin.fleet = fleet
        return scene.runTable.handle(.requested(origin, .status(facts, of: apps)), at: now)
    }

    private static func answer(in actions: [RunTable.Action]) -> DaemonStatus? {
        actions.lazy.compactMap { if case .answer(_, _, .status(let status)) = $0 { status } else { nil } }.first
    }

    private static func brokenApps(_ status: DaemonStatus?) -> [String?]? {
        status.map { ($0.problems ?? []).map(\.app) }
    }

    /// A scene in which each of these apps has failed to describe its intents, one second after the start.
    private static func failed(_ apps: [InstalledApp]) throws -> Scene {
        var scene = Scene()
        for app in apps {
            let asked = scene.runTable.handle(
                .requested(Scene.client, .local(user: 0), id: 1, .describe(.found(app))),
                at: at(0)
            )
            let slot = try scene.launchedSlot(asked, mode: .describe)
            _ = scene.runTable.handle(.ended(slot, exitedBadly, lastLine: "no soup"), at: at(1))
        }
        return scene
    }

    @Test func `a user hears of the broken apps that they may run, and an operator of all`() throws {
        var hidden = Scene.app("Hidden")
        hidden.access = .only(users: [.local(user: 4711)], groups: [])
        let apps = [Scene.app("Open"), hidden]
        var scene = try Self.failed(apps)
        let own = Self.answer(in: Self.status(&scene, of: apps))
        #expect(Self.brokenApps(own) == ["Open"])
        // Operators see every app, also those that they may not run.
        let operators = Self.answer(in: Self.status(&scene, of: apps, rank: .operator))
        #expect(Self.brokenApps(operators) == ["Hidden", "Open"])
    }

    @Test func `a user hears of their own runs, and an operator and the service of a fleet of all runs`() throws {
        var scene = try Scene.ready()
        _ = scene.echo(1, user: .local(user: 4711))
        let counts = [(RunAccess.Rank.user, FleetAccess.none), (.operator, .none), (.user, .service)]
            .map { rank, fleet in
                Self.answer(in: Self.status(&scene, of: [Scene.app], rank: rank, fleet: fleet))?.runningCount
            }
        #expect(counts == [0, 1, 1])
    }

    @Test func `the users of agents are listed if there are any`() throws {
        var scene = Scene()
        #expect(try #require(Self.answer(in: Self.status(&scene, of: []))).agentUsers == nil)
        var facts = RunTable.StatusFacts(installedAppCount: 0, problems: [])
        facts.agentUsers = [7, 3]
        let status = Self.answer(in: Self.status(&scene, of: [], facts))
        #expect(try #require(status).agentUsers == [3, 7])
    }

    @Test(arguments: [(Int64(1001), false), (5999, false), (6000, true)])
    func `the status asks a failed app again five seconds after its failure`(milliseconds: Int64, isAsked: Bool) throws
    {
        var scene = try Self.failed([Scene.app])
        let actions = Self.status(&scene, of: [Scene.app], milliseconds: milliseconds)
        #expect(actions.contains { if case .launch = $0 { true } else { false } } == isAsked)
        #expect(Self.brokenApps(Self.answer(in: actions)) == (isAsked ? nil : ["Probe"]))
    }

    @Test func `the status asks another version of a failed app at once, and a working app not at all`() throws {
        var scene = try Self.failed([Scene.app])
        var changed = Scene.app
        changed.fingerprint.executable.modifiedNanoseconds += 1
        let asked = Self.status(&scene, of: [changed])
        let slot = try scene.launchedSlot(asked, mode: .describe)
        _ = scene.runTable.handle(.reported(slot, .catalog(Scene.catalog)), at: at(2))
        let described = scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(2))
        #expect(Self.brokenApps(Self.answer(in: described)) == [])
        let working = Self.status(&scene, of: [changed], milliseconds: 3000)
        #expect(working.count == 1 && Self.brokenApps(Self.answer(in: working)) == [])
    }
}
