import IntentConfiguration
import IntentLauncherMessages
import Testing

/// Tests `[Fleet]` of an app's file, and fleet.conf.
struct FleetSettingsTests {
    @Test func `by default, a fleet may perform no intent`() throws {
        let app = try #require(Self.app("[App]\nIdleStop=1min\n"))
        #expect(app.fleet.rule(app.retry) == nil)
        #expect(app.intents.isEmpty)
    }

    @Test func `an intent's section overrides the rule of the app`() throws {
        let app = try #require(
            Self.app(
                "[App]\nState=no\n[Limits]\nRetry=4\n[Fleet]\nFleet=retryable\nHosts=web1 @gpu\n[Intent Pay]\nFleet=no\n[Intent Send]\nFleet=once\nHosts=\n"
            )
        )
        #expect(app.fleet.rule(app.retry) == FleetRule(.retryable, tries: 5, hosts: ["web1", "@gpu"]))
        #expect(app.intents["Pay"]?.fleet?.rule(app.retry) == nil)
        #expect(app.intents["Send"]?.fleet?.rule(app.retry) == FleetRule(.once, tries: 5))
    }

    @Test func `Retry= and Backoff= apply to the app, and an intent's section overrides them`() throws {
        let text = "[Limits]\nRetry=2\nBackoff=1min..1h\n[Intent Pay]\nRetry=0\n[Intent Send]\nBackoff=5s..5s\n"
        let app = try #require(Self.app(text))
        #expect(app.retry.count == 2)
        #expect(
            (1...8).map { app.retry.backoff.pause(afterAttempt: $0) }
                == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0 * 60) }
        )
        #expect(app.intents["Pay"]?.retry?.count == 0)
        #expect(app.intents["Send"]?.retry == RetryRule(count: 2, Backoff(first: .seconds(5), longest: .seconds(5))))
        for line in ["Retry=-1", "Retry=101", "Backoff=10s", "Backoff=1h..1min", "Backoff=0..1h", "Backoff=1s...2s"] {
            #expect(Self.app("[Limits]\n\(line)\n")?.problems.count == 1, "\(line)")
        }
    }

    @Test(arguments: ["", "State=yes\n", "State=shared\n"])
    func `an app with a state folder is refused unless exactly one host is named`(state: String) {
        for hosts in ["", "Hosts=web1 web2\n", "Hosts=@gpu\n"] {
            let refusal = Self.refusal("[App]\n\(state)[Fleet]\nFleet=once\n\(hosts)")
            #expect(refusal?.contains("state folder") == true, "\(state)\(hosts)")
        }
        #expect(Self.refusal("[App]\n\(state)[Fleet]\nFleet=once\nHosts=web1\n") == nil)
        #expect(Self.refusal("[App]\n\(state)[Intent A]\nFleet=once\n") != nil)
        #expect(Self.refusal("[App]\n\(state)[Fleet]\nFleet=no\n") == nil)
    }

    @Test(arguments: [
        "Fleet=twice", "Hosts=Web1", "Hosts=@", "Hosts=a,b", "Tries=5", "User=ada", "Slots=1",
    ])
    func `an app with a mistake in its rule does not run`(line: String) {
        #expect(Self.refusal("[App]\nState=no\n[Fleet]\n\(line)\n") != nil)
    }

    @Test func `a rule permits hosts by name and by label`() {
        let rule = FleetRule(.once, hosts: ["web1", "@gpu"])
        #expect(rule.permits(host: "web1", labels: []))
        #expect(rule.permits(host: "web2", labels: ["ssd", "gpu"]))
        #expect(!rule.permits(host: "web2", labels: ["web1"]))
        #expect(!rule.permits(host: "gpu", labels: []))
        #expect(FleetRule(.once).permits(host: "any", labels: []))
    }

    @Test func `the settings of the service are read`() throws {
        let text =
            "[Fleet]\nDatabase=host=/a user=b\nDatabase=host=/c\nName=web1\nLabels=gpu ssd\nSlots=3\nLease=10s\nPoll=2s\n"
        let settings = try Self.service(text)
        #expect(settings.databases == ["host=/a user=b", "host=/c"])
        #expect(settings.name == "web1")
        #expect(settings.realm == nil)
        #expect(settings.labels == ["gpu", "ssd"])
        #expect(settings.slots == 3)
        #expect(settings.lease == .seconds(10))
        #expect(settings.poll == .seconds(2))
        #expect(try Self.service("") == FleetServiceSettings())
    }

    @Test(arguments: [
        "Name=Web 1", "Name=a/b", "Lease=0s", "Lease=500ms", "Lease=1h", "Poll=1ms", "Slots=-1", "Fleet=once",
        "nonsense",
        "Realm=@web1",
    ])
    func `a mistake in the settings of the service is an error`(line: String) {
        #expect(throws: ConfigurationProblem.self) { try Self.service("[Fleet]\n\(line)\n") }
    }

    private static func service(_ text: String) throws -> FleetServiceSettings {
        try FleetServiceSettings(UnitFile(Array(text.utf8), file: "fleet.conf"))
    }

    private static func search(_ text: String) -> AppSearch {
        var disk = FakeDisk()
        disk.add("/apps/Soup")
        disk.add("/etc/apps.d/Soup.conf", text: text)
        guard let name = AppName("Soup") else { return .missing }
        return Installation(appFolders: ["/apps"], unitFolders: ["/etc/apps.d"], user: 0).app(name, on: disk.view)
    }

    private static func app(_ text: String) -> AppUnit? {
        if case .found(let app) = search(text) { app.unit } else { nil }
    }

    private static func refusal(_ text: String) -> String? {
        if case .refused(let reason) = search(text) { reason } else { nil }
    }
}
