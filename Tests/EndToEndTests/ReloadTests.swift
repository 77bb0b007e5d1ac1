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

    @Test func `check finds every mistake of an app at once, and each unknown key has a suggestion`() throws {
        let daemon = try Daemon()
        try daemon.writeCommands(
            "[Sandbox]\nMemoryMx=1G\nReadPaths=relative\n[Intent A]\nExce=/usr/bin/true\nExec=/bin/true\n[Access]\nAllowUser=x\n"
                + "[Limits]\nRuntime=soon\n",
            as: "mistaken"
        )
        try FileManager.default.createSymbolicLink(
            atPath: daemon.folder.appending("commands/dangling.intents").path,
            withDestinationPath: "/nonexistent"
        )
        let folders = ["--apps", "apps", "--units", "units", "--commands", "commands", "--configuration", "etc"]
        let check = try Command(Programs.intentd, ["--check"] + folders, directory: daemon.folder.url)
        #expect(check.exitCode() == 78)
        for words in [
            "mistaken.intents:2: MemoryMx=: unknown key in [Sandbox] (did you mean 'MemoryMax='?)",
            "mistaken.intents:3: ReadPaths=: ",
            "mistaken.intents:5: Exce=: unknown key in [Intent A] (did you mean 'Exec='?)",
            "mistaken.intents:8: AllowUser=: unknown key in [Access] (did you mean 'AllowUsers='?)",
            "mistaken.intents:10: Runtime=: ",
            "commands/dangling.intents: the file has no effect: it is a link to a file that does not exist",
        ] {
            #expect(check.output.contains(words), "\(words): \(check.output)")
        }
        // No sandbox was looked at, so no program is reported as missing in it.
        #expect(!check.output.contains("not in the sandbox"), "\(check.output)")
        #expect(!check.output.contains("dangling.conf"), "\(check.output)")
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
        #expect(
            failed.errors.contains(
                "etc/intentd.conf:4: MaxRunz=: unknown key in [Limits] (did you mean 'MaxRuns='?)\n"
            ),
            "\(failed.errors)"
        )
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
        for (line, near) in [("etc/intentd.conf:2: MaxRunz=", "MaxRuns"), ("units/Probe.conf:2: Runtim=", "Runtime")] {
            let words = "\(line): unknown key in [Limits] (did you mean '\(near)='?), ignoring it"
            #expect(daemon.errors.contains(words), "\(daemon.errors)")
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

    @Test func `a mistake in a file hides no other mistake from a check`() throws {
        let daemon = try Daemon()
        let lines = ["[Intent A]", "Exec=/bin/none", "Typo=3", "[Intent A.Parameter x]", "Type=int"]
        try daemon.writeCommands(lines.joined(separator: "\n"), as: "many")
        let folders = ["--apps", "apps", "--units", "units", "--commands", "commands", "--configuration", "etc"]
        let check = try Command(Programs.intentd, ["--check"] + folders, directory: daemon.folder.url)
        #expect(check.exitCode() == 78)
        for words in ["many.intents:3: Typo=", "many.intents:5: Type=: expected one", "'/bin/none' of 'A' cannot be"] {
            #expect(check.output.contains(words), "\(check.output)")
        }
    }

    @Test func `one check finds every mistake of a deployment, and a reload finds the same`() throws {
        let daemon = try Daemon(
            app: ["[Notify]", "OnFailure=Probe/Nope", "OnSuccess=Nope/Send", "[Access]", "AllowUsers=alcie"],
            configuration: ["[Agents]", "User=nobdy"]
        )
        for (name, text) in [
            ("crlf", "#!/bin/sh\r\necho hello\r\n"), ("strange", "#!/opt/none/interpreter\n"), ("text", "echo hello\n"),
        ] {
            try write(text, to: "bin/\(name)", of: daemon)
            chmod(daemon.folder.appending("bin/\(name)").path, 0o755)
        }
        let bin = daemon.folder.appending("bin").path
        try FileManager.default.createSymbolicLink(atPath: "\(bin)/link", withDestinationPath: Programs.intentctl.path)
        let programs = ["crlf", "strange", "text", "link", "missing"]
        try daemon.writeCommands(
            (["[Sandbox]", "Programs=system \(bin)"] + programs.flatMap { ["[Intent \($0)]", "Exec=\(bin)/\($0)"] })
                .joined(separator: "\n"),
            as: "scripts"
        )
        try daemon.writeCommands("[Intent A]\nExec=/usr/bin/true\n[Intent A.Parameter x]\nType=int", as: "typed")
        try daemon.writeCommands("[Intent outside]\nExec=\(bin)/link", as: "outside")
        try daemon.writeCommands("[Intent A]\nExec=/usr/bin/true", as: "my app")
        try write("[Intent A]\nExec=/usr/bin/true", to: "apps/misplaced.intents", of: daemon)
        try write("[Intent Ech]\nRuntime=10s", to: "units/Archive.conf", of: daemon)
        let reloaded = try daemon.intentctl("reload")
        #expect(reloaded.code == 0, "\(reloaded.errors)")
        let folders = ["--apps", "apps", "--units", "units", "--commands", "commands", "--configuration", "etc"]
        func check() throws -> (code: Int32, output: String) {
            let check = try Command(Programs.intentd, ["--check"] + folders, directory: daemon.folder.url)
            return (check.exitCode(), check.output)
        }
        let checked = try check()
        #expect(checked.code == 78)
        for words in [
            "Probe: [Access]: unknown user 'alcie'", "[Agents]: unknown user 'nobdy'",
            "[Notify]: 'Nope/Send': no app with this name is installed", "'Probe/Nope'",
            "/bin/crlf' of 'crlf' has lines that end with CR LF", "interpreter '/opt/none/interpreter' of the program",
            "/bin/text' of 'text' is neither an ELF executable nor a script", "of 'link'",
            "of 'missing' cannot be executed", "/bin/link' of 'outside'",
            "typed.intents:4: Type=: expected one of", "commands/my app.intents: the file has no effect",
            "Archive.conf: [Intent Ech]: the app has no such intent",
            "misplaced.intents' is not an executable file. It is a file of command intents. Move it to",
        ] {
            #expect(checked.output.contains(words), "\(checked.output)")
            #expect(reloaded.errors.contains(words), "\(reloaded.errors)")
        }
        #expect(checked.output.contains("/bin/link' of 'outside' is not in the sandbox; add its path to Programs="))
        // A mended script is known after the next reload, although the file that names it has not changed.
        try write("#!/bin/sh\necho hello", to: "bin/crlf", of: daemon)
        chmod("\(bin)/crlf", 0o755)
        #expect(try !daemon.intentctl("reload").errors.contains("'crlf'"))
        #expect(try !check().output.contains("'crlf'"))
        // A trailing comment is part of the value, and a mistake in it is explained.
        try write("[Limits]\nRuntime=10s # ten", to: "units/Archive.conf", of: daemon)
        for output in [try check().output, try daemon.intentctl("reload").errors] {
            #expect(output.contains("Archive.conf:2: Runtime=: "), "\(output)")
            #expect(output.contains("a comment needs a line of its own"), "\(output)")
        }
    }

    @Test func `the status shows a file when it breaks and when it is mended, without another request`() throws {
        let daemon = try Daemon()
        func problems() throws -> [String] {
            let problems = try #require(try daemon.json("status")["problems"] as? [[String: Any]])
            return problems.compactMap { ($0["app"] ?? $0["file"]) as? String }.map {
                String($0.split(separator: "/").last ?? "")
            }
        }
        #expect(try problems() == [])
        try daemon.writeCommands("[Intent A]\nExec=/usr/bin/true\nProgress=often")
        #expect(try problems() == ["tools"])
        #expect(try daemon.intentctl("status").code == 78)
        try daemon.writeCommands("[Intent A]\nExec=/usr/bin/true")
        #expect(try problems() == [])
        // Settings that are not in effect yet would make the next start or reload fail.
        try write("[Limits]\nRuntime=soon", to: "units/Probe.conf", of: daemon)
        #expect(try problems() == ["Probe.conf"])
        #expect(try daemon.intentctl("status").code == 78)
        try write("[Limits]\nRuntime=5s", to: "units/Probe.conf", of: daemon)
        #expect(try problems() == [])
        let app = daemon.folder.appending("apps/Late")
        try Programs.install(URL(fileURLWithPath: "/bin/false"), as: app)
        #expect(try problems() == ["Late"])
        try FileManager.default.removeItem(at: app)
        #expect(try problems() == [])
    }

    @Test func `a check of a deployment without mistakes prints nothing`() throws {
        let daemon = try Daemon()
        try daemon.writeCommands("[Intent A]\nExec=/bin/sh -c 'echo $1' sh %{x}\n[Intent A.Parameter x]")
        let folders = ["--apps", "apps", "--units", "units", "--commands", "commands", "--configuration", "etc"]
        let check = try Command(Programs.intentd, ["--check"] + folders, directory: daemon.folder.url)
        #expect(check.exitCode() == 0)
        #expect(check.output == "")
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
