import IntentConfiguration
import IntentLauncherMessages
import Testing

/// Tests that delimiters in configuration files and paths are found by their bytes, even if a combining mark follows
/// them.
@Suite struct ForeignTextTests {
    private let mark = "\u{301}"

    private func search(_ disk: FakeDisk, _ change: (inout DiskView) -> Void = { _ in }) throws -> AppSearch {
        let installation = Installation(
            appFolders: ["/apps"],
            unitFolders: ["/etc/apps.d"],
            configurationFolders: ["/etc/intentd"],
            user: 0
        )
        var view = disk.view
        change(&view)
        return installation.app(try #require(AppName("Soup")), on: view)
    }

    private func unit(_ text: String) throws -> AppUnit? {
        var disk = FakeDisk()
        disk.add("/apps/Soup")
        disk.add("/etc/apps.d/Soup.conf", text: text)
        guard case .found(let app) = try search(disk) else { return nil }
        return app.unit
    }

    @Test func `a path is split at each slash`() {
        #expect(AbsolutePath.parse("/a//\(mark)b/c") == "/a/\(mark)b/c")
        let file = UnitFile(Array("[Agents]\nAllowRoots=/srv/../\(mark)x".utf8), file: "intentd.conf")
        let installation = Installation(appFolders: [], configurationFolders: ["/etc/intentd"], user: 0)
        var disk = FakeDisk()
        disk.add("/etc/intentd/intentd.conf", text: "[Agents]\nAllowRoots=/srv/../\(mark)x")
        #expect(file.problems == [])
        #expect(installation.daemon(on: disk.view).problems.count == 1)
        #expect(installation.daemon(on: disk.view).agents.roots == nil)
    }

    @Test func `a link in a folder that every user can change is not resolved`() {
        let path = "/dev/shm/\(mark)x/link"
        let disk = DiskView(
            facts: { _ in nil },
            bytes: { _ in nil },
            names: { _ in [] },
            link: { $0 == path ? "/etc" : nil }
        )
        #expect(SystemLinks.resolve(path, on: disk) == path)
    }

    @Test func `a drop-in without a target prevents the app from running, whatever its name`() throws {
        var disk = FakeDisk()
        disk.add("/apps/Soup")
        let result = try search(disk) { view in
            view.names = { $0 == "/etc/apps.d/Soup.conf.d" ? ["\(mark)rules.conf"] : [] }
        }
        guard case .refused = result else {
            Issue.record("the app runs without its rules")
            return
        }
    }

    @Test func `the suffix of a drop-in is found after a character that joins the next one`() throws {
        // U+0600 and the full stop are one character.
        var disk = FakeDisk()
        disk.add("/apps/Soup")
        disk.add("/etc/apps.d/Soup.conf.d/9\u{600}.conf", text: "[Access]\nAllowUsers=ada")
        guard case .found(let app) = try search(disk) else {
            Issue.record("expected an app")
            return
        }
        #expect(app.unit.access.users == ["ada"])
    }

    @Test func `a credential's name ends at the first colon`() throws {
        let credential = CredentialSource(name: "a", location: .ownUnit(name: "\(mark)b"))
        #expect(try unit("[App]\nLoadCredential=a:\(mark)b")?.credentials == [credential])
    }

    @Test func `a section names the same intent for intentd and for intentd-command`() throws {
        #expect(CommandSection("Intent \(mark)x") == .intent("\(mark)x", parameter: nil))
        #expect(CommandSection("Intent a.Parameter \(mark)x") == .intent("a", parameter: "\(mark)x"))
        #expect(try unit("[Intent \(mark)x]\nRuntime=5s")?.intents["\(mark)x"]?.limits?.runtime == .seconds(5))
    }

    @Test func `an account is found by the fields of its line`() throws {
        let ids = try #require(HostIDs("100:10"))
        #expect(ids.owner { $0 == "/etc/passwd" ? "ada:\(mark):105:1::/home/ada:/bin/sh\r\n" : nil } != nil)
        #expect(ids.owner { $0 == "/etc/subuid" ? "ada\u{85}:105:1\nbob:1:1\n" : nil } != nil)
        #expect(ids.owner { _ in "ada:x:99:99" } == nil)
    }

    @Test func `a file with many combining marks in a row is refused`() {
        func problems(_ count: Int) -> [String] {
            let marks = String(repeating: mark, count: count)
            return UnitFile(Array("[App]\nEnvironment=A=b\(marks)".utf8), file: "f").problems.map(\.message)
        }
        #expect(problems(30) == [])
        #expect(problems(31) == ["more than 30 combining marks follow each other; remove them"])
        #expect(UnitFile([0xFF], file: "f").problems.map(\.message) == ["expected text in UTF-8"])
    }

    @Test func `an error quotes only the start of a long line`() throws {
        let long = String(repeating: "x", count: 10_000)
        let problems = UnitFile(Array("[App]\n\(long)\n[\(long)".utf8), file: "f").problems
        #expect(problems.map { $0.message.utf8.count < 200 } == [true, true])
        var disk = FakeDisk()
        disk.add("/apps/Soup")
        disk.add("/etc/apps.d/Soup.conf", text: "[App]\nLoadCredential=/\(long)")
        guard case .refused(let reason) = try search(disk) else {
            Issue.record("the app runs without its credential")
            return
        }
        #expect(reason.utf8.count < 400)
    }
}
