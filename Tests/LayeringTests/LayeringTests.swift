import TestSupport
import Testing

@Suite(.ownThread) struct LayeringTests {
    @Test func `a target is pure, public, and imports modules of the toolchain as the architecture permits`() throws {
        let targets = try Project.targets()
        let names = Set(targets.keys)
        #expect(Layering.pureTargets.union(Layering.publicTargets).union(Layering.further.keys).isSubset(of: names))
        for (target, folder) in targets {
            let rule = Layering.rule(for: target, among: names)
            for file in try Project.swiftFiles(below: folder) {
                #expect(SourceRules.violations(in: file, under: rule) == [])
            }
        }
    }

    @Test func `an example imports only modules that a user's app may import`() throws {
        for example in try Project.names(in: "examples") where Project.isFolder("examples/\(example)") {
            let ownModules = try Project.names(in: "examples/\(example)").filter { $0.hasPrefix("C") } + [example]
            let rule = Layering.rule(forExampleWith: Set(ownModules))
            for file in try Project.swiftFiles(below: "examples/\(example)") {
                #expect(SourceRules.violations(in: file, under: rule) == [])
            }
        }
    }

    @Test func `the README of each room is short, and describes the room's targets`() throws {
        let manifest = try #require(Project.texts(below: "Package.swift").first?.text)
        for room in try Project.rooms() {
            let readme = try #require(Project.texts(below: "\(room)/README.md").first?.text, "\(room)")
            #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 41, "\(room)")
            for target in try Project.names(in: room) where Project.isFolder("\(room)/\(target)") {
                #expect(readme.contains("`\(target)`"), "\(room)/README.md does not describe '\(target)'")
                #expect(manifest.contains("\"\(target)\""), "'\(target)' is no target of Package.swift")
            }
        }
    }

    @Test func `the tests of a target are in a folder with the name of its room`() throws {
        let rooms = Dictionary(
            uniqueKeysWithValues: try Project.targets().map { ("\($0.key)Tests".lowercased(), $0.value) }
        )
        let testRooms = try Project.names(in: "Tests").filter { Project.isFolder("Sources/\($0)") }
        for room in testRooms {
            for tests in try Project.names(in: "Tests/\(room)") where tests.hasSuffix("Tests") {
                let target = rooms[tests.lowercased()]
                #expect(target == nil || target?.hasPrefix("Sources/\(room)/") == true, "\(tests)")
            }
        }
        #expect(testRooms.count == 10)
    }

    @Test func `intentctl new refuses the name of each target`() throws {
        let template = try #require(
            Project.texts(below: "Sources/Client/intentctl/Templates/PackageTemplate.swift").first?.text
        )
        for target in try Project.targets().keys where !target.contains("-") {
            #expect(template.contains("\"\(target)\""), "\(target)")
        }
    }

    /// SwiftPM refuses two targets with one name in the packages of a build.
    @Test func `an author's package can have targets with any name but ours and Apple's`() throws {
        let others = try Project.targets().keys.filter { name in
            !["Intent", "CIntent", "intent"].contains { name.hasPrefix($0) }
        }
        let products: Set = [
            "AppIntents", "AppIntentsTesting", "CoreLocation", "CoreSpotlight", "CoreTransferable", "OSLog", "SwiftUI",
            "SiriEvaluations", "SwiftUICore", "UniformTypeIdentifiers", "WidgetKit", "os",
        ]
        #expect(Set(others) == products)
    }

    @Test func `the processes of the architecture page have these names in the sources`() throws {
        let page = try #require(Project.texts(below: "Sources/README.md").first?.text)
        let tree = page.split(separator: "```").dropFirst().first ?? ""
        let names = Set(tree.matches(of: /[├└→─] (intentd[a-z-]*)/).map { String($0.1) })
        #expect(names.count == 8, "\(names)")
        let sources = try Project.texts(below: "Sources").map(\.text)
        let targets = try Project.targets()
        for name in names {
            let isProgram = targets[name] != nil
            #expect(isProgram || sources.contains { $0.contains("\"\(name)\"") }, "\(name)")
        }
    }

    @Test func `no file contains a path of the machine on which it was written`() throws {
        for place in ["Sources", "Tests", "units", "examples", "Package.swift", "README.md", ".ci"] {
            for file in try Project.texts(below: place) {
                #expect(MachineTraces.violations(path: file.path, text: file.text) == [])
            }
        }
    }
}

/// Tests that each rule finds its violations, and accepts correct code.
@Suite(.ownThread) struct SourceRulesTests {
    private let pure = Layering.Rule(modules: ["IntentLauncherMessages"], isPure: true)
    private let edge = Layering.Rule(modules: ["Glibc"])

    @Test(arguments: [
        "import Glibc", "import Foundation", "package import IntentLinux", "@preconcurrency import Dispatch",
        "import struct Foundation.URL", "let now = Date()", "func run() async {}", "await x()", "Task { }",
        "let clock = ContinuousClock()", "actor A {}", "public struct A {}", "print(1)", "x = errno",
    ])
    func `a line that a pure target must not contain is found`(_ line: String) {
        #expect(violations("\n\(line)\n", pure).count == 1)
        #expect(violations("/// \(line)\n/* \(line) */ let a = 1\nlet text = \"\(line)\"\n", pure) == [])
        #expect(violations("let text = \"\"\"\n    \(line)\n    \"\"\"\n", pure) == [])
    }

    @Test(arguments: [
        "import IntentLauncherMessages", "package import IntentLauncherMessages", "var asynchronous: TaskList",
        "let `public2` = 1",
    ])
    func `a line that a pure target may contain is accepted`(_ line: String) {
        #expect(violations(line, pure) == [])
    }

    @Test(
        arguments: [
            "final class A: @unchecked Sendable {}", "nonisolated(unsafe) var a = 1", "let a = try! f()",
            "f { [unowned self] in g() }",
        ]
    )
    func `code that the compiler does not check needs a comment with the reason`(_ line: String) {
        #expect(violations(line, edge).count == 1)
        #expect(violations("// It is fine.\n\(line)", edge).count == 1)
        #expect(violations("// SAFETY: one thread — the loop.\nlet b = 1\n\(line)", edge).count == 1)
        #expect(violations("// SAFETY: one thread — the loop.\n\(line)", edge) == [])
        #expect(violations("    // SAFETY: one thread,\n    // and no other.\n    @frozen\n    \(line)", edge) == [])
    }

    @Test(arguments: [
        #"let lines = text.split(separator: "\n")"#, #"text.components(separatedBy: "\n")"#, #"text.hasSuffix("\n")"#,
        #"text.prefix { $0 != "\n" }"#,
    ])
    func `splitting text at a line feed character is found`(_ line: String) {
        #expect(violations(line, edge).count == 1)
        #expect(violations("// \(line)", edge) == [])
    }

    @Test(arguments: [
        #"let text = lines.joined(separator: "\n")"#, #"bytes.split(separator: UInt8(ascii: "\n"))"#,
        #"text.split(whereSeparator: \.isNewline)"#,
    ])
    func `joining text with line feeds, and splitting bytes at line feeds, is accepted`(_ line: String) {
        #expect(violations(line, edge) == [])
    }

    @Test
    func `every key of the operator's files is a case with a description, and known to the check of lost line ends`()
        throws
    {
        let known = try #require(
            Project.texts(below: "Sources/Common/IntentConfiguration/UnitKeys.swift").first?.text
        )
        var keyTypes: [Substring] = []
        for file in try Project.swiftFiles(below: "Sources/Common/IntentConfiguration") {
            for line in file.lines {
                keyTypes += line.matches(of: /enum ([A-Za-z]+): String, (?:Setting|Tabled)Key/).map(\.1)
                let key = line.firstMatch(of: /case \(?(?:"[A-Z][a-zA-Z]+", )?"([A-Z][A-Za-z]+)"(?:\)|:|,)/)
                // Sections have no descriptions.
                let sections = ["App", "Access", "Limits", "History", "Notify", "Agents", "Fleet", "Web", "Sandbox"]
                if let key, !sections.contains(String(key.1)), key.1.count > 1 {
                    Issue.record("\(file.path) compares with '\(key.1)': make it a case of a SettingKey")
                }
            }
        }
        #expect(keyTypes.count == 19)
        // Keys that describe an intent are not rules that a lost line end could remove. The keys of a fleet's service
        // are in another file.
        for type in keyTypes where type != "FleetServiceKey" {
            if type.hasPrefix("Command") || type.hasPrefix("Shortcut") { continue }
            #expect(known.contains("names(\(type).self)"), "\(type) is not in UnitKeys")
        }
    }

    @Test func `a violation names its file and line`() {
        #expect(
            violations("import Glibc\n\nimport Dispatch", edge) == ["A.swift:3: 'Dispatch' must not be imported here"]
        )
        #expect(
            violations("public import Glibc", edge) == ["A.swift:1: 'public' is for AppIntents and IntentClient alone"]
        )
        #expect(violations("public import Glibc", Layering.Rule(modules: ["Glibc"], isPublic: true)) == [])
    }

    @Test(arguments: ["work", "root", "Users"])
    func `a path of one machine is found`(_ folder: String) {
        let path = "/\(folder)/"
        #expect(MachineTraces.violations(path: "x", text: "a\ncd \(path)main").count == 1)
        #expect(MachineTraces.violations(path: "x", text: "\(path)main").count == 1)
        #expect(MachineTraces.violations(path: "x", text: "ls \"\(path)main\"").count == 1)
        #expect(MachineTraces.violations(path: "x", text: "ls $base\(path) a\(path)b") == [])
    }

    private func violations(_ text: String, _ rule: Layering.Rule) -> [String] {
        SourceRules.violations(in: SourceFile(path: "A.swift", text: text), under: rule)
    }
}
