import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct ReloadTests {
    private func write(_ text: String, to file: String, of daemon: Daemon) throws {
        let url = daemon.folder.appending(file)
        try Data((text + "\n").utf8).write(to: url)
        chmod(url.path, 0o644)
    }

    private func milliseconds(_ key: String, of daemon: Daemon) throws -> Int {
        let limits = try #require(try daemon.json("describe", "Probe")["limits"] as? [String: Any])
        return try #require(limits[key] as? Int)
    }

    @Test func `a reload applies new settings, keeps the old ones on an error, and does not affect live runs`() throws {
        let daemon = try Daemon(limits: ["Runtime=20s"])
        let run = try daemon.start(["run", "Probe/Slow", "--seconds", "4"])
        _ = try daemon.run()

        try write("[Limits]\nRuntime=10s", to: "units/Probe.conf", of: daemon)
        #expect(try milliseconds("runtimeMilliseconds", of: daemon) == 20_000)
        let reloaded = try daemon.intentctl("reload")
        #expect(reloaded.code == 0, "\(reloaded.errors)")
        #expect(reloaded.output == "reloaded: 2 apps\n")
        #expect(try milliseconds("runtimeMilliseconds", of: daemon) == 10_000)

        try write("[Limits]\nRuntime=2s\nMaxRuns=many\nMaxRunz=3", to: "etc/intentd.conf", of: daemon)
        try write("[Limits]\nRuntime=5s\n[Sandbox]\nNetwrk=no", to: "units/Probe.conf", of: daemon)
        let failed = try daemon.intentctl("reload")
        #expect(failed.code == 78)
        #expect(failed.errors.contains("etc/intentd.conf:3: "), "\(failed.errors)")
        #expect(failed.errors.contains("units/Probe.conf:4: "), "\(failed.errors)")
        // No error is ignored: the whole reload is refused.
        #expect(failed.errors.contains("etc/intentd.conf:4: MaxRunz=: unknown key in [Limits]\n"), "\(failed.errors)")
        #expect(!daemon.errors.contains("ignoring it"), "\(daemon.errors)")
        #expect(daemon.errors.contains("etc/intentd.conf:3: "), "\(daemon.errors)")
        #expect(try milliseconds("runtimeMilliseconds", of: daemon) == 10_000)
        // The launcher, which reads the files itself, also keeps the old settings.
        let echo = try daemon.intentctl("run", "Probe/Echo", "--text", "still")
        #expect(echo.output == "still\n", "\(echo.errors)")

        #expect(run.exitCode() == 0, "\(run.errors)")
    }

    @Test func `a start ignores and reports an unknown key`() throws {
        let daemon = try Daemon(limits: ["Runtim=20s"], configuration: ["MaxRunz=3"])
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "hello").output == "hello\n")
        for line in ["etc/intentd.conf:2: MaxRunz=: unknown key", "units/Probe.conf:2: Runtim=: unknown key"] {
            #expect(daemon.errors.contains("\(line) in [Limits], ignoring it"), "\(daemon.errors)")
        }
    }

    @Test func `unknown names are reported by a reload, a check and the journal`() throws {
        let daemon = try Daemon(
            app: ["[Access]", "AllowUsers=no-such-user", "ConfirmGroups=no-such-group"],
            configuration: ["Weight=no-such-user:200"]
        )
        try Data("[Limits]\nRuntime=5s\n".utf8).write(to: daemon.folder.appending("units/Prob.conf"))
        let expected = [
            "Prob.conf: no app with this name is installed", "Probe: [Access]: unknown user 'no-such-user'",
            "Probe: [Access]: unknown group 'no-such-group'", "Weight=: unknown user 'no-such-user'",
        ]
        let reloaded = try daemon.intentctl("reload")
        #expect(reloaded.code == 0)
        let folders = ["--apps", "apps", "--units", "units", "--configuration", "etc"]
        let check = try Command(Programs.intentd, ["--check"] + folders, directory: daemon.folder.url)
        #expect(check.exitCode() == 78)
        for line in expected {
            #expect(reloaded.errors.contains("warning: \(line)\n"), "\(reloaded.errors)")
            #expect(check.output.contains("\(line)\n"), "\(check.output)")
            #expect(daemon.errors.contains(line), "\(daemon.errors)")
        }
    }

    @Test func `a reload reports a broken app and succeeds for the others`() throws {
        let daemon = try Daemon()
        let broken = daemon.folder.appending("apps/Broken")
        try Programs.install(URL(fileURLWithPath: "/bin/false"), as: broken)
        let reloaded = try daemon.intentctl("reload")
        #expect(reloaded.code == 0)
        #expect(reloaded.errors.contains("Broken"), "\(reloaded.errors)")
        #expect(reloaded.output == "reloaded: 2 apps\n")
        #expect(daemon.errors.contains("Broken cannot be used"), "\(daemon.errors)")
        #expect(try daemon.intentctl("run", "Probe/Echo", "--text", "fine").output == "fine\n")

        let status = try daemon.intentctl("status")
        #expect(status.code == 78 && status.output.contains("\nproblem: Broken cannot be used: "), "\(status)")
        let problems = try #require(try daemon.json("status")["problems"] as? [[String: Any]])
        #expect(problems.map { $0["app"] as? String } == ["Broken"])
        try FileManager.default.removeItem(at: broken)
        #expect(try daemon.intentctl("reload").code == 0)
        let cured = try daemon.intentctl("status")
        #expect(cured.code == 0 && !cured.output.contains("problem:"), "\(cured)")
    }
}
