import IntentConfiguration
import IntentLauncherMessages
import TestSupport
import Testing

/// Tests intentd.conf(5), intentd.app(5), and the format of intentd.command(5). CommandManualTests tests the keys of
/// intentd.command(5).
@Suite(.ownThread) struct SettingsManualTests {
    private static let pages: [SettingsManual] = [.service, .app]

    private static let sections = [
        "App", "Access", "Limits", "History", "Notify", "Agents", "Fleet", "Web", "Sandbox", "Intent NAME", "Service",
    ]

    @Test(arguments: pages)
    func `each page lists exactly the keys that the parser accepts, once in each section`(_ manual: SettingsManual) {
        let listed = Self.keys(in: manual.page)
        #expect(Set(listed.keys).isSubset(of: Self.sections))
        for section in Self.sections {
            let accepted = UnitKeys.all.filter { Self.problem(manual, section, $0, "")?.isMisplacement != true }
            #expect(listed[section, default: []].sorted() == accepted.sorted(), "[\(section)]")
        }
    }

    @Test func `every key is described on exactly one page`() {
        let described = Self.pages.flatMap { Self.examples(in: $0.page) }
        #expect(Set(described.map(\.key)) == UnitKeys.all)
        // In intentd.conf, [History], [Limits] and [Agents] each have MaxRuns=, [Limits] and [Agents] MaxWaiting=, and
        // [Notify], [Agents], [Fleet] and [Web] User=, and [Fleet] and [Web] Hosts=.
        #expect(described.count == UnitKeys.all.count + 7)
    }

    @Test(arguments: pages)
    func `each example is accepted`(_ manual: SettingsManual) {
        for example in Self.examples(in: manual.page) {
            let problem = Self.problem(manual, example.section, example.key, example.value)
            #expect(problem == nil, "\(example)")
        }
    }

    @Test(.enabled(if: Mandoc.isInstalled, "mandoc is not installed"), arguments: SettingsManual.allCases)
    func `mandoc finds no mistake in a page, and shows its name`(_ manual: SettingsManual) throws {
        #expect(try Mandoc.faults(in: manual.page) == "")
        #expect(try Mandoc.text(of: manual.page).contains(manual.rawValue.uppercased() + "(5)"))
    }

    private struct Problem: Equatable {
        var message: String

        /// True if the key is not valid in this section.
        var isMisplacement: Bool { message.contains("unknown key") || message.contains("move it from") }
    }

    /// Returns the parser's problem with one line, or nil if the line is valid.
    private static func problem(_ manual: SettingsManual, _ section: String, _ key: String, _ value: String) -> Problem?
    {
        let text = "[\(section)]\n\(key)=\(value)\n"
        var disk = FakeDisk()
        switch manual {
        case .service:
            disk.add("/etc/intentd/intentd.conf", text: text)
            let installation = Installation(appFolders: [], configurationFolders: ["/etc/intentd"], user: 0)
            return installation.daemon(on: disk.view).problems.first.map { Problem(message: $0.message) }
        case .app:
            disk.add("/apps/Soup")
            disk.add("/opt/archive/bin/archive")
            disk.add("/etc/apps.d/Soup.conf", text: text)
            let installation = Installation(appFolders: ["/apps"], unitFolders: ["/etc/apps.d"], user: 0)
            guard let name = AppName("Soup") else { return Problem(message: "invalid name") }
            switch installation.app(name, on: disk.view) {
            case .found(let app): return app.unit.problems.first.map { Problem(message: $0.message) }
            case .missing: return Problem(message: "missing")
            case .refused(let message): return Problem(message: message)
            }
        case .command, .shortcut, .fleet: return nil
        }
    }

    /// Returns the keys that the page lists, by section. A key is a tag, or the only word of an item.
    private static func keys(in page: String) -> [String: [String]] {
        var keys: [String: [String]] = [:]
        var section = ""
        var isItem = false
        for line in page.split(whereSeparator: \.isNewline) {
            if let heading = line.wholeMatch(of: /\.Sh \[(.+)\]/) {
                section = String(heading.1)
            } else if line.hasPrefix(".Sh ") {
                section = ""
            } else if let tag = line.firstMatch(of: /^\.It Cm ([A-Za-z]+) Ns =/) {
                keys[section, default: []].append(String(tag.1))
            } else if isItem, let word = line.wholeMatch(of: /\.Cm ([A-Za-z]+)=/) {
                keys[section, default: []].append(String(word.1))
            }
            isItem = line == ".It"
        }
        return keys
    }

    private struct Example {
        var section: String
        var key: String
        var value: String
    }

    /// Returns the examples. Each described key has one.
    private static func examples(in page: String) -> [Example] {
        var examples: [Example] = []
        var section = ""
        var follows = false
        for line in page.split(whereSeparator: \.isNewline) {
            if let heading = line.wholeMatch(of: /\.Sh \[(.+)\]/) { section = String(heading.1) }
            if follows, let match = line.wholeMatch(of: /\.Li ([A-Za-z]+)=(.+)/) {
                examples.append(Example(section: section, key: String(match.1), value: String(match.2)))
            }
            follows = line == ".It Example :"
        }
        return examples
    }
}
