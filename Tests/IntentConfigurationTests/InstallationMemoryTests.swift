import IntentConfiguration
import IntentWire
import Testing

@Suite struct InstallationMemoryTests {
    /// A disk whose files tests change, and that counts how often a text was read.
    private final class Disk {
        var texts: [String: (text: String, time: Int64)] = ["/etc/apps.d/Soup.conf": ("[Limits]\nRuntime=5s\n", 1)]
        var time: Int64 = 1
        var readCount = 0

        var view: DiskView {
            DiskView(
                facts: { [self] path in
                    if path == "/apps/Soup" { return facts(permissions: 0o755, time: time) }
                    return texts[path].map { facts(permissions: 0o644, time: $0.time) }
                },
                text: { [self] path in
                    readCount += 1
                    return texts[path]?.text
                },
                names: { [self] folder in
                    texts.keys.filter { $0.hasPrefix(folder + "/") }.map { String($0.dropFirst(folder.count + 1)) }
                        .sorted()
                }
            )
        }

        private func facts(permissions: UInt32, time: Int64) -> FileFacts {
            FileFacts(isRegular: true, isFolder: false, owner: 0, permissions: permissions, modifiedNanoseconds: time)
        }
    }

    private let installation = Installation(appFolders: ["/apps"], unitFolders: ["/etc/apps.d"], user: 0)
    private let soup = AppName("Soup")

    private func runtime(_ search: AppSearch) -> Duration? {
        if case .found(let settings) = search { return settings.limits.runtime }
        return nil
    }

    @Test func `files that have not changed are not read again`() throws {
        let disk = Disk()
        var memory = InstallationMemory()
        let name = try #require(soup)
        #expect(runtime(memory.app(name, in: installation, on: disk.view)) == .seconds(5))
        let count = disk.readCount
        #expect(runtime(memory.app(name, in: installation, on: disk.view)) == .seconds(5))
        #expect(disk.readCount == count)
    }

    @Test func `a file that was changed, added or removed is seen at once`() throws {
        let disk = Disk()
        var memory = InstallationMemory()
        let name = try #require(soup)
        _ = memory.app(name, in: installation, on: disk.view)
        disk.texts["/etc/apps.d/Soup.conf"] = ("[Limits]\nRuntime=6s\n", 2)
        #expect(runtime(memory.app(name, in: installation, on: disk.view)) == .seconds(6))
        disk.texts["/etc/apps.d/Soup.conf.d/1.conf"] = ("[Limits]\nRuntime=7s\n", 3)
        #expect(runtime(memory.app(name, in: installation, on: disk.view)) == .seconds(7))
        disk.texts["/etc/apps.d/Soup.conf.d/1.conf"] = nil
        #expect(runtime(memory.app(name, in: installation, on: disk.view)) == .seconds(6))
        disk.time = 9
        guard case .found(let settings) = memory.app(name, in: installation, on: disk.view) else {
            Issue.record("it is there")
            return
        }
        #expect(settings.facts.modifiedNanoseconds == 9)
    }

    @Test func `what is refused is looked at anew each time`() throws {
        let disk = Disk()
        var memory = InstallationMemory()
        let name = try #require(soup)
        disk.texts["/etc/apps.d/Soup.conf"] = ("[Sandbox]\nNonsense=1\n", 1)
        #expect(runtime(memory.app(name, in: installation, on: disk.view)) == nil)
        disk.texts["/etc/apps.d/Soup.conf"] = ("[Limits]\nRuntime=8s\n", 1)
        #expect(runtime(memory.app(name, in: installation, on: disk.view)) == .seconds(8))
    }
}
