import IntentConfiguration
import IntentWire
import TestSupport
import Testing

/// intentd.conf(5) and intentd.app(5), and the form of intentd.command(5). CommandManualTests checks its keys.
@Suite(.ownThread) struct SettingsManualTests {
    private static let pages: [SettingsManual] = [.service, .app]

    private static let sections = [
        "App", "Access", "Limits", "History", "Notify", "Agents", "Fleet", "Sandbox", "Intent NAME", "Service",
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

    @Test func `every key is described in one of the pages, and not in both`() {
        let described = Self.pages.flatMap { Self.examples(in: $0.page) }
        #expect(Set(described.map(\.key)) == UnitKeys.all)
        // [History], [Limits] and [Agents] of intentd.conf have each a MaxRuns=; [Notify], [Agents] and [Fleet] have each a
        // User=.
        #expect(described.count == UnitKeys.all.count + 4)
    }

    @Test(arguments: pages)
    func `each example is accepted`(_ manual: SettingsManual) {
        for example in Self.examples(in: manual.page) {
            let problem = Self.problem(manual, example.section, example.key, example.value)
            #expect(problem == nil, "\(example)")
        }
    }

    @Test(.enabled(if: Mandoc.isInstalled, "mandoc is not installed"), arguments: SettingsManual.allCases)
    func `mandoc finds no fault in a page, and shows its name`(_ manual: SettingsManual) throws {
        #expect(try Mandoc.faults(in: manual.page) == "")
        #expect(try Mandoc.text(of: manual.page).contains(manual.rawValue.uppercased() + "(5)"))
    }

    private struct Problem: Equatable {
        var message: String

        /// True if the key does not belong there.
        var isMisplacement: Bool { message.contains("unknown key") || message.contains("belongs in") }
    }

    /// What the parser says about one line.
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
            case .found(let app): return app.problems.first.map { Problem(message: $0.message) }
            case .missing: return Problem(message: "missing")
            case .refused(let message): return Problem(message: message)
            }
        case .command, .fleet: return nil
        }
    }

    /// The listed keys of each section. A key is a tag, or alone in an item.
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

    /// Each described key has one example.
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
