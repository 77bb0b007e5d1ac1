import IntentConfiguration
import IntentWire
import Testing

@Suite struct InstallationTests {
    private let installation = Installation(
        appFolders: ["/usr/lib/apps", "/usr/local/lib/apps"],
        unitFolders: ["/usr/lib/apps.d", "/etc/apps.d"],
        configurationFolders: ["/etc/intentd"],
        user: 1000
    )

    @Test func `an app is an executable in a folder of apps, the later folder first`() throws {
        var disk = FakeDisk()
        disk.add("/usr/lib/apps/Soup")
        disk.add("/usr/local/lib/apps/Soup")
        #expect(try found("Soup", on: disk).executable == "/usr/local/lib/apps/Soup")
    }

    @Test func `an app with resources is a folder with the executable in it`() throws {
        var disk = FakeDisk()
        disk.addFolder("/usr/lib/apps/Soup")
        disk.add("/usr/lib/apps/Soup/Soup")
        #expect(try found("Soup", on: disk).executable == "/usr/lib/apps/Soup/Soup")
        #expect(installation.appNames(on: disk.view).map(\.text) == ["Soup"])
    }

    @Test func `later files override earlier ones, and an intent has limits of its own`() throws {
        var disk = FakeDisk()
        disk.add("/usr/lib/apps/Soup")
        disk.add("/usr/lib/apps.d/Soup.conf", text: "[Intent Order]\nGrace=3s\n[Limits]\nRuntime=10s\nCeiling=1min")
        disk.add("/etc/apps.d/Soup.conf.d/10-local.conf", text: "[Limits]\nRuntime=20s")
        let app = try found("Soup", on: disk)
        #expect(app.limits.runtime == .seconds(20))
        #expect(app.limits.ceiling == .seconds(60))
        #expect(app.intentLimits["Order"]?.grace == .seconds(3))
        #expect(app.intentLimits["Order"]?.runtime == .seconds(20))
    }

    @Test(arguments: ["/etc/apps.d/Soup.conf.d", "/usr/lib/apps.d/Soup.conf.d", "/etc/intentd/intentd.conf.d"])
    func `a folder of rules that cannot be listed keeps the app from running`(folder: String) throws {
        var disk = FakeDisk()
        disk.add("/usr/lib/apps/Soup")
        var view = disk.view
        let names = view.names
        view.names = { $0 == folder ? nil : names($0) }
        let soup = try #require(AppName("Soup"))
        guard case .refused(let reason) = installation.app(soup, on: view) else {
            Issue.record("it runs without what \(folder) says")
            return
        }
        #expect(reason.contains(folder), "\(reason)")
    }

    private static let ruleFolders = [
        "/etc/apps.d", "/usr/lib/apps.d", "/etc/apps.d/Soup.conf.d", "/etc/intentd", "/etc/intentd/intentd.conf.d",
    ]

    @Test(arguments: ruleFolders)
    func `a folder of rules that others can change keeps the app from running`(folder: String) throws {
        let soup = try #require(AppName("Soup"))
        for (owner, permissions) in [(1001, 0o755), (0, 0o777), (1000, 0o775)] as [(UInt32, UInt32)] {
            var disk = FakeDisk()
            disk.add("/usr/lib/apps/Soup")
            disk.addFolder(folder)
            disk.change(folder, owner: owner, permissions: permissions)
            guard case .refused(let reason) = installation.app(soup, on: disk.view) else {
                Issue.record("it runs by what \(owner) may have put into \(folder)")
                return
            }
            #expect(reason.contains("'\(folder)'"), "\(reason)")
        }
    }

    @Test func `without an owner to go by, it is refused what others than its owner can write`() throws {
        var launchers = installation
        launchers.user = nil
        let soup = try #require(AppName("Soup"))
        var disk = FakeDisk()
        disk.add("/usr/lib/apps/Soup")
        disk.change("/usr/lib/apps/Soup", owner: 65534, permissions: 0o755)
        guard case .found = launchers.app(soup, on: disk.view) else {
            Issue.record("another program has checked who owns it")
            return
        }
        disk.change("/usr/lib/apps/Soup", owner: 65534, permissions: 0o757)
        guard case .refused = launchers.app(soup, on: disk.view) else {
            Issue.record("others can write it")
            return
        }
    }

    @Test func `a file of rules that cannot be looked at keeps the app from running`() throws {
        var disk = FakeDisk()
        disk.add("/usr/lib/apps/Soup")
        var view = disk.view
        let facts = view.facts
        view.facts = { $0 == "/etc/apps.d/Soup.conf" ? .unreachable : facts($0) }
        let soup = try #require(AppName("Soup"))
        guard case .refused(let reason) = installation.app(soup, on: view) else {
            Issue.record("it runs without its file")
            return
        }
        #expect(reason.contains("/etc/apps.d/Soup.conf"), "\(reason)")
    }

    @Test func `a bad value keeps what held before, and an unknown key is named with its place`() throws {
        var disk = FakeDisk()
        disk.add("/usr/lib/apps/Soup")
        disk.add("/etc/apps.d/Soup.conf", text: "[Limits]\nRuntime=soon\nRuntme=3s\n[App]\nEnvironment=A=1 =2")
        let app = try found("Soup", on: disk)
        #expect(app.limits.runtime == .seconds(30))
        #expect(app.problems.map(\.line) == [2, 3, 5])
        #expect(app.problems.allSatisfy { $0.file == "/etc/apps.d/Soup.conf" })
        #expect(app.environment == ["A": "1"])
    }

    @Test func `who may run what is read for the app and for single intents, and an empty list allows nobody`() throws {
        var disk = FakeDisk()
        disk.add("/usr/lib/apps/Soup")
        disk.add(
            "/etc/apps.d/Soup.conf",
            text: "[Access]\nAllowUsers=ada 1001\nAllowGroups=kitchen\n[Intent Order]\nAllowUsers=\nRuntime=3s"
        )
        let app = try found("Soup", on: disk)
        #expect(app.problems == [])
        #expect(app.access.users == ["ada", "1001"])
        #expect(app.access.groups == ["kitchen"])
        #expect(app.intentAccess["Order"]?.isRestricted == true)
        #expect(app.intentAccess["Order"]?.users == [])
        #expect(app.intentLimits["Order"]?.runtime == .seconds(3))
    }

    @Test func `who may confirm is read for the app and for single intents, and a mistyped rule is the strict one`()
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
        #expect(app.confirm.isByOther)
        #expect(app.confirm.groups == nil)
        #expect(app.intentConfirm["List"]?.isByOther == false)
        #expect(app.intentConfirm["Order"]?.isByOther == true)
        #expect(app.intentConfirm["Order"]?.groups == ["kitchen", "bar"])
        #expect(app.intentConfirm["Pay"]?.isByOther == true)
        #expect(app.intentConfirm["Throw"]?.groups == [])
        #expect(app.problems.map(\.line) == [8])
        // A rule for confirmations lifts none for running.
        #expect(app.intentAccess == [:])
    }

    @Test func `an environment file is read, and one that is missing is an error unless it may be`() throws {
        var disk = FakeDisk()
        disk.add("/usr/lib/apps/Soup")
        disk.add("/etc/soup.env", text: "# salt\nSALT=\"a pinch\"\n PEPPER = 'much'\nnonsense")
        disk.add("/etc/apps.d/Soup.conf", text: "[App]\nEnvironmentFile=/etc/soup.env\nEnvironmentFile=-/etc/none")
        let app = try found("Soup", on: disk)
        #expect(app.environment == ["SALT": "a pinch", "PEPPER": "much"])
        #expect(app.problems.map(\.line) == [2])
        disk.add("/etc/apps.d/Soup.conf", text: "[App]\nEnvironmentFile=/etc/none")
        #expect(refusal("Soup", on: disk)?.contains("'/etc/none' cannot be read") == true)
    }

    @Test func `an environment file with other line ends is the same file`() throws {
        var disk = FakeDisk()
        disk.add("/usr/lib/apps/Soup")
        disk.add("/etc/apps.d/Soup.conf", text: "[App]\nEnvironmentFile=/etc/soup.env")
        for end in ["\n", "\r\n", "\r"] {
            disk.add("/etc/soup.env", text: "\u{FEFF}# salt\(end)SALT=\"a pinch\"\(end)PEPPER='much'\(end)")
            let app = try found("Soup", on: disk)
            #expect(app.environment == ["SALT": "a pinch", "PEPPER": "much"])
            #expect(app.problems == [])
        }
        disk.add("/etc/soup.env", [0xFF])
        #expect(refusal("Soup", on: disk)?.contains("/etc/soup.env") == true)
    }

    @Test(arguments: [
        "[Acces]\nAllowUsers=ada", "[Access]\nAllowUser=ada", "[Limits]\nAllowUsers=ada", "[App]\nSecret=pin",
        "[Access]\nAllowUsers", "[Intent Order]\nConfrm=other", "[History]\nSecrets=pin",
        "[Access]\nAllowUsers=ada,bob",
        "[Access]\nAllowUsers=#ada", "[Intent ]\nAllowUsers", "AllowUsers=ada",
    ])
    func `an app does not run when a line may have been a rule`(text: String) {
        var disk = FakeDisk()
        disk.add("/usr/lib/apps/Soup")
        disk.add("/etc/apps.d/Soup.conf", text: text)
        #expect(refusal("Soup", on: disk)?.contains("/etc/apps.d/Soup.conf:") == true)
    }

    @Test func `a file of rules that is a folder, or a link to nothing, keeps the app from running`() {
        var disk = FakeDisk()
        disk.add("/usr/lib/apps/Soup")
        disk.addFolder("/etc/apps.d/Soup.conf")
        #expect(refusal("Soup", on: disk)?.contains("/etc/apps.d/Soup.conf") == true)
        var dangling = FakeDisk()
        dangling.add("/usr/lib/apps/Soup")
        dangling.add("/etc/apps.d/Soup.conf", text: "")
        var view = dangling.view
        let facts = view.facts
        view.facts = { $0 == "/etc/apps.d/Soup.conf" ? nil : facts($0) }
        guard let soup = AppName("Soup"), case .refused = installation.app(soup, on: view) else {
            Issue.record("it runs without its file")
            return
        }
    }

    @Test func `credentials have names and places, and a later one of a name takes the earlier one's place`() throws {
        var disk = FakeDisk()
        disk.add("/usr/lib/apps/Soup")
        disk.add(
            "/etc/apps.d/Soup.conf",
            text: """
                [App]
                LoadCredential=early:/etc/early
                LoadCredential=
                LoadCredential=key:/etc//soup.key
                LoadCredential=token:unit-token
                LoadCredential=same
                LoadCredential=key:/etc/new.key
                """
        )
        #expect(
            try found("Soup", on: disk).credentials == [
                CredentialSource(name: "token", place: .ownUnit(name: "unit-token")),
                CredentialSource(name: "same", place: .ownUnit(name: "same")),
                CredentialSource(name: "key", place: .path("/etc/new.key")),
            ]
        )
    }

    @Test(arguments: [
        "key:", ":/etc/key", "a/b:/etc/key", "..:/etc/key", "key:/etc/../key", "key:etc/key", "key:/", "key:a:b",
        "key:..", "/etc/key",
    ])
    func `a credential that cannot be understood keeps the app from running`(_ value: String) {
        var disk = FakeDisk()
        disk.add("/usr/lib/apps/Soup")
        disk.add("/etc/apps.d/Soup.conf", text: "[App]\nLoadCredential=\(value)")
        let refusal = refusal("Soup", on: disk)
        #expect(refusal?.contains("/etc/apps.d/Soup.conf:2: LoadCredential=: '\(value)'") == true)
    }

    @Test(arguments: [
        ("/etc/intentd/credentials/key", "intentd_key"), ("/etc/intentd/credentials/a/b", nil), ("/etc/key", nil),
        ("/etc/intentd/credentials\u{301}/key", nil),
    ])
    func `a file of the folder of credentials has a name among those of the launcher's unit`(
        path: String,
        name: String?
    ) {
        #expect(CredentialSource.nameInUnit(of: path) == name)
    }

    @Test func `state, idle time, spares and runs of an app have defaults that its file overrides`() throws {
        var disk = FakeDisk()
        disk.add("/usr/lib/apps/Soup")
        var app = try found("Soup", on: disk)
        #expect(app.state == .perUser)
        #expect(app.idleStop == .seconds(300))
        #expect(app.spareCount == 2)
        #expect(app.runCountMax == 32)
        #expect(app.limits.runtimeMax == nil)
        disk.add("/etc/intentd/intentd.conf", text: "[Limits]\nSpare=5\nMaxRunsPerApp=7\nRuntimeMax=1h")
        app = try found("Soup", on: disk)
        #expect(app.spareCount == 5)
        #expect(app.runCountMax == 7)
        #expect(app.limits.runtimeMax == .seconds(3600))
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
        #expect(app.problems == [])
        #expect(app.state == .none)
        #expect(app.idleStop == .seconds(60))
        #expect(app.spareCount == 0)
        #expect(app.runCountMax == 3)
        #expect(app.limits.runtimeMax == .seconds(120))
        #expect(app.intentLimits["Order"]?.runtimeMax == nil)
        #expect(app.intentLimits["Cook"]?.runtimeMax == .seconds(300))
    }

    @Test func `what is no protection keeps its value when another cannot be read`() throws {
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
        #expect(app.problems.map(\.line) == [2, 4, 5, 6, 7, 8, 9])
        #expect(app.problems[1].message == "Spare=: '65' is not a number from 0 to 64, keeping 5")
        #expect(app.idleStop == .seconds(300))
        #expect(app.spareCount == 5)
        #expect(app.runCountMax == 7)
        #expect(app.limits.runtimeMax == nil)
    }

    @Test func `an app does not run when its state cannot be told`() {
        var disk = FakeDisk()
        disk.add("/usr/lib/apps/Soup")
        disk.add("/etc/apps.d/Soup.conf", text: "[App]\nState=perhaps")
        let reason = refusal("Soup", on: disk)
        #expect(reason?.contains("Soup.conf:2: State=: expected yes, no or shared, got 'perhaps'") == true)
    }

    @Test(arguments: [
        ("/usr/lib/apps/Soup", UInt32(0o777), UInt32(0), "/usr/lib/apps/Soup"),
        ("/usr/lib/apps/Soup", 0o755, 1001, "/usr/lib/apps/Soup"),
        ("/usr/lib/apps", 0o775, 0, "/usr/lib/apps"),
        ("/etc/apps.d/Soup.conf", 0o666, 0, "/etc/apps.d/Soup.conf"),
    ])
    func `what others can write is refused by name`(
        _ path: String,
        _ permissions: UInt32,
        _ owner: UInt32,
        _ named: String
    ) {
        var disk = FakeDisk()
        disk.addFolder("/usr/lib/apps")
        disk.add("/usr/lib/apps/Soup")
        disk.add("/etc/apps.d/Soup.conf", text: "")
        disk.change(path, owner: owner, permissions: permissions)
        #expect(refusal("Soup", on: disk)?.contains("'\(named)'") == true)
    }

    @Test func `a file without the right to execute is no app, and the mend is said`() {
        var disk = FakeDisk()
        disk.add("/usr/lib/apps/Soup")
        disk.change("/usr/lib/apps/Soup", owner: 0, permissions: 0o644)
        #expect(refusal("Soup", on: disk)?.contains("chmod +x") == true)
    }

    @Test func `an executable that its caller named is taken as it is, with the file beside it`() throws {
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
        #expect(app.limits.runtime == .seconds(1))
    }

    @Test func `the daemon's own file gives every app its clocks`() throws {
        var disk = FakeDisk()
        disk.add("/usr/lib/apps/Soup")
        disk.add("/etc/intentd/intentd.conf", text: "[Limits]\nRuntime=7s\nMaxRuns=3\nMaxQueued=none")
        #expect(try found("Soup", on: disk).limits.runtime == .seconds(7))
        let daemon = installation.daemon(on: disk.view)
        #expect(daemon.runCount == 3)
        #expect(daemon.queueCount == 1024)
        #expect(daemon.problems.map(\.line) == [4])
    }

    @Test func `the limits of users, apps and the whole are read, and an empty value is the built-in one`() {
        var disk = FakeDisk()
        let builtIn = installation.daemon(on: disk.view)
        #expect(builtIn.runCountPerUser == 32)
        #expect(builtIn.runCountPerApp == 32)
        disk.add(
            "/etc/intentd/intentd.conf",
            text: "[Limits]\nMaxRunsPerUser=3\nMaxRunsPerApp=4\nMaxQueued=9\nMaxRuns=0\nMaxWaiting=5"
        )
        disk.add("/etc/intentd/intentd.conf.d/10-more.conf", text: "[Limits]\nMaxQueued=")
        let daemon = installation.daemon(on: disk.view)
        #expect(daemon.runCountPerUser == 3)
        #expect(daemon.runCountPerApp == 4)
        #expect(daemon.waitingCount == 5)
        #expect(daemon.queueCount == 1024)
        #expect(daemon.runCount == 64)
        #expect(daemon.problems.map(\.line) == [5])
    }

    @Test func `places given as options replace those built in, and are handed on as they are`() throws {
        var places = installation
        let rest = try ProgramArguments.takePlaces(
            from: ["--socket", "/s", "--apps", "/a", "--units", "/u"],
            into: &places
        )
        #expect(rest == ["--socket", "/s"])
        #expect(places.appFolders == ["/a"])
        #expect(places.arguments == ["--apps", "/a", "--units", "/u"])
        #expect(throws: UsageError.self) { try ProgramArguments.takePlaces(from: ["--apps"], into: &places) }
    }

    private func found(_ text: String, on disk: FakeDisk) throws -> AppSettings {
        let name = try #require(AppName(text))
        let search = installation.app(name, on: disk.view)
        guard case .found(let app) = search else { throw Unexpected(search: search) }
        return app
    }

    private func refusal(_ text: String, on disk: FakeDisk) -> String? {
        guard let name = AppName(text), case .refused(let reason) = installation.app(name, on: disk.view) else {
            return nil
        }
        return reason
    }

    private struct Unexpected: Error {
        var search: AppSearch
    }
}

/// A disk as a table of paths.
struct FakeDisk {
    private var files: [String: (facts: FileFacts, bytes: [UInt8])] = [:]

    mutating func add(_ path: String, text: String = "\u{7F}ELF") { add(path, Array(text.utf8)) }

    mutating func add(_ path: String, _ bytes: [UInt8]) {
        files[path] = (FileFacts(isRegular: true, isFolder: false, owner: 0, permissions: 0o755), bytes)
    }

    mutating func addFolder(_ path: String) {
        files[path] = (FileFacts(isRegular: false, isFolder: true, owner: 0, permissions: 0o755), [])
    }

    mutating func change(_ path: String, owner: UInt32, permissions: UInt32) {
        files[path]?.facts.owner = owner
        files[path]?.facts.permissions = permissions
    }

    var view: DiskView {
        let files = files
        return DiskView(
            facts: { files[$0]?.facts },
            bytes: { files[$0]?.bytes },
            names: { folder in
                files.keys.filter { $0.hasPrefix(folder + "/") }
                    .map { String($0.dropFirst(folder.count + 1)) }
                    .filter { !$0.contains("/") }
                    .sorted()
            }
        )
    }
}
