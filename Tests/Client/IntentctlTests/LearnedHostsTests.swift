import IntentClient
import Testing

@testable import intentctl

@Suite struct LearnedHostsTests {
    @Test func `only refused connections become lines to review`() {
        let hosts = [
            HostUse(host: "api.example:443", connectionCount: 3),
            HostUse(host: "db:5432", refusedCount: 1, grant: "db:5432,private"),
            HostUse(host: "absent:80", refusedCount: 1),
        ]
        #expect(
            LearnedHosts.lines(hosts, file: "/etc/a.conf") == [
                "review these lines before you add them to [Sandbox] of /etc/a.conf:", "AllowHosts=db:5432,private",
            ]
        )
        #expect(LearnedHosts.lines([hosts[0]], file: nil) == ["no connection of the run was refused"])
    }
}
