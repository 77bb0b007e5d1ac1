import IntentClient
import Testing

@testable import intentctl

@Suite struct LearnedSettingsTests {
    private func details(_ hosts: [HostUse], _ denial: SandboxDenial? = nil) -> RunDetails {
        var details = RunDetails()
        details.hosts = hosts
        details.denial = denial
        return details
    }

    private static let last = "then try again: a program stops at the first thing that it misses"

    @Test func `only what was refused becomes a line to review`() {
        let hosts = [
            HostUse(host: "api.example:443", connectionCount: 3),
            HostUse(host: "db:5432", refusedCount: 1, grant: "db:5432,private"),
            HostUse(host: "absent:80", refusedCount: 1),
        ]
        var denial = SandboxDenial(subject: .network, key: "AllowHosts=db:5432,private")
        denial.file = "/etc/a.conf"
        #expect(
            LearnedSettings.lines(details(hosts, denial)) == [
                "review these lines before you add them to [Sandbox] of /etc/a.conf:", "AllowHosts=db:5432,private",
                Self.last,
            ]
        )
        #expect(
            LearnedSettings.lines(details([hosts[0]])) == ["the sandbox refused nothing that a line could permit"]
        )
    }

    @Test func `a refused path or program becomes a line, and a limit does not`() {
        let path = SandboxDenial(subject: .reading, path: "/srv/a", errorNumber: 2, key: "ReadPaths=/srv/a")
        #expect(
            LearnedSettings.lines(details([], path)) == [
                "review these lines before you add them to [Sandbox]:", "ReadPaths=/srv/a", Self.last,
            ]
        )
        let limit = SandboxDenial(subject: .memory, key: "MemoryMax")
        #expect(LearnedSettings.lines(details([], limit)) == ["the sandbox refused nothing that a line could permit"])
    }

    @Test func `the words after the intent are its own, also after two hyphens`() throws {
        for separator in [[], ["--"]] {
            let arguments = ["learn", "--limit", "5s", "tools/Do"] + separator + ["--script", "--local"]
            let invocation = try InvocationParser.parse(arguments)
            #expect(invocation.command == .learn)
            #expect(invocation.words == ["tools/Do"])
            #expect(invocation.rest == ["--script", "--local"])
        }
    }
}
