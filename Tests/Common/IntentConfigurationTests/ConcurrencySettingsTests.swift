import IntentConfiguration
import IntentLauncherMessages
import Testing

/// Tests the syntax of `Concurrency=`, `Exclusive=`, `Priority=` and `Weight=`.
@Suite struct ConcurrencySettingsTests {
    private let installation = Installation(
        appFolders: ["/apps"],
        unitFolders: ["/units"],
        configurationFolders: ["/etc/intentd"],
        user: 1000
    )

    private func app(_ text: String) throws -> AppSearch {
        var disk = FakeDisk()
        disk.add("/apps/Probe")
        disk.add("/units/Probe.conf", text: text)
        return installation.app(try #require(AppName("Probe")), on: disk.view)
    }

    private func settings(_ text: String) throws -> AppUnit {
        let search = try app(text)
        guard case .found(let settings) = search else {
            Issue.record("\(search)")
            throw CancellationError()
        }
        return settings.unit
    }

    @Test func `each scope has one limit, a later line replaces it, and an empty value clears all limits`() throws {
        let rules = try settings(
            "[Limits]\nConcurrency=9\nConcurrency=1 by=customer\nConcurrency=4 refuse\nConcurrency=2 by=site replace\n"
        ).concurrency
        #expect(
            rules.limits.map(\.description) == [
                "Concurrency=1 by=customer", "Concurrency=4 refuse", "Concurrency=2 by=site replace",
            ]
        )
        #expect(rules.parameters == ["customer", "site"])
        let cleared = try settings("[Limits]\nConcurrency=9\nConcurrency=\nConcurrency=1 by=a queue\n").concurrency
        #expect(cleared.limits == [ConcurrencyLimit(.parameter("a"))])
    }

    @Test func `an intent has its own keys`() throws {
        let settings = try settings(
            """
            [Intent Pay]
            Concurrency=1 by=customer
            Exclusive=no
            Priority=-5
            [Limits]
            Exclusive=state replace
            Priority=7
            """
        )
        #expect(settings.concurrency.exclusivity == .state(.replace))
        #expect(settings.concurrency.priority == 7)
        let own = try #require(settings.intents["Pay"]?.concurrency)
        #expect(own.limits == [ConcurrencyLimit(.parameter("customer"))])
        #expect(own.exclusivity == ConcurrencyRules.Exclusivity.none)
        #expect(own.priority == -5)
    }

    @Test(arguments: [
        "Concurrency=0", "Concurrency=many", "Concurrency=1 by=", "Concurrency=1 by=a,b", "Concurrency=1 customer",
        "Concurrency=1 by=a by=b", "Concurrency=1 refuse queue", "Concurrency=by=a", "Exclusive=yes",
        "Exclusive=state wait", "Exclusive=state refuse replace",
    ])
    func `an app with a mistake in a limit does not run`(line: String) throws {
        for section in ["Limits", "Intent Pay"] {
            guard case .refused(let message) = try app("[\(section)]\n\(line)\n") else {
                Issue.record("\(line) is accepted")
                continue
            }
            #expect(message.contains("expected"))
            #expect(message.contains("Probe.conf:2"))
        }
    }

    @Test(arguments: [
        "[App]\nConcurrency=1\n", "[Access]\nExclusive=state\n", "[App]\nState=no\n[Limits]\nExclusive=state\n",
    ])
    func `a limit in the wrong section, or for an absent folder, prevents the app from running`(text: String) throws {
        guard case .refused = try app(text) else {
            Issue.record("it is accepted")
            return
        }
    }

    @Test func `an invalid priority leaves the current value unchanged`() throws {
        let settings = try settings("[Limits]\nPriority=4\nPriority=high\n[Intent Pay]\nPriority=101\n")
        #expect(settings.concurrency.priority == 4)
        #expect(settings.problems.count == 2)
    }

    @Test func `weights accumulate over several lines, and a mistake is reported`() {
        var disk = FakeDisk()
        disk.add("/etc/intentd/intentd.conf", text: "[Limits]\nWeight=ada:200 1002:50\nWeight=bob:1\nWeight=eve:0\n")
        let settings = installation.daemon(on: disk.view)
        #expect(settings.weights.map(\.user) == ["ada", "1002", "bob"])
        #expect(settings.weights.map(\.weight) == [200, 50, 1])
        #expect(settings.problems.count == 1)
        #expect(settings.problems[0].message.contains("got 'eve:0'"))
    }
}
