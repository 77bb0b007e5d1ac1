import IntentConfiguration
import Testing

/// Tests the rules of `[Web]` that intentd and the service share.
struct WebSettingsTests {
    private static var settings: WebSettings {
        var settings = WebSettings()
        (settings.user, settings.users, settings.hosts) = ("intentd-web", ["alice"], ["intents.example.org", "other"])
        settings.answersByLink = true
        return settings
    }

    private func link(_ settings: WebSettings, _ question: UInt64 = 1, _ account: String = "alice") -> String? {
        settings.answerLink(for: question, to: account) { "ticket" }
    }

    @Test func `an answer link has the address of the service, the account and the ticket`() {
        var settings = Self.settings
        #expect(link(settings) == "https://intents.example.org/answer/alice/ticket")
        settings.resource = "https://intents.example.org:8443"
        #expect(link(settings, 1000) == "https://intents.example.org:8443/answer/alice/ticket")
    }

    @Test func `no link answers a question of intentd, acts for another account or exists without permission`() {
        // Question 0 is an approval, and those from 1001 are about hosts.
        for question: UInt64 in [0, 1001, .max] { #expect(link(Self.settings, question) == nil) }
        #expect(link(Self.settings, 1, "bob") == nil && link(Self.settings, 1, "") == nil)
        for change: (inout WebSettings) -> Void in [
            { $0.answersByLink = false }, { $0.isBroken = true }, { $0.user = nil }, { $0.hosts = [] },
        ] {
            var settings = Self.settings
            change(&settings)
            #expect(link(settings) == nil)
        }
    }
}
