import IntentFleet
import IntentProtocol
import Testing

/// What a host remembers of the offers of the fleet, with the time as a parameter.
@Suite struct OfferedAppsTests {
    private let second: Int64 = 1_000_000_000

    @Test func `an offer is used for two seconds, and an unknown intent is asked for again`() {
        var apps = OfferedApps()
        let catalog = IntentCatalog(intents: [IntentDeclaration(name: "B", title: "B")])
        let app = AppDescription(name: "A", executable: "A", catalog: catalog, limits: RunLimits())
        let json = String(decoding: WireCoding.encode(app), as: UTF8.self)
        #expect(OfferedApps.descriptions([[json], ["{"], [nil]]) == [app])
        #expect(apps.apps(named: "A", with: "B", at: 0) == nil)
        apps.keep([app], named: "A", at: 0)
        #expect(apps.apps(named: "A", with: "B", at: 2 * second - 1) == [app])
        #expect(apps.apps(named: "A", with: "C", at: second) == nil)
        #expect(apps.apps(named: "B", with: "B", at: second) == nil)
        #expect(apps.apps(named: "A", with: "B", at: 2 * second) == nil)
    }

    @Test func `an app that another host describes with invisible identifiers is not offered`() {
        func row(_ name: String, _ intent: String) -> [String?] {
            let catalog = IntentCatalog(intents: [IntentDeclaration(name: intent, title: "\u{200B}")])
            let app = AppDescription(name: name, executable: "A", catalog: catalog, limits: RunLimits())
            return [String(decoding: WireCoding.encode(app), as: UTF8.self)]
        }
        let rows = [row("A", "B"), row("A\u{200B}", "B"), row("C", "B\u{200B}")]
        #expect(OfferedApps.descriptions(rows).map(\.name) == ["A"])
    }
}
