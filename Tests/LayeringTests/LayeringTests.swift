import TestSupport
import Testing

@Suite(.ownThread) struct LayeringTests {
    @Test(arguments: Layering.rules.keys.sorted())
    func `a target imports only the modules that the architecture permits`(target: String) throws {
        let rule = try #require(Layering.rules[target])
        let files = try Project.swiftFiles(below: "Sources/\(target)")
        #expect(!files.isEmpty)
        #expect(files.flatMap { SourceRules.violations(in: $0, under: rule) } == [])
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

    @Test func `the folders, the package and the table of rules have the same targets`() throws {
        let folders = Set(try Project.names(in: "Sources").filter { Project.isFolder("Sources/\($0)") })
        #expect(folders == Set(Layering.rules.keys).union(Layering.foreignTargets))
        let manifest = try #require(Project.texts(below: "Package.swift").first?.text)
        for folder in folders {
            #expect(manifest.contains("name: \"\(folder)\""), "'\(folder)' is no target of Package.swift")
        }
        for folder in try Project.names(in: "Tests") where folder.hasSuffix("Tests") {
            #expect(manifest.contains("name: \"\(folder)\""), "'\(folder)' is no target of Package.swift")
        }
        for (target, rule) in Layering.rules {
            for dependency in Self.dependencies(of: target, in: manifest) {
                #expect(rule.modules.contains(dependency), "\(target) depends on \(dependency) in Package.swift")
            }
        }
    }

    @Test func `intentctl new refuses the name of each target`() throws {
        let template = try #require(
            Project.texts(below: "Sources/intentctl/Templates/PackageTemplate.swift").first?.text
        )
        for target in Set(Layering.rules.keys).union(Layering.foreignTargets) where !target.contains("-") {
            #expect(template.contains("\"\(target)\""), "\(target)")
        }
    }

    @Test func `the architecture page has the targets and dependencies of the package`() throws {
        let manifest = try #require(Project.texts(below: "Package.swift").first?.text)
        let page = try #require(Project.texts(below: "Sources/README.md").first?.text)
        var pageTargets: Set<String> = []
        for row in page.matches(of: /\n\| `([^`]+)` \| [^|]+ \| ?([^|]*)\|/) {
            let dependencies = Set(row.2.matches(of: /`([^`]+)`/).map { String($0.1) })
            pageTargets.insert(String(row.1))
            #expect(Set(Self.dependencies(of: String(row.1), in: manifest)) == dependencies, "\(row.1)")
        }
        #expect(pageTargets == Set(Layering.rules.keys).union(Layering.foreignTargets))
    }

    @Test func `the processes of the architecture page have these names in the sources`() throws {
        let page = try #require(Project.texts(below: "Sources/README.md").first?.text)
        let tree = page.split(separator: "```").dropFirst().first ?? ""
        let names = Set(tree.matches(of: /[├└→─] (intentd[a-z-]*)/).map { String($0.1) })
        #expect(names.count == 6, "\(names)")
        let sources = try Project.texts(below: "Sources").map(\.text)
        for name in names {
            let isProgram = Project.isFolder("Sources/\(name)")
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

    /// The dependencies that the manifest lists for a target.
    private static func dependencies(of target: String, in manifest: String) -> [String] {
        guard
            let name = manifest.firstRange(of: "arget(\n            name: \"\(target)\",")
                ?? manifest.firstRange(of: "arget(name: \"\(target)\",")
                ?? manifest.firstRange(
                    of: ".plugin(\n            name: \"\(target)\",\n            capability: .buildTool(),"
                )
        else { return [] }
        let declaration = manifest[name.upperBound...].prefix { $0 != ")" }
        guard let list = declaration.firstRange(of: "dependencies: [") else { return [] }
        return declaration[list.upperBound...].prefix { $0 != "]" }
            .split(separator: ",").map { $0.filter { $0.isLetter || $0.isNumber || $0 == "-" } }.filter { !$0.isEmpty }
    }
}

/// Tests that each rule finds its violations, and accepts correct code.
@Suite(.ownThread) struct SourceRulesTests {
    private let pure = Layering.Rule(modules: ["IntentWire"], isPure: true)
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
        "import IntentWire", "package import IntentWire", "var asynchronous: TaskList", "let `public2` = 1",
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
            Project.texts(below: "Sources/IntentConfiguration/UnitKeys.swift").first?.text
        )
        var keyTypes: [Substring] = []
        for file in try Project.swiftFiles(below: "Sources/IntentConfiguration") {
            for line in file.lines {
                keyTypes += line.matches(of: /enum ([A-Za-z]+): String, SettingKey/).map(\.1)
                let key = line.firstMatch(of: /case \(?(?:"[A-Z][a-zA-Z]+", )?"([A-Z][A-Za-z]+)"(?:\)|:|,)/)
                // Sections have no descriptions.
                let sections = ["App", "Access", "Limits", "History", "Notify", "Agents", "Fleet", "Sandbox"]
                if let key, !sections.contains(String(key.1)), key.1.count > 1 {
                    Issue.record("\(file.path) compares with '\(key.1)': make it a case of a SettingKey")
                }
            }
        }
        #expect(keyTypes.count == 15)
        // Keys that describe an intent are not rules that a lost line end could remove. The keys of a fleet's service
        // are in another file.
        for type in keyTypes where !type.hasPrefix("Command") && type != "FleetServiceKey" {
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
