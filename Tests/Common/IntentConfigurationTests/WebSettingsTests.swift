import IntentConfiguration
import TestSupport
import Testing

/// Tests the rules of `[Web]` that intentd and the service share.
struct WebSettingsTests {
    private static var settings: WebSettings {
        var settings = WebSettings()
        (settings.user, settings.users, settings.hosts) = ("intentd-web", ["alice"], ["intents.example.org", "other"])
        settings.linkedQuestions = .ofApps
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
            { $0.linkedQuestions = .none }, { $0.isBroken = true }, { $0.user = nil }, { $0.hosts = [] },
        ] {
            var settings = Self.settings
            change(&settings)
            #expect(link(settings) == nil)
        }
    }

    @Test func `an approval has a link only with AnswerLinks=approvals, and a question about a host never has one`() {
        for (words, numbers) in [
            ("no", []), ("yes", [1, 1000]), ("Yes", [1, 1000]), ("0", []), ("approvals", [0, 1, 1000]),
            ("Approvals", [0, 1, 1000]), ("", []),
        ] as [(String, [UInt64])] {
            let daemon = Self.daemon("Users=alice", "User=intentd-web", "Hosts=a", "AnswerLinks=\(words)")
            #expect(daemon.problems.isEmpty && !daemon.web.isBroken, "\(words)")
            #expect([0, 1, 1000, 1001, .max].filter { link(daemon.web, $0) != nil } == numbers, "\(words)")
        }
        for word in ["approval", "all", "yes approvals", "2"] {
            let daemon = Self.daemon("Users=alice", "User=intentd-web", "Hosts=a", "AnswerLinks=\(word)")
            #expect(daemon.web.isBroken && link(daemon.web, 1) == nil, "\(word)")
        }
    }

    @Test func `the caller of a realm has a name that is safe in paths, entries and command lines`() {
        let (settings, long) = (Self.realms, String(repeating: "a", count: 64))
        for subject in ["alice", "A", "0", "a.b_c+d-e", "248289761001", long] {
            #expect(settings.isOfRealm("\(subject)@home") && settings.actsFor("\(subject)@home"), "\(subject)")
        }
        for hostile in HostileText.all + [
            "", ".", "..", ".alice", "-alice", "+a", "_a", "alice@home", "@", "a@b", "a/b", "../a", "a b", "a\tb",
            "a\n", "a\0",
            "a:b", "a|b", "a%40b", "a$b", "a=b", "a,b", "auth0|a", "root@", "\u{430}lice", "al\u{131}ce",
            "alice\u{301}",
            "\u{FF41}lice", "a\u{200B}", "\u{202E}ecila", "alice\u{FE6B}home", "é", long + "a",
        ] {
            #expect(RealmCaller(subject: hostile, realm: "home") == nil, "\(hostile)")
            #expect(!settings.isOfRealm(hostile + "@home") && !settings.actsFor(hostile + "@home"), "\(hostile)")
        }
        for name in ["alice", "alice@", "alice@Home", "alice@other", "alice@home@home", "home", "@home", ""] {
            #expect(!settings.isOfRealm(name), "\(name)")
        }
        // The name of a caller names no account, and no caller has a name without an `@`.
        #expect(settings.actsFor("alice@home") && !settings.users.contains("alice@home"))
        var linked = Self.settings
        linked.realms = settings.realms
        #expect(link(linked, 1, "alice@home") == "https://intents.example.org/answer/alice@home/ticket")
        #expect(link(linked, 1, "alice@other") == nil)
        #expect(RealmCaller(subject: "alice", realm: "home")?.name == "alice@home")
    }

    private static var realms: WebSettings {
        daemon(
            "Issuers=https://id.example.org https://b.example",
            "Realm=home https://id.example.org",
            "Realm=b https://b.example"
        )
        .web
    }

    @Test func `a realm has one issuer, and an issuer one realm`() {
        #expect(Self.realms.realms.map(\.name) == ["home", "b"] && !Self.realms.isBroken)
        for line in [
            "Realm=home https://b.example", "Realm=other https://id.example.org", "Realm=home",
            "Realm=@home https://b.example",
            "Realm=a@b https://b.example", "Realm=ho/me https://b.example", "Realm=-h https://b.example",
            "Realm=h http://b.example", "Realm=h https://b.example more",
            "Realm=\(String(repeating: "a", count: 33)) https://b.example",
            "Users=alice@home",
        ] {
            let daemon = Self.daemon("Realm=home https://id.example.org", line)
            #expect(daemon.web.isBroken && daemon.problems.count == 1, "\(line)")
        }
        #expect(!Self.daemon("Realm=home https://a.example", "Realm=", "Realm=home https://b.example").web.isBroken)
        #expect(!Self.daemon("Realm=home https://a.example", "Realm=home https://a.example").web.isBroken)
    }

    @Test func `an issuer that Issuers= does not name is reported`() {
        let daemon = Self.daemon(
            "Issuers=https://a.example",
            "Realm=a https://a.example",
            "Realm=b https://b.example",
            "Subject=alice https://c.example x"
        )
        #expect(daemon.web.unknownIssuers == ["https://b.example", "https://c.example"])
    }

    private static func daemon(_ lines: String...) -> DaemonSettings {
        var disk = FakeDisk()
        disk.add("/etc/intentd/intentd.conf", text: "[Web]\n" + lines.joined(separator: "\n") + "\n")
        let installation = Installation(appFolders: [], configurationFolders: ["/etc/intentd"], user: 0)
        return installation.daemon(on: disk.view)
    }
}
