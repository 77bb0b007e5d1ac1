import IntentConfiguration
import IntentLauncherMessages
import Testing

@Suite struct InstallationTests {
    let installation = Installation(
        appFolders: ["/usr/lib/apps", "/usr/local/lib/apps"],
        unitFolders: ["/usr/lib/apps.d", "/etc/apps.d"],
        configurationFolders: ["/etc/intentd"],
        user: 1000
    )

    @Test func `an app is an executable in an app folder, and later folders take precedence`() throws {
        var disk = FakeDisk()
        disk.add("/usr/lib/apps/Soup")
        disk.add("/usr/local/lib/apps/Soup")
        #expect(try found("Soup", on: disk).executable == "/usr/local/lib/apps/Soup")
    }

    @Test func `relative paths are resolved against the caller's folder`() {
        let relative = Installation(
            appFolders: ["apps", "/a"],
            unitFolders: ["u"],
            executables: ["./Soup"],
            user: 1000
        )
        let absolute = relative.absolute(below: "/srv")
        #expect(absolute.appFolders == ["/srv/apps", "/a"])
        #expect(absolute.unitFolders == ["/srv/u"])
        #expect(absolute.executables == ["/srv/./Soup"])
        #expect(installation.absolute(below: "/srv") == installation)
    }

    @Test func `an app with resources is a folder that contains the executable`() throws {
        var disk = FakeDisk()
        disk.addFolder("/usr/lib/apps/Soup")
        disk.add("/usr/lib/apps/Soup/Soup")
        #expect(try found("Soup", on: disk).executable == "/usr/lib/apps/Soup/Soup")
        #expect(installation.appNames(on: disk.view).map(\.text) == ["Soup"])
    }

    @Test func `later files override earlier ones, and an intent can have its own limits`() throws {
        var disk = FakeDisk()
        disk.add("/usr/lib/apps/Soup")
        disk.add("/usr/lib/apps.d/Soup.conf", text: "[Intent Order]\nGrace=3s\n[Limits]\nRuntime=10s\nCeiling=1min")
        disk.add("/etc/apps.d/Soup.conf.d/10-local.conf", text: "[Limits]\nRuntime=20s")
        let app = try found("Soup", on: disk)
        #expect(app.unit.limits.runtime == .seconds(20))
        #expect(app.unit.limits.ceiling == .seconds(60))
        #expect(app.unit.intents["Order"]?.limits?.grace == .seconds(3))
        #expect(app.unit.intents["Order"]?.limits?.runtime == .seconds(20))
    }

    @Test func `an invalid value leaves the setting unchanged, and an unknown key is reported with its line`() throws {
        var disk = FakeDisk()
        disk.add("/usr/lib/apps/Soup")
        disk.add("/etc/apps.d/Soup.conf", text: "[Limits]\nRuntime=soon\nRuntme=3s\n[App]\nEnvironment=A=1 =2")
        let app = try found("Soup", on: disk)
        #expect(app.unit.limits.runtime == .seconds(30))
        #expect(app.unit.problems.map(\.line) == [2, 3, 5])
        #expect(app.unit.problems.map(\.isIgnorable) == [false, true, true])
        #expect(app.unit.problems.allSatisfy { $0.file == "/etc/apps.d/Soup.conf" })
        #expect(app.unit.environment == ["A": "1"])
    }

    @Test func `access is configured for the app and for single intents, and an empty list permits no user`() throws {
        var disk = FakeDisk()
        disk.add("/usr/lib/apps/Soup")
        disk.add(
            "/etc/apps.d/Soup.conf",
            text:
                "[Access]\nAllowUsers=ada 1001\nAllowGroups=kitchen \"domain users\" DOM\\cooks\n[Intent Order]\nAllowUsers=\nRuntime=3s"
        )
        let app = try found("Soup", on: disk)
        #expect(app.unit.problems == [])
        #expect(app.unit.access.users == ["ada", "1001"])
        #expect(app.unit.access.groups == ["kitchen", "domain users", #"DOM\cooks"#])
        #expect(app.unit.intents["Order"]?.access?.isRestricted == true)
        #expect(app.unit.intents["Order"]?.access?.users == [])
        #expect(app.unit.intents["Order"]?.limits?.runtime == .seconds(3))
    }

    @Test func `confirmation is configured for the app and for single intents, and an invalid rule is strict`()
        throws
    {
        var disk = FakeDisk()
        disk.add("/usr/lib/apps/Soup")
        disk.add(
            "/etc/apps.d/Soup.conf",
            text: "[Access]\nConfirm=other\n[Intent List]\nConfirm=asker\n[Intent Order]\nConfirmGroups=kitchen bar\n"
                + "[Intent Pay]\nConfirm=others\n[Intent Throw]\nConfirmGroups="
        )
        let app = try found("Soup", on: disk)
        #expect(app.unit.confirm.isByOther)
        #expect(app.unit.confirm.groups == nil)
        #expect(app.unit.intents["List"]?.confirm?.isByOther == false)
        #expect(app.unit.intents["Order"]?.confirm?.isByOther == true)
        #expect(app.unit.intents["Order"]?.confirm?.groups == ["kitchen", "bar"])
        #expect(app.unit.intents["Pay"]?.confirm?.isByOther == true)
        #expect(app.unit.intents["Throw"]?.confirm?.groups == [])
        #expect(app.unit.problems.map(\.line) == [8])
        // A rule about confirmations does not affect who may run an intent.
        #expect(app.unit.intents.values.allSatisfy { $0.access == nil })
    }

    @Test func `an environment file is read, and a missing file is an error unless it is optional`() throws {
        var disk = FakeDisk()
        disk.add("/usr/lib/apps/Soup")
        disk.add("/etc/soup.env", text: "# salt\nSALT=\"a pinch\"\n PEPPER = 'much'\nnonsense")
        disk.add("/etc/apps.d/Soup.conf", text: "[App]\nEnvironmentFile=/etc/soup.env\nEnvironmentFile=-/etc/none")
        let app = try found("Soup", on: disk)
        #expect(app.unit.environment == ["SALT": "a pinch", "PEPPER": "much"])
        #expect(app.unit.problems.map(\.line) == [2])
        disk.add("/etc/apps.d/Soup.conf", text: "[App]\nEnvironmentFile=/etc/none")
        #expect(refusal("Soup", on: disk)?.contains("cannot read '/etc/none'") == true)
    }

    @Test func `an environment file can have any line ends`() throws {
        var disk = FakeDisk()
        disk.add("/usr/lib/apps/Soup")
        disk.add("/etc/apps.d/Soup.conf", text: "[App]\nEnvironmentFile=/etc/soup.env")
        for end in ["\n", "\r\n", "\r"] {
            disk.add("/etc/soup.env", text: "\u{FEFF}# salt\(end)SALT=\"a pinch\"\(end)PEPPER='much'\(end)")
            let app = try found("Soup", on: disk)
            #expect(app.unit.environment == ["SALT": "a pinch", "PEPPER": "much"])
            #expect(app.unit.problems == [])
        }
        disk.add("/etc/soup.env", [0xFF])
        #expect(refusal("Soup", on: disk)?.contains("/etc/soup.env") == true)
    }

    @Test func `state, idle time, spares and runs of an app have defaults that its file overrides`() throws {
        var disk = FakeDisk()
        disk.add("/usr/lib/apps/Soup")
        var app = try found("Soup", on: disk)
        #expect(app.unit.state == .perUser)
        #expect(app.unit.idleStop == .seconds(300))
        #expect(app.unit.capacity.spareCount == 2)
        #expect(app.unit.capacity.runCountMax == 32)
        #expect(app.unit.limits.runtimeMax == nil)
        disk.add("/etc/intentd/intentd.conf", text: "[Limits]\nSpare=5\nMaxRunsPerApp=7\nRuntimeMax=1h")
        app = try found("Soup", on: disk)
        #expect(app.unit.capacity.spareCount == 5)
        #expect(app.unit.capacity.runCountMax == 7)
        #expect(app.unit.limits.runtimeMax == .seconds(3600))
        disk.add(
            "/etc/apps.d/Soup.conf",
            text: """
                [App]
                State=no
                IdleStop=1min
                [Limits]
                Spare=0
                MaxRunsPerApp=3
                RuntimeMax=2min
                [Intent Order]
                RuntimeMax=
                [Intent Cook]
                RuntimeMax=5min
                """
        )
        app = try found("Soup", on: disk)
        #expect(app.unit.problems == [])
        #expect(app.unit.state == .none)
        #expect(app.unit.idleStop == .seconds(60))
        #expect(app.unit.capacity.spareCount == 0)
        #expect(app.unit.capacity.runCountMax == 3)
        #expect(app.unit.limits.runtimeMax == .seconds(120))
        #expect(app.unit.intents["Order"]?.limits?.runtimeMax == nil)
        #expect(app.unit.intents["Cook"]?.limits?.runtimeMax == .seconds(300))
    }

    @Test func `a setting that is not a protection keeps its value if the new value is invalid`() throws {
        var disk = FakeDisk()
        disk.add("/usr/lib/apps/Soup")
        disk.add("/etc/intentd/intentd.conf", text: "[Limits]\nSpare=5\nMaxRunsPerApp=7")
        disk.add(
            "/etc/apps.d/Soup.conf",
            text: """
                [App]
                IdleStop=never
                [Limits]
                Spare=65
                MaxRunsPerApp=0
                RuntimeMax=0
                MaxRunsPerUser=3
                Spare=-1
                IdleStop=1min
                """
        )
        let app = try found("Soup", on: disk)
        #expect(app.unit.problems.map(\.line) == [2, 4, 5, 6, 7, 8, 9])
        #expect(app.unit.problems[1].message == "Spare=: expected a number from 0 to 64, got '65', keeping 5")
        #expect(app.unit.idleStop == .seconds(300))
        #expect(app.unit.capacity.spareCount == 5)
        #expect(app.unit.capacity.runCountMax == 7)
        #expect(app.unit.limits.runtimeMax == nil)
    }

    @Test func `an executable on the command line is used without checks, with the settings file beside it`() throws {
        var disk = FakeDisk()
        disk.add("/home/me/Soup")
        disk.change("/home/me/Soup", owner: 1000, permissions: 0o775)
        disk.add("/home/me/Soup.conf", text: "[Limits]\nRuntime=1s")
        let local = Installation(appFolders: [], executables: ["/home/me/Soup"], user: 1000)
        let name = try #require(AppName("Soup"))
        guard case .found(let app) = local.app(name, on: disk.view) else {
            Issue.record("not found")
            return
        }
        #expect(app.unit.limits.runtime == .seconds(1))
    }

    @Test func `the daemon's file sets the default limits of every app`() throws {
        var disk = FakeDisk()
        disk.add("/usr/lib/apps/Soup")
        disk.add("/etc/intentd/intentd.conf", text: "[Limits]\nRuntime=7s\nMaxRuns=3\nMaxQueued=none")
        #expect(try found("Soup", on: disk).unit.limits.runtime == .seconds(7))
        let daemon = installation.daemon(on: disk.view)
        #expect(daemon.runCount == 3)
        #expect(daemon.queueCount == 1024)
        #expect(daemon.problems.map(\.line) == [4])
    }

    @Test func `the limits for users, for apps and in total are read, and an empty value resets a limit`() {
        var disk = FakeDisk()
        let builtIn = installation.daemon(on: disk.view)
        #expect(builtIn.runCountPerUser == 32)
        #expect(builtIn.capacity.runCountMax == 32)
        disk.add(
            "/etc/intentd/intentd.conf",
            text: "[Limits]\nMaxRunsPerUser=3\nMaxRunsPerApp=4\nMaxQueued=9\nMaxRuns=0\nMaxWaiting=5"
        )
        disk.add("/etc/intentd/intentd.conf.d/10-more.conf", text: "[Limits]\nMaxQueued=")
        let daemon = installation.daemon(on: disk.view)
        #expect(daemon.runCountPerUser == 3)
        #expect(daemon.capacity.runCountMax == 4)
        #expect(daemon.waitingCount == 5)
        #expect(daemon.queueCount == 1024)
        #expect(daemon.runCount == 64)
        #expect(daemon.problems.map(\.line) == [5])
    }

    @Test func `folders in options replace the default folders, and are passed on unchanged`() throws {
        var places = installation
        let rest = try ProgramArguments.removeFolders(
            from: ["--socket", "/s", "--apps", "/a", "--units", "/u"],
            into: &places
        )
        #expect(rest == ["--socket", "/s"])
        #expect(places.appFolders == ["/a"])
        #expect(places.arguments == ["--apps", "/a", "--units", "/u"])
        #expect(throws: UsageError.self) { try ProgramArguments.removeFolders(from: ["--apps"], into: &places) }
    }

    func found(_ text: String, on disk: FakeDisk) throws -> AppSettings {
        let name = try #require(AppName(text))
        let search = installation.app(name, on: disk.view)
        guard case .found(let app) = search else { throw Unexpected(search: search) }
        return app
    }

    func refusal(_ text: String, on disk: FakeDisk) -> String? {
        guard let name = AppName(text), case .refused(let reason) = installation.app(name, on: disk.view) else {
            return nil
        }
        return reason
    }

    struct Unexpected: Error {
        var search: AppSearch
    }
}
