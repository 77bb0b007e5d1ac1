import IntentConfiguration
import IntentLauncherMessages
import Testing

/// Tests apps that consist of a file of intentd.command(5).
@Suite struct CommandInstallationTests {
    private static let program = "/usr/lib/intentd/intentd-command"

    private func disk(_ text: String = "[Intent A]\nExec=/bin/a\n") -> FakeDisk {
        var disk = FakeDisk()
        disk.add(Self.program)
        disk.add("/etc/commands.d/tools.intents", text: text)
        return disk
    }

    private var installation: Installation {
        var installation = Installation(
            appFolders: ["/apps"],
            unitFolders: ["/etc/apps.d"],
            commandFolders: ["/usr/lib/commands.d", "/etc/commands.d"],
            user: 0
        )
        installation.commandProgram = Self.program
        return installation
    }

    private func search(_ disk: FakeDisk, _ installation: Installation? = nil) throws -> AppSearch {
        (installation ?? self.installation).app(try #require(AppName("tools")), on: disk.view)
    }

    private func found(_ disk: FakeDisk) throws -> AppSettings {
        guard case .found(let app) = try search(disk) else { throw Unexpected(search: try search(disk)) }
        return app
    }

    private struct Unexpected: Error { var search: AppSearch }

    private func refusal(_ disk: FakeDisk, _ installation: Installation? = nil) throws -> String {
        guard case .refused(let reason) = try search(disk, installation) else { return "" }
        return reason
    }

    @Test func `a file is an app with intentd-command as its executable and the path as its argument`() throws {
        let app = try found(disk())
        #expect(app.executable == Self.program)
        #expect(app.arguments == ["/etc/commands.d/tools.intents"])
        #expect(app.unit.sandbox.programs == [.system])
        #expect(app.unit.sandbox.startsPrograms && app.unit.sandbox.usesRunSocket)
        #expect(installation.appNames(on: disk().view).map(\.text) == ["tools"])
    }

    @Test func `lines with Programs= accumulate, and replace the default`() throws {
        let intent = "[Intent A]\nExec=/bin/a\n[Sandbox]\n"
        let both = try found(disk(intent + "Programs=system\nPrograms=/opt/x\n"))
        #expect(both.unit.sandbox.programs == [.system, .path("/opt/x")])
        #expect(try found(disk(intent + "Programs=/opt/x\n")).unit.sandbox.programs == [.path("/opt/x")])
        #expect(try found(disk(intent + "Programs=/opt/x\nPrograms=\n")).unit.sandbox.programs == [.system])
    }

    @Test func `a file in a later folder replaces an earlier one`() throws {
        var disk = disk()
        disk.add("/usr/lib/commands.d/tools.intents", text: "[Intent B]\nExec=/bin/b\n")
        #expect(try found(disk).unit.command?.path == "/etc/commands.d/tools.intents")
    }

    @Test func `settings in the file apply, and the operator's file overrides them`() throws {
        var disk = disk(
            """
            [App]
            Description=Tools
            State=no
            [Intent A]
            Exec=/bin/a --Title=x
            Idempotent=yes
            Runtime=10min
            [Intent A.Parameter x]
            Type=string
            [Sandbox]
            ReadPaths=/srv/a
            Programs=/opt/tool
            """
        )
        let app = try found(disk)
        #expect(app.unit.state == .none)
        #expect(app.unit.intents["A"]?.limits?.runtime == .seconds(600))
        #expect(app.unit.sandbox.readPaths == ["/srv/a"])
        #expect(app.unit.sandbox.programs == [.path("/opt/tool")])
        #expect(app.unit.problems.isEmpty)
        disk.add("/etc/apps.d/tools.conf", text: "[Intent A]\nRuntime=1min\n[Sandbox]\nReadPaths=\nPrograms=\n")
        #expect(try found(disk).unit.intents["A"]?.limits?.runtime == .seconds(60))
        #expect(try found(disk).unit.sandbox.readPaths == [])
        #expect(try found(disk).unit.sandbox.programs == [.system])
    }

    @Test(arguments: [
        ("[Intent A]\nExce=/bin/a\n", "tools.intents:2: Exce="),
        ("[Sandbox]\nReadPath=/a\n", "tools.intents:2: ReadPath="),
        ("[App]\nExecutable=/bin/a\n", "tools.intents:2: Executable="),
        ("[Acces]\nAllowUsers=ada\n", "tools.intents:2: AllowUsers="),
    ])
    func `an unknown or misplaced key prevents the app from running`(
        _ text: String,
        _ place: String
    ) throws {
        #expect(try refusal(disk(text)).contains(place))
    }

    @Test func `a file or a folder that other users can change is refused`() throws {
        var open = disk()
        open.change("/etc/commands.d/tools.intents", owner: 0, permissions: 0o666)
        #expect(try refusal(open).contains("chmod go-w"))
        var foreign = disk()
        foreign.change("/etc/commands.d/tools.intents", owner: 1000, permissions: 0o644)
        #expect(try refusal(foreign).contains("chown root"))
    }

    @Test func `an executable with the same name is refused, and so is a file without intentd-command`() throws {
        var both = disk()
        both.add("/apps/tools")
        #expect(try refusal(both).contains("'/apps/tools' is an app of the same name"))
        var without = installation
        without.commandProgram = nil
        #expect(try refusal(disk(), without).contains("intentd-command was not found"))
    }

    @Test func `a change takes effect at the next use, and a mistake in it does not prevent a reload of other files`()
        throws
    {
        var memory = InstallationMemory()
        var disk = disk("[Intent A]\nExec=/bin/a\n[Sandbox]\nReadPaths=/a\n")
        disk.add("/apps/Soup")
        let name = try #require(AppName("tools"))
        func paths() -> [String]? {
            guard case .found(let app) = memory.app(name, in: installation, on: disk.view) else { return nil }
            return app.unit.sandbox.readPaths
        }
        #expect(paths() == ["/a"])
        disk.add("/etc/commands.d/tools.intents", text: "[Intent A]\nExec=/bin/a\n[Sandbox]\nReadPaths=/changed\n")
        #expect(paths() == ["/changed"])
        disk.add("/etc/commands.d/tools.intents", text: "[Sandbox]\nNonsense=yes, and longer than before\n")
        #expect(paths() == nil)
        #expect(memory.reload(in: installation, on: disk.view) == [])
        disk.add("/etc/apps.d/Soup.conf", text: "[Sandbox]\nNonsense=1\n")
        #expect(memory.reload(in: installation, on: disk.view).count == 1)
    }
}
