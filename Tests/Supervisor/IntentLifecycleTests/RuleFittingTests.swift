import IntentLauncherMessages
import IntentLifecycle
import Testing

/// Rules of individual intents are matched by name, never by the order of a table.
@Suite struct RuleFittingTests {
    private static let only = AccessRule.only(users: [.local(user: 1)], groups: [])

    @Test func `of two intents with similar names, each has the rules under its exact name`() throws {
        var app = Scene.app
        var names: [String] = []
        // Use so many that a random order cannot be correct for all of them.
        for number in 0..<40 {
            names += ["Wipe\(number)", "Wipe\(number)Intent"]
            app.intentRules["Wipe\(number)", default: IntentRules()].access = .everybody
            app.intentRules["Wipe\(number)Intent", default: IntentRules()].access = Self.only
            app.intentRules["Wipe\(number)", default: IntentRules()].confirm = .caller
            app.intentRules["Wipe\(number)Intent", default: IntentRules()].confirm = .other
        }
        var scene = try learned(names, of: app)
        for (index, name) in names.enumerated() {
            let number = UInt64(index + 1)
            let actions = scene.perform(name, [:], newRun: Scene.run(number), request: number, app: app)
            let code = Scene.refusal(in: actions)?.code
            #expect(code == (name.hasSuffix("Intent") ? .notPermitted : nil), "\(name)")
        }
    }

    @Test(arguments: [["Wipe"], ["WipeIntent"]])
    func `an intent with two sections is refused, whichever rule a section is for`(names: [String]) throws {
        for (first, second) in [("Wipe", "WipeIntent"), ("WipeIntent", "Wipe")] {
            var app = Scene.app
            app.intentRules[first, default: IntentRules()].access = Self.only
            app.intentRules[second, default: IntentRules()].limits = RunLimits()
            let expected = "[Intent Wipe] and [Intent WipeIntent] both match \(names[0])"
            #expect(try refusal(names, of: app).contains(expected))
        }
        var app = Scene.app
        app.intentRules["Wipe", default: IntentRules()].access = Self.only
        app.intentRules["WipeIntent", default: IntentRules()].access = .everybody
        #expect(try refusal(names, of: app).contains("both"))
    }

    @Test func `a rule for an unknown intent prevents the app from running`() throws {
        var app = Scene.app
        app.intentRules["Wipf", default: IntentRules()].access = Self.only
        #expect(try refusal(["Wipe"], of: app).contains("[Intent Wipf]"))
        app = Scene.app
        app.intentRules["Wipf", default: IntentRules()].confirm = .other
        #expect(try refusal(["Wipe"], of: app).contains("did you mean 'Wipe'"))
    }

    @Test func `a Secret= that is not a parameter prevents the app from running`() throws {
        var app = Scene.app
        app.secretNames = ["pim"]
        #expect(try refusal(["Wipe"], of: app).contains("'pim'"))
        app.secretNames = ["pin"]
        app.intentRules["Wipe", default: IntentRules()].secretNames = ["pon"]
        #expect(try refusal(["Wipe"], of: app).contains("'pon'"))
        app.intentRules["Wipe", default: IntentRules()].secretNames = ["pin"]
        var scene = try learned(["Wipe"], of: app)
        #expect(Scene.refusal(in: scene.perform("Wipe", [:], app: app)) == nil)
    }

    @Test func `a short name that matches two intents selects neither`() throws {
        var scene = try learned(["Wipe", "WipeIntentIntent"], of: Scene.app)
        let error = Scene.refusal(in: scene.perform("WipeIntent", [:], app: Scene.app))
        #expect(error?.code == .unknownIntent)
        #expect(error?.hint?.contains("Wipe or WipeIntentIntent") == true)
        #expect(Scene.refusal(in: scene.perform("Wipe", [:], app: Scene.app)) == nil)
    }

    private func refusal(_ intents: [String], of app: InstalledApp) throws -> String {
        var scene = try learned(intents, of: app)
        let error = try #require(Scene.refusal(in: scene.perform(intents[0], [:], app: app)))
        #expect(error.code == .brokenApp)
        #expect(Set(scene.runTable.brokenApps.keys) == [app.name])
        return error.message + (error.hint ?? "")
    }

    private func learned(_ intents: [String], of app: InstalledApp) throws -> Scene {
        let catalog = IntentCatalog(
            intents: intents.map { name in
                IntentDeclaration(
                    name: name,
                    title: name,
                    parameters: [ParameterDeclaration(name: "pin", title: "Pin", type: .string, isOptional: true)]
                )
            }
        )
        var scene = Scene()
        let asked = scene.runTable.handle(
            .requested(Scene.client, Scene.user, id: 0, .describe(.found(app))),
            at: at(0)
        )
        let slot = try scene.launchedSlot(asked, mode: .describe)
        _ = scene.runTable.handle(.reported(slot, .catalog(catalog)), at: at(0))
        _ = scene.runTable.handle(.ended(slot, Scene.exited, lastLine: nil), at: at(0))
        return scene
    }
}
