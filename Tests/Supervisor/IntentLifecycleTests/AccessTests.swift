import IntentLauncherMessages
import IntentLifecycle
import Testing

@Suite struct AccessTests {
    private let rule = AccessRule.only(users: [.local(user: 1000)], groups: [50])

    private static let callers: [(user: UInt32, groups: Set<UInt32>, may: Bool)] = [
        (1000, [], true), (1001, [50, 7], true), (1001, [7], false), (1001, [], false), (0, [], true),
    ]

    @Test(arguments: [
        ("ann@web1", true), (String(repeating: "a", count: 64) + "@" + String(repeating: "b", count: 64), true),
        (String(repeating: "a", count: 65) + "@b", false), ("@web1", false), ("ann@", false), ("ann", false),
        ("a@b@c", false), (".a@b", false), ("a@.b", false), ("a/b@c", false), ("\u{e9}@b", false), ("a+$_-.b@c", true),
    ])
    func `the name of a fleet's user is safe in a path`(name: String, isUser: Bool) {
        #expect(FleetAccess.isUser(name) == isUser)
    }

    @Test(arguments: callers)
    func `a restricted app is available to its users, its groups and root`(
        _ user: UInt32,
        _ groups: Set<UInt32>,
        _ may: Bool
    ) {
        #expect(RunAccess.mayPerform(Caller.local(user: user), groups: groups, under: rule) == may)
        #expect(RunAccess.mayPerform(Caller.local(user: user), groups: groups, under: .everybody))
    }

    @Test func `a uid that was given to another account is another caller`() {
        let (ann, ben) = (Caller.local(user: 1000, account: "ann"), Caller.local(user: 1000, account: "ben"))
        let named = AccessRule.only(users: [ann], groups: [])
        #expect(RunAccess.mayPerform(ann, groups: [], under: named))
        #expect(!RunAccess.mayPerform(ben, groups: [], under: named))
        // The uid of a rule without an account matches any account.
        #expect(RunAccess.mayPerform(ben, groups: [], under: .only(users: [.local(user: 1000)], groups: [])))
        #expect(!RunAccess.may(.see, Requester(ben), .user, withRunOf: Requester(ann)))
    }

    @Test func `the status counts a user's own runs, and all runs for an operator`() throws {
        var scene = try Scene.ready(places: 2)
        let other = Caller.local(user: 1001)
        let slot = try scene.launchedSlot(scene.echo(1), mode: .once)
        _ = scene.runTable.handle(.launchFailed(slot, LaunchFailure(message: "no")), at: at(0))
        for number in UInt64(2)...4 { _ = scene.echo(number) }
        _ = scene.echo(5, user: other)

        let own = try scene.status()
        #expect([own.runningCount, own.queuedCount, own.endedCount] == [2, 1, 1])
        let others = try scene.status(for: other)
        #expect([others.runningCount, others.queuedCount, others.endedCount] == [0, 1, 0])
        let all = try scene.status(for: .local(user: 0))
        #expect([all.runningCount, all.queuedCount, all.endedCount] == [2, 2, 1])
    }

    /// Every cell of the table: the rows are standings, the columns are operations.
    private static let table: [(RunAccess.Standing, may: Set<RunAccess.Operation>)] = [
        (.caller, [.see, .follow, .cancel, .fetch, .undo, .answerValue, .seeConfirmation]),
        (.agent, [.see, .follow, .cancel, .fetch, .undo, .answerValue, .seeConfirmation]),
        (.operator, [.see, .follow, .cancel, .fetch, .answerValue, .seeConfirmation, .confirm]),
        (.confirmer, [.seeConfirmation, .confirm]),
        (.unrelated, []),
    ]

    @Test(arguments: RunAccess.Standing.allCases, RunAccess.Operation.allCases)
    func `the permitted operations match the table for every standing`(
        standing: RunAccess.Standing,
        operation: RunAccess.Operation
    )
        throws
    {
        let row = try #require(Self.table.first { $0.0 == standing }).may
        for rule in [ConfirmRule.caller, .other, .members(of: [50])] {
            // The only cell that depends on `Confirm=`.
            let expected = standing == .caller && operation == .confirm ? rule == .caller : row.contains(operation)
            #expect(RunAccess.may(operation, as: standing, rule) == expected)
        }
    }

    private static let ranks: [(OperatorRule, UInt32, Set<UInt32>, RunAccess.Rank)] = [
        (.owner(user: 1000), 1000, [], .operator), (.owner(user: 1000), 1001, [50], .user),
        (.owner(user: 1000), 0, [], .operator),
        (.members(of: 50), 1000, [50, 7], .operator), (.members(of: 50), 1000, [7], .user),
        (.members(of: 50), 0, [], .operator),
        (.rootAlone, 1000, [0, 50], .user), (.rootAlone, 0, [], .operator),
    ]

    @Test(arguments: ranks)
    func `an operator is root, a member of the group, or the owner of a private daemon`(
        rule: OperatorRule,
        user: UInt32,
        groups: Set<UInt32>,
        rank: RunAccess.Rank
    ) {
        #expect(rule.rank(of: Caller.local(user: user), groups: groups) == rank)
    }

    @Test func `an operator by group sees runs of other users, and may run only intents that name it`() {
        let user = Caller.local(user: 1001)
        let owner = Requester(Scene.user)
        #expect(RunAccess.may(.see, Requester(user), .operator, withRunOf: owner))
        #expect(!RunAccess.may(.see, Requester(user), .user, withRunOf: owner))
        #expect(!RunAccess.mayPerform(user, groups: [50], under: .only(users: [.local(user: 1000)], groups: [])))
    }

    @Test func `an agent has access only to the runs that it requested, and its person to all of them`() {
        let (person, agent, other) = (
            Requester(Scene.user), Requester(Scene.user, agent: 500), Requester(Scene.user, agent: 501)
        )
        for operation in RunAccess.Operation.allCases where operation != .confirm {
            // An agent that acts for an operator is not an operator.
            for rank in RunAccess.Rank.allCases {
                #expect(!RunAccess.may(operation, agent, rank, withRunOf: person))
                #expect(!RunAccess.may(operation, agent, rank, withRunOf: other))
                #expect(RunAccess.may(operation, agent, rank, withRunOf: agent))
                #expect(RunAccess.may(operation, person, rank, withRunOf: agent))
            }
        }
        for rule in [ConfirmRule.caller, .other, .members(of: [50])] {
            let standing = RunAccess.standing(
                of: agent,
                .user,
                groups: [50],
                toRunOf: Requester(.local(user: 1)),
                rule,
                access: [.everybody]
            )
            #expect(standing == .unrelated)
        }
    }

    private static let standings: [(UInt32, Set<UInt32>, ConfirmRule, AccessRule, RunAccess.Standing)] = [
        (1000, [], .caller, .everybody, .caller), (1000, [50], .members(of: [50]), .everybody, .caller),
        (0, [], .caller, .everybody, .operator), (0, [], .other, .only(users: [], groups: []), .operator),
        (1001, [], .caller, .everybody, .unrelated), (1001, [], .other, .everybody, .confirmer),
        (1001, [], .other, .only(users: [.local(user: 1000)], groups: []), .unrelated),
        (1001, [7], .other, .only(users: [], groups: [7]), .confirmer),
        (1001, [50], .members(of: [50]), .only(users: [], groups: []), .confirmer),
        (1001, [7], .members(of: [50]), .everybody, .unrelated),
    ]

    @Test(arguments: standings)
    func `the standing of a user for a run of user 1000`(
        user: UInt32,
        groups: Set<UInt32>,
        rule: ConfirmRule,
        access: AccessRule,
        standing: RunAccess.Standing
    ) {
        let found = RunAccess.standing(
            of: Requester(Caller.local(user: user)),
            RunAccess.Rank(of: Caller.local(user: user)),
            groups: groups,
            toRunOf: Requester(Scene.user),
            rule,
            access: [access]
        )
        #expect(found == standing)
    }

    private static let policies: [(AccessRule, RunAccess.Authentication, Bool, UInt32, RunAccess.Obstacle?)] = [
        (.everybody, .none, false, 1000, nil),
        (.everybody, .named, true, 1000, .notNamed),
        (.everybody, .namedAndPresent, true, 1000, .notNamed),
        (.everybody, .unknown, true, 1000, .unknownPolicy),
        (.only(users: [.local(user: 1000)], groups: []), .named, false, 1000, nil),
        (.only(users: [], groups: [50]), .named, false, 1000, nil),
        (.only(users: [], groups: [51]), .named, false, 1000, .notAllowed),
        (.only(users: [.local(user: 1000)], groups: []), .namedAndPresent, false, 1000, .notPresent),
        (.only(users: [.local(user: 1000)], groups: []), .namedAndPresent, true, 1000, nil),
        (.only(users: [.local(user: 1000)], groups: []), .unknown, true, 1000, .unknownPolicy),
        (.everybody, .named, false, 0, nil),
        (.everybody, .namedAndPresent, false, 0, .notPresent),
        (.only(users: [.local(user: 1000)], groups: []), .named, false, 1001, .notAllowed),
    ]

    @Test(arguments: policies)
    func `an intent that requires authentication is for named users who are present`(
        rule: AccessRule,
        authentication: RunAccess.Authentication,
        isPresent: Bool,
        user: UInt32,
        obstacle: RunAccess.Obstacle?
    ) {
        let found = RunAccess.obstacle(
            to: Caller.local(user: user),
            groups: [50],
            under: rule,
            authentication: authentication,
            isPresent: isPresent
        )
        #expect(found == obstacle)
    }

    @Test
    func `a user without permission is refused before any process starts, and an intent's own rule takes precedence`()
        throws
    {
        var scene = try Scene.ready()
        var app = Scene.app
        app.access = .only(users: [], groups: [50])
        app.intentRules["Add", default: IntentRules()].access = .everybody
        func perform(_ intent: String, _ values: [String: IntentValue], _ number: UInt64, groups: Set<UInt32>)
            -> [RunTable
            .Action]
        {
            let request = PerformRequest(request: Scene.request(number), app: "Probe", intent: intent, values: values)
            return scene.runTable.handle(
                .requested(
                    Scene.client,
                    Scene.user,
                    groups: groups,
                    id: number,
                    .perform(request, newRun: Scene.run(number), .found(app))
                ),
                at: at(0)
            )
        }
        let refused = perform("Echo", ["text": .string("a")], 1, groups: [7])
        #expect(Scene.refusal(in: refused)?.code == .notPermitted)
        #expect(refused.contains(.forget(Scene.run(1))))
        #expect(Scene.refusal(in: perform("Echo", ["text": .string("a")], 2, groups: [50])) == nil)
        #expect(Scene.refusal(in: perform("Add", ["left": .int(1)], 3, groups: [7])) == nil)
    }

    @Test(arguments: policies)
    func `a user satisfies exactly the policies of the intents that the user may run`(
        rule: AccessRule,
        authentication: RunAccess.Authentication,
        isPresent: Bool,
        user: UInt32,
        obstacle: RunAccess.Obstacle?
    ) {
        let user = Caller.local(user: user)
        let found = RunAccess.authentication(of: user, groups: [50], under: rule, isPresent: isPresent)
        let order: [RunAccess.Authentication] = [.none, .named, .namedAndPresent]
        guard obstacle != .notAllowed, let required = order.firstIndex(of: authentication) else { return }
        #expect((order.firstIndex(of: found).map { $0 >= required } == true) == (obstacle == nil))
    }

    @Test(arguments: [
        (AccessRule.everybody, nil, nil, nil),
        (.only(users: [.local(user: 1000)], groups: []), nil, "requiresAuthentication", nil),
        (.only(users: [], groups: [50]), EntryPoint.commandLine, "requiresAuthentication", nil),
        (.only(users: [.local(user: 1000)], groups: []), .mcp, "requiresAuthentication", true),
    ])
    func `a worker receives what its caller may receive, and whether an agent made the request`(
        rule: AccessRule,
        entryPoint: EntryPoint?,
        authentication: String?,
        isUncertain: Bool?
    ) throws {
        var scene = try Scene.ready()
        var app = Scene.app
        app.access = rule
        app.agents.allowance = .all
        app.agents.asking = .never
        var request = PerformRequest(
            request: Scene.request(1),
            app: "Probe",
            intent: "Echo",
            values: ["text": .string("a")]
        )
        request.entryPoint = entryPoint
        let accepted = scene.runTable.handle(
            .requested(
                Scene.client,
                Scene.user,
                groups: [50],
                id: 1,
                .perform(request, newRun: Scene.run(1), .found(app))
            ),
            at: at(0)
        )
        #expect(Scene.refusal(in: accepted) == nil)
        let actions = scene.launched(try scene.launchedSlot(accepted, mode: .once))
        let commands = actions.compactMap { action -> PerformCommand? in
            if case .send(_, _, .perform(let command)) = action { command } else { nil }
        }
        #expect(commands.map(\.authentication) == [authentication])
        #expect(commands.map(\.isUncertain) == [isUncertain])
    }
}
