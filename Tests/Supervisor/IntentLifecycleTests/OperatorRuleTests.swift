import IntentLauncherMessages
import IntentLifecycle
import Testing

/// What clients see of an operator's settings.
@Suite struct OperatorRuleTests {
    private static func description(_ app: InstalledApp) throws -> AppDescription {
        var scene = try Scene.ready()
        let actions = scene.runTable.handle(
            .requested(Scene.client, Scene.user, id: 3, .describe(.found(app))),
            at: at(1)
        )
        return try #require(
            actions.lazy.compactMap { if case .answer(_, _, .app(let app)) = $0 { app } else { nil } }.first
        )
    }

    @Test func `a description has the limits of intents with limits of their own`() throws {
        #expect(try Self.description(Scene.app).intentLimits == nil)
        var app = Scene.app
        var rules = IntentRules()
        rules.limits = RunLimits()
        app.intentRules["Echo"] = rules
        #expect(try Self.description(app).intentLimits?.keys.sorted() == ["Echo"])
    }

    @Test func `an app is in a fleet if the operator permits it or one of its intents`() {
        var app = Scene.app
        #expect(!app.isInFleet)
        app.intentRules["Echo"] = IntentRules()
        #expect(!app.isInFleet)
        app.intentRules["Echo"]?.fleet = .some(FleetRule(.once))
        #expect(app.isInFleet)
    }

    @Test(arguments: [("Mail/Send", 0), ("Mail/Nothing", 1), ("Probe/Echo", 1), ("Absent/Send", 0)])
    func `a reload checks the intents of [Notify] in the apps that have them`(target: String, warningCount: Int) throws
    {
        var scene = try Scene.ready()
        let mail = Scene.app("Mail")
        let asked = scene.runTable.handle(
            .requested(Scene.client, Scene.user, id: 1, .describe(.found(mail))),
            at: at(0)
        )
        let slot = try scene.launchedSlot(asked, mode: .describe)
        let catalog = IntentCatalog(intents: [IntentDeclaration(name: "Send", title: "Send")])
        _ = scene.runTable.handle(.reported(slot, .catalog(catalog)), at: at(0))
        _ = scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(0))
        var app = Scene.app
        app.notify.onFailure = NotifyRule.Target(target)
        let reload = RunTable.Request.reload(RunTable.Capacity(), [app, mail], warnings: [])
        let actions = scene.runTable.handle(.requested(Scene.client, .local(user: 0), id: 2, reload), at: at(1))
        let report = actions.lazy.compactMap { action in
            if case .answer(_, _, .reloaded(let report)) = action { report } else { nil }
        }.first
        #expect(report?.warnings.count == warningCount, "\(actions)")
    }

    @Test func `a wrong setting is reported once, until it is mended`() throws {
        var scene = try Scene.ready()
        var wrong = Scene.app
        wrong.intentRules["Nothing"] = IntentRules()
        let reports = (1...3).map { number -> Int in
            let actions = scene.echo(UInt64(number), app: wrong)
            #expect(Scene.refusal(in: actions)?.code == .brokenApp)
            return actions.count { if case .reportBroken = $0 { true } else { false } }
        }
        #expect(reports == [1, 0, 0])
        #expect(scene.runTable.brokenApps.count == 1)
        #expect(scene.launchedRuns(scene.echo(4)) == [4])
        #expect(scene.runTable.brokenApps.isEmpty)
    }
}
