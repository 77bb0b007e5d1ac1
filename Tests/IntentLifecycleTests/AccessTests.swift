import IntentLifecycle
import IntentWire
import Testing

@Suite struct AccessTests {
    private let rule = AccessRule.only(users: [1000], groups: [50])

    private static let callers: [(user: UInt32, groups: Set<UInt32>, may: Bool)] = [
        (1000, [], true), (1001, [50, 7], true), (1001, [7], false), (1001, [], false), (0, [], true),
    ]

    @Test(arguments: callers)
    func `a restricted app is for its users, its groups and root`(_ user: UInt32, _ groups: Set<UInt32>, _ may: Bool) {
        #expect(RunAccess.mayPerform(UserID(number: user), groups: groups, under: rule) == may)
        #expect(RunAccess.mayPerform(UserID(number: user), groups: groups, under: .everybody))
    }

    @Test func `who may not run an intent is refused before any process starts, and an intent's own rule wins`() throws
    {
        var scene = try Scene.ready()
        var app = Scene.app
        app.access = .only(users: [], groups: [50])
        app.intentAccess = ["Add": .everybody]
        func perform(_ intent: String, _ values: [String: IntentValue], _ number: UInt64, groups: Set<UInt32>) -> [Fleet
            .Action]
        {
            let request = PerformRequest(request: Scene.request(number), app: "Probe", intent: intent, values: values)
            return scene.fleet.handle(
                .requested(
                    Scene.client,
                    Scene.user,
                    id: number,
                    .perform(request, newRun: Scene.run(number), .found(app), groups: groups)
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
}
