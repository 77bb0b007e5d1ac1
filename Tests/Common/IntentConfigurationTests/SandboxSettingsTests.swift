import IntentConfiguration
import IntentLauncherMessages
import Testing

@Suite struct SandboxSettingsTests {
    private let installation = Installation(
        appFolders: ["/apps"],
        unitFolders: ["/etc/apps.d"],
        configurationFolders: ["/etc/intentd"],
        user: 1000
    )

    @Test func `an app without settings has the most restrictive sandbox`() throws {
        let sandbox = try settings("")
        #expect(sandbox == SandboxSettings())
        #expect(!sandbox.network)
        #expect(!sandbox.gpu)
        #expect(!sandbox.subprocesses)
        #expect(sandbox.allowHosts.isEmpty)
        #expect([sandbox.sockets, sandbox.readPaths, sandbox.writePaths, sandbox.devices] == [[], [], [], []])
        #expect(sandbox.memoryMax == 1_073_741_824)
        #expect(sandbox.tasksMax == 64)
        #expect(sandbox.cpuQuotaPercent == nil)
        #expect(sandbox.openFiles == 1024)
        #expect(sandbox.umask == 0o077)
        #expect(sandbox.diskMax == 1_073_741_824)
        #expect(sandbox.stateMax == 1_073_741_824)
        #expect(sandbox.require == nil)
    }

    @Test func `every key is read`() throws {
        let sandbox = try settings(
            """
            [Sandbox]
            Network=yes
            AllowHosts=API.example:443 *.example:8443 10.1.2.3:22
            Sockets=/run/postgresql/.s.PGSQL.5432
            Programs=system /opt/tool/
            ReadPaths=/usr/share/zoneinfo  /srv/recipes/
            WritePaths=/srv//out
            Devices=/dev/video0
            GPU=on
            Subprocesses=1
            UMask=0027
            MemoryMax=256M
            TasksMax=8
            CPUQuota=150%
            OpenFiles=64
            DiskMax=infinity
            StateMax=2G
            Require=reduced
            """
        )
        var expected = SandboxSettings()
        expected.network = true
        expected.allowHosts = ["api.example:443", "*.example:8443", "10.1.2.3:22"].compactMap(HostGrant.init)
        expected.sockets = ["/run/postgresql/.s.PGSQL.5432"]
        expected.programs = [.system, .path("/opt/tool")]
        expected.readPaths = ["/usr/share/zoneinfo", "/srv/recipes"]
        expected.writePaths = ["/srv/out"]
        expected.devices = ["/dev/video0"]
        expected.gpu = true
        expected.umask = 0o027
        expected.subprocesses = true
        expected.memoryMax = 268_435_456
        expected.tasksMax = 8
        expected.cpuQuotaPercent = 150
        expected.openFiles = 64
        expected.diskMax = nil
        expected.stateMax = 2_147_483_648
        expected.require = .reduced
        #expect(sandbox == expected)
    }

    @Test(arguments: [
        ("yes", true), ("TRUE", true), ("on", true), ("1", true), ("no", false), ("False", false), ("off", false),
        ("0", false), ("", false),
    ])
    func `booleans have systemd's syntax`(_ text: String, _ value: Bool) throws {
        #expect(try settings("[Sandbox]\nNetwork=\(text)").network == value)
    }

    @Test func `lists accumulate over lines without duplicates, and an empty value clears them`() throws {
        #expect(try settings("[Sandbox]\nReadPaths=/a /b\nReadPaths=/b/ /c").readPaths == ["/a", "/b", "/c"])
        #expect(try settings("[Sandbox]\nReadPaths=/a\nReadPaths=\nReadPaths=/b").readPaths == ["/b"])
        let quoted = #"ReadPaths="/My Files" '/it' "/it's" /a\b /c\x20d "/e \"f\"" /g\\h"#
        #expect(
            try settings("[Sandbox]\n\(quoted)").readPaths
                == ["/My Files", "/it", "/it's", #"/a\b"#, "/c d", "/e \"f\"", #"/g\h"#]
        )
        #expect(refusal("[Sandbox]\nReadPaths=\"/My Files")?.contains("missing closing quotation mark") == true)
        #expect(
            try settings("[Sandbox]\nAllowHosts=a:80 a:80\nAllowHosts=b:443").allowHosts.map(\.text) == [
                "a:80", "b:443",
            ]
        )
    }

    @Test func `a credential is for one host, with a header that has the secret`() throws {
        let settings = try settings(
            """
            [Sandbox]
            AllowHosts=ask *.example:80
            Credential=github host=API.example header=X-Token value="token %s"
            Credential=npm host=npm.example:8443,private
            """
        )
        #expect(settings.asksForHosts)
        #expect(
            settings.hosts.map(\.text) == [
                "github host=api.example:443 header=X-Token \"value=token %s\"",
                "npm host=npm.example:8443,private header=Authorization \"value=Bearer %s\"", "ask", "*.example:80",
            ]
        )
        #expect(settings.credentials.map(\.port) == [80, 80])
        #expect(settings.credentials.compactMap(\.credential?.port) == [443, 8443])
        #expect(settings.credentials[0].credential?.value(with: Array("x%s".utf8)) == Array("token x%s".utf8))
        #expect(try self.settings("[Sandbox]\nCredential=a host=b\nCredential=").credentials.isEmpty)
    }

    @Test(arguments: [
        "github", "github host=", "host=api.example", "github host=*.example", "github host=10.1.2.3",
        "github host=api.example,unchecked", "github host=api.example host=other.example",
        "github host=api.example x=y",
        "../github host=api.example", "github host=api.example value=Bearer", "github host=api.example \"value=%s %s\"",
        "github host=api.example header=Host", "github host=api.example header=Content-Length",
        "github host=api.example header=transfer-encoding", "github host=api.example \"header=X Y\"",
        "github host=api.example header=", "github host=api.example value=\u{1}%s", "github host=api.example:53",
        "github host=api.example \"value=%s",
    ])
    func `a credential that cannot be inserted is a mistake`(_ value: String) {
        #expect(refusal("[Sandbox]\nCredential=\(value)") != nil)
    }

    @Test(arguments: [
        "AllowHosts=a:443 a:443,private", "AllowHosts=a:443\nAllowHosts=A:443,unchecked",
        "AllowHosts=a:80\nCredential=x host=a", "Credential=x host=a\nCredential=y host=a",
        "AllowHosts=*.a:443 *.a:443,private",
    ])
    func `a host twice with different options is a mistake`(_ lines: String) {
        #expect(refusal("[Sandbox]\n\(lines)")?.contains("write the host once, with all its options") == true)
    }

    @Test(arguments: [
        "Network", "AllowHosts", "Credential", "Sockets", "Programs", "ReadPaths", "WritePaths", "Devices", "GPU",
        "Subprocesses",
        "CoreDumps", "MemoryMax", "UMask",
        "TasksMax", "CPUQuota", "OpenFiles", "DiskMax", "StateMax", "Require",
    ])
    func `an empty value resets any key, and an invalid value prevents the app from running`(_ key: String)
        throws
    {
        let daemon = """
            [Sandbox]
            Network=yes
            AllowHosts=a:1
            Credential=b host=b
            Programs=system
            Sockets=/a
            ReadPaths=/a
            WritePaths=/a
            Devices=/dev/a
            GPU=yes
            Subprocesses=yes
            CoreDumps=yes
            UMask=022
            MemoryMax=1M
            TasksMax=1
            CPUQuota=1%
            OpenFiles=16
            DiskMax=1M
            StateMax=1M
            Require=full
            """
        let all = try settings("", daemon: daemon)
        let others = daemon.split(separator: "\n").filter { !$0.hasPrefix("\(key)=") }.joined(separator: "\n")
        let expected = try settings("", daemon: others)
        #expect(all != expected)
        #expect(try settings("[Sandbox]\n\(key)=", daemon: daemon) == expected)
        let refusal = refusal("[Sandbox]\n\(key)=perhaps")
        #expect(refusal?.hasPrefix("/etc/apps.d/Soup.conf:2: \(key)=: expected ") == true)
        #expect(refusal?.contains("got 'perhaps'") == true)
        #expect(refusal?.contains("do not run until this is corrected") == true)
    }

    @Test(arguments: [
        ("ReadPaths", "srv/recipes"), ("ReadPaths", "/srv/../etc"), ("ReadPaths", "/srv/.."), ("ReadPaths", "/"),
        ("ReadPaths", "/srv/./a"), ("WritePaths", "/a b"), ("WritePaths", "~/a"),
        ("Sockets", "@abstract"), ("Sockets", "/" + String(repeating: "s", count: 107)), ("Devices", "/srv/video0"),
        ("Devices", "/dev"), ("Devices", "/dev/../srv"), ("AllowHosts", "a:0"), ("AllowHosts", "a:65536"),
        ("AllowHosts", "a:53"), ("AllowHosts", "a"), ("AllowHosts", "a:443,all"), ("AllowHosts", "10.1.2.3:22,private"),
        ("AllowHosts", "1.2.3:22"), ("AllowHosts", "a..b:22"), ("AllowHosts", "-a:22"), ("AllowHosts", "a:+1"),
        ("AllowHosts", "ask,unchecked"), ("AllowHosts", "fd00::1:22"),
        ("AllowHosts", "[1.2.3.4]:22"), ("AllowHosts", "a.*.b:22"),
        ("AllowHosts", "é:22"),
        ("AllowHosts", "*:443"), ("AllowHosts", "a:80,90"), ("MemoryMax", "0"), ("MemoryMax", "1KiB"),
        ("MemoryMax", "50%"), ("DiskMax", "0"), ("DiskMax", "0G"), ("TasksMax", "0"), ("TasksMax", "1K"),
        ("TasksMax", "4194305"), ("CPUQuota", "150"), ("CPUQuota", "0%"), ("CPUQuota", "1.5%"), ("CPUQuota", "-1%"),
        ("CPUQuota", "infinity"), ("OpenFiles", "15"), ("OpenFiles", "infinity"), ("Require", "Full"),
        ("Require", "reduced full"), ("Network", "yes no"), ("UMask", "1000"), ("UMask", "8"), ("UMask", "-1"),
        ("UMask", "u=rw"),
    ])
    func `an unsafe or invalid value prevents the app from running`(_ key: String, _ value: String) {
        let refusal = refusal("[Limits]\nRuntime=1s\n[Sandbox]\n\(key)=\(value)")
        #expect(refusal?.hasPrefix("/etc/apps.d/Soup.conf:4: \(key)=: ") == true)
    }

    @Test func `infinity removes the limit on memory, tasks, disk and state`() throws {
        let keys = ["MemoryMax", "TasksMax", "DiskMax", "StateMax"]
        let sandbox = try settings("[Sandbox]\n" + keys.map { "\($0)=infinity" }.joined(separator: "\n"))
        #expect(sandbox.memoryMax == nil)
        #expect(sandbox.tasksMax == nil)
        #expect(sandbox.diskMax == nil)
        #expect(sandbox.stateMax == nil)
    }

    @Test(arguments: [
        // Unknown keys.
        "[Sandbox]\nMemroyMax=1M",
        "[Sandbox]\nnetwork=no",
        // Known keys in the wrong section.
        "[Intent Order]\nNetwork=no",
        "[App]\nMemoryMax=1M",
        "[Limits]\nTasksMax=1",
        "[sandbox]\nNetwork=no",
        // Lines that may have been intended for [Sandbox].
        "[Sandbox]\nNetwork no",
        "[Sandbox\nFrobnicate=1",
        "Network=no",
    ])
    func `an invalid line that may be a protection prevents the app from running`(_ text: String) {
        #expect(refusal(text)?.contains("do not run until this is corrected") == true)
        // The daemon's own file applies to every app.
        #expect(refusal("", daemon: text)?.hasPrefix("/etc/intentd/intentd.conf:") == true)
    }

    @Test func `the error for a sandbox key in an intent's section states that the key applies to the whole app`() {
        let refusal = refusal("[Intent Order]\nNetwork=no")
        #expect(refusal?.hasPrefix("/etc/apps.d/Soup.conf:2: Network=: move it from [Intent Order]") == true)
        #expect(refusal?.contains("to [Sandbox], where it applies to the whole app") == true)
    }

    @Test func `an intent has the hosts of its app, and its own, which are no other intent's`() throws {
        let app = try app(
            "[Sandbox]\nAllowHosts=a:80\n[Intent Own]\nAllowHosts=b:443 c:22\n[Intent None]\nAllowHosts=\n[Intent Rest]\nRuntime=5s"
        )
        #expect(app.unit.sandbox(ofIntent: "Own").allowHosts.map(\.text) == ["a:80", "b:443", "c:22"])
        #expect(app.unit.sandbox(ofIntent: "None").allowHosts.isEmpty)
        #expect(app.unit.intents["Rest"]?.allowHosts == nil)
        #expect(app.forRuns(of: nil) == app)
        #expect(app.forRuns(of: "None").unit.sandbox.hosts.isEmpty)
        let shown = app.unit.settings.filter { $0.key == "AllowHosts" }
        #expect(
            shown == [
                SettingInEffect("Sandbox", "AllowHosts", value: "a:80", source: "/etc/apps.d/Soup.conf:2"),
                SettingInEffect("Intent None", "AllowHosts", value: "none", source: "/etc/apps.d/Soup.conf:6"),
                SettingInEffect(
                    "Intent Own",
                    "AllowHosts",
                    value: "a:80 b:443 c:22",
                    source: "/etc/apps.d/Soup.conf:4"
                ),
            ]
        )
    }

    @Test(arguments: ["x", "a:80 a:80,private", "a"])
    func `a mistake in the hosts of an intent prevents the app from running`(_ hosts: String) {
        let refusal = refusal("[Intent Own]\nAllowHosts=\(hosts)")
        #expect(refusal?.hasPrefix("/etc/apps.d/Soup.conf:2: ") == true, "\(refusal ?? "")")
        #expect(refusal?.contains("do not run until this is corrected") == true)
    }

    @Test func `an unknown key in [App] or [Limits] does not prevent the app from running`() throws {
        #expect(try settings("[App]\nNonsense=1\n[Limits]\nNonsense=1") == SandboxSettings())
    }

    @Test func `the daemon's file sets the defaults of each app`() throws {
        let sandbox = try settings(
            "[Sandbox]\nMemoryMax=2M\nReadPaths=/b",
            daemon: "[Sandbox]\nMemoryMax=1M\nTasksMax=3\nReadPaths=/a"
        )
        #expect(sandbox.memoryMax == 2_097_152)
        #expect(sandbox.tasksMax == 3)
        #expect(sandbox.readPaths == ["/a", "/b"])
    }

    @Test func `no app runs while the daemon's file cannot be trusted`() {
        var disk = disk("", daemon: "[Sandbox]\nMemoryMax=1M")
        disk.change("/etc/intentd/intentd.conf", owner: 0, permissions: 0o666)
        #expect(refusal(on: disk)?.contains("'/etc/intentd/intentd.conf'") == true)
        let problems = installation.daemon(on: disk.view).problems
        #expect(problems.count == 1)
        #expect(problems.first?.message.contains("chmod go-w") == true)
    }

    @Test func `grades are ordered from the weakest to the strongest`() {
        #expect(IsolationGrade.none < .reduced)
        #expect(IsolationGrade.reduced < .full)
        #expect(IsolationGrade.allCases.sorted() == IsolationGrade.allCases)
    }

    private func disk(_ text: String, daemon: String?) -> FakeDisk {
        var disk = FakeDisk()
        disk.add("/apps/Soup")
        disk.add("/etc/apps.d/Soup.conf", text: text)
        if let daemon { disk.add("/etc/intentd/intentd.conf", text: daemon) }
        return disk
    }

    private func settings(_ text: String, daemon: String? = nil) throws -> SandboxSettings {
        try app(text, daemon: daemon).unit.sandbox
    }

    private func app(_ text: String, daemon: String? = nil) throws -> AppSettings {
        let name = try #require(AppName("Soup"))
        let search = installation.app(name, on: disk(text, daemon: daemon).view)
        guard case .found(let app) = search else { throw Unexpected(search: search) }
        return app
    }

    private func refusal(_ text: String, daemon: String? = nil) -> String? {
        refusal(on: disk(text, daemon: daemon))
    }

    private func refusal(on disk: FakeDisk) -> String? {
        guard let name = AppName("Soup"), case .refused(let reason) = installation.app(name, on: disk.view) else {
            return nil
        }
        return reason
    }

    private struct Unexpected: Error {
        var search: AppSearch
    }
}
