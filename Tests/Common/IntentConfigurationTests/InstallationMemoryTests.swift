import IntentConfiguration
import IntentLauncherMessages
import Testing

@Suite struct InstallationMemoryTests {
    /// A disk with files that tests change. Counts how often a file was read.
    private final class Disk {
        var texts: [String: (text: String, time: Int64)] = ["/etc/apps.d/Soup.conf": ("[Limits]\nRuntime=5s\n", 1)]
        var time: Int64 = 1
        var isInstalled = true
        var isWritable = false
        var readCount = 0

        var view: DiskView {
            DiskView(
                facts: { [self] path in
                    if path == "/apps/Soup" { return isInstalled ? facts(permissions: 0o755, time: time) : nil }
                    return texts[path].map { facts(permissions: isWritable ? 0o666 : 0o644, time: $0.time) }
                },
                bytes: { [self] path in
                    readCount += 1
                    return texts[path].map { Array($0.text.utf8) }
                },
                names: { [self] folder in
                    let names = texts.keys.filter { $0.hasPrefix(folder + "/") }.map { $0.dropFirst(folder.count + 1) }
                    let installed = folder == "/apps" && isInstalled ? ["Soup"] : []
                    return (installed + names.filter { !$0.contains("/") }.map(String.init)).sorted()
                }
            )
        }

        private func facts(permissions: UInt32, time: Int64) -> FileFacts {
            var facts = FileFacts(isRegular: true, isFolder: false, owner: 0, permissions: permissions)
            facts.modifiedNanoseconds = time
            return facts
        }
    }

    private let installation = Installation(
        appFolders: ["/apps"],
        unitFolders: ["/etc/apps.d"],
        configurationFolders: ["/etc"],
        user: 0
    )
    private let soup = AppName("Soup")

    private func runtime(_ search: AppSearch) -> Duration? {
        if case .found(let settings) = search { return settings.unit.limits.runtime }
        return nil
    }

    @Test func `a changed file of EnvironmentFile= applies without a reload`() throws {
        let disk = Disk()
        var memory = InstallationMemory()
        let name = try #require(soup)
        disk.texts["/etc/apps.d/Soup.conf"] = ("[App]\nEnvironmentFile=/srv/env\nEnvironmentFile=-/srv/more\n", 1)
        disk.texts["/srv/env"] = ("A=1\n", 1)
        func environment() -> [String: String]? {
            if case .found(let app) = memory.app(name, in: installation, on: disk.view) { return app.unit.environment }
            return nil
        }
        #expect(environment() == ["A": "1"])
        let count = disk.readCount
        #expect(environment() == ["A": "1"] && disk.readCount == count)
        disk.texts["/srv/env"] = ("A=2\n", 2)
        #expect(environment() == ["A": "2"])
        disk.texts["/srv/more"] = ("B=3\n", 2)
        #expect(environment() == ["A": "2", "B": "3"])
        disk.texts["/srv/more"] = nil
        #expect(environment() == ["A": "2"])
        disk.texts["/srv/env"] = nil
        #expect(environment() == nil)
        disk.texts["/srv/env"] = ("A=4\n", 3)
        #expect(environment() == ["A": "4"])
    }

    @Test func `files are read once, and a change takes effect with a reload`() throws {
        let disk = Disk()
        var memory = InstallationMemory()
        let name = try #require(soup)
        #expect(runtime(memory.app(name, in: installation, on: disk.view)) == .seconds(5))
        disk.texts["/etc/apps.d/Soup.conf"] = ("[Limits]\nRuntime=6s\n", 2)
        let count = disk.readCount
        #expect(runtime(memory.app(name, in: installation, on: disk.view)) == .seconds(5))
        #expect(disk.readCount == count)
        #expect(memory.reload(in: installation, on: disk.view) == [])
        #expect(runtime(memory.app(name, in: installation, on: disk.view)) == .seconds(6))
        disk.texts["/etc/apps.d/Soup.conf.d/1.conf"] = ("[Limits]\nRuntime=7s\n", 3)
        #expect(memory.reload(in: installation, on: disk.view) == [])
        #expect(runtime(memory.app(name, in: installation, on: disk.view)) == .seconds(7))
        disk.texts["/etc/apps.d/Soup.conf.d/1.conf"] = nil
        #expect(memory.reload(in: installation, on: disk.view) == [])
        #expect(runtime(memory.app(name, in: installation, on: disk.view)) == .seconds(6))
    }

    @Test func `a new build of the executable, and its removal, take effect at once`() throws {
        let disk = Disk()
        var memory = InstallationMemory()
        let name = try #require(soup)
        _ = memory.app(name, in: installation, on: disk.view)
        disk.time = 9
        guard case .found(let settings) = memory.app(name, in: installation, on: disk.view) else {
            Issue.record("it is there")
            return
        }
        #expect(settings.facts.modifiedNanoseconds == 9)
        disk.isInstalled = false
        #expect(memory.app(name, in: installation, on: disk.view) == .missing)
    }

    @Test(arguments: [
        "[Limits]\nRuntime=soon\n", "[Limits]\n\nNonsense=1\n", "[Sandbox]\nNonsense=1\n", "nonsense\n",
        "[Sandbox]\nNetwork=perhaps\n",
    ])
    func `a mistake in any file is reported with its line, and no setting changes`(_ text: String) throws {
        let disk = Disk()
        var memory = InstallationMemory()
        let name = try #require(soup)
        _ = memory.app(name, in: installation, on: disk.view)
        disk.texts["/etc/apps.d/Soup.conf"] = ("[Limits]\nRuntime=6s\n", 2)
        for file in ["/etc/apps.d/Other.conf", "/etc/intentd.conf", "/etc/apps.d/Soup.conf.d/1.conf"] {
            disk.texts[file] = (text, 3)
            let problems = memory.reload(in: installation, on: disk.view)
            #expect(problems.map(\.file) == [file])
            #expect(problems.first?.line == text.split(separator: "\n", omittingEmptySubsequences: false).count - 1)
            #expect(runtime(memory.app(name, in: installation, on: disk.view)) == .seconds(5))
            #expect(memory.daemon(in: installation, on: disk.view).problems == [])
            disk.texts[file] = nil
        }
        #expect(memory.reload(in: installation, on: disk.view) == [])
        #expect(runtime(memory.app(name, in: installation, on: disk.view)) == .seconds(6))
    }

    @Test func `a file that other users can write to is a mistake as well`() throws {
        let disk = Disk()
        var memory = InstallationMemory()
        disk.isWritable = true
        let problems = memory.reload(in: installation, on: disk.view)
        #expect(problems.map(\.file) == ["/etc/apps.d/Soup.conf"])
        #expect(problems.map(\.line) == [nil])
    }

    @Test func `apps use the daemon's limits that were read together with their own settings`() throws {
        let disk = Disk()
        disk.texts["/etc/apps.d/Soup.conf"] = nil
        disk.texts["/etc/intentd.conf"] = ("[Limits]\nRuntime=3s\n", 1)
        var memory = InstallationMemory()
        let name = try #require(soup)
        #expect(memory.daemon(in: installation, on: disk.view).limits.runtime == .seconds(3))
        disk.texts["/etc/intentd.conf"] = ("[Limits]\nRuntime=4s\n", 2)
        #expect(runtime(memory.app(name, in: installation, on: disk.view)) == .seconds(3))
        #expect(memory.reload(in: installation, on: disk.view) == [])
        #expect(runtime(memory.app(name, in: installation, on: disk.view)) == .seconds(4))
    }

    @Test func `a refused app is read again at each use`() throws {
        let disk = Disk()
        var memory = InstallationMemory()
        let name = try #require(soup)
        disk.texts["/etc/apps.d/Soup.conf"] = ("[Sandbox]\nNonsense=1\n", 1)
        #expect(runtime(memory.app(name, in: installation, on: disk.view)) == nil)
        disk.texts["/etc/apps.d/Soup.conf"] = ("[Limits]\nRuntime=8s\n", 1)
        #expect(runtime(memory.app(name, in: installation, on: disk.view)) == .seconds(8))
    }
}
