import IntentConfiguration
import IntentLauncherMessages
import Testing

/// Files that prevent an app from running, and credentials.
extension InstallationTests {
    @Test(arguments: ["/etc/apps.d/Soup.conf.d", "/usr/lib/apps.d/Soup.conf.d", "/etc/intentd/intentd.conf.d"])
    func `a configuration folder that cannot be listed prevents the app from running`(folder: String) throws {
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
    func `a configuration folder that other users can change prevents the app from running`(folder: String) throws {
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

    @Test func `if the required owner is unknown, only write permission for other users is refused`() throws {
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

    @Test func `a configuration file that cannot be inspected prevents the app from running`() throws {
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

    @Test(arguments: [
        "[Acces]\nAllowUsers=ada", "[Access]\nAllowUser=ada", "[Limits]\nAllowUsers=ada", "[App]\nSecret=pin",
        "[Access]\nAllowUsers", "[Intent Order]\nConfrm=other", "[History]\nSecrets=pin",
        "[Access]\nAllowUsers=ada,bob",
        "[Access]\nAllowUsers=#ada", "[Intent ]\nAllowUsers", "AllowUsers=ada",
    ])
    func `an invalid line that may have been intended as a rule prevents the app from running`(text: String) {
        var disk = FakeDisk()
        disk.add("/usr/lib/apps/Soup")
        disk.add("/etc/apps.d/Soup.conf", text: text)
        #expect(refusal("Soup", on: disk)?.contains("/etc/apps.d/Soup.conf:") == true)
    }

    @Test func `a configuration file that is a folder or a dangling link prevents the app from running`() {
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

    @Test func `credentials have names and sources, and a later credential replaces its namesake`() throws {
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
            try found("Soup", on: disk).unit.credentials == [
                CredentialSource(name: "token", location: .ownUnit(name: "unit-token")),
                CredentialSource(name: "same", location: .ownUnit(name: "same")),
                CredentialSource(name: "key", location: .path("/etc/new.key")),
            ]
        )
    }

    @Test(arguments: [
        "key:", ":/etc/key", "a/b:/etc/key", "..:/etc/key", "key:/etc/../key", "key:etc/key", "key:/", "key:a:b",
        "key:..", "/etc/key",
    ])
    func `an invalid credential prevents the app from running`(_ value: String) {
        var disk = FakeDisk()
        disk.add("/usr/lib/apps/Soup")
        disk.add("/etc/apps.d/Soup.conf", text: "[App]\nLoadCredential=\(value)")
        let refusal = refusal("Soup", on: disk)
        #expect(refusal?.contains("/etc/apps.d/Soup.conf:2: LoadCredential=: expected NAME:PATH") == true)
        #expect(refusal?.contains("got '\(value)'") == true)
    }

    @Test(arguments: [
        ("/etc/intentd/credentials/key", "/run/intentd-credentials/intentd_key"),
        ("/etc/intentd/credentials/a/b", nil), ("/etc/key", nil),
        ("/etc/intentd/credentials\u{301}/key", nil),
    ])
    func `the launcher has a copy of a file in the credentials folder`(
        path: String,
        copy: String?
    ) {
        #expect(CredentialSource.copy(of: path) == copy)
    }

    @Test func `an invalid State= prevents the app from running`() {
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
    func `the error for a file that other users can write to names the file`(
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

    @Test func `a file without execute permission is refused, with the command that grants it`() {
        var disk = FakeDisk()
        disk.add("/usr/lib/apps/Soup")
        disk.change("/usr/lib/apps/Soup", owner: 0, permissions: 0o644)
        #expect(refusal("Soup", on: disk)?.contains("chmod +x") == true)
    }
}
