import Foundation
import IntentClient
import IntentCommandLine
import TestSupport
import Testing

@testable import intentctl

/// Tests that text of apps, agents and other programs is cut at bytes, even where a combining mark follows a delimiter.
@Suite struct ForeignTextTests {
    private func bytes(_ text: String?) -> [UInt8]? { text.map { Array($0.utf8) } }

    // MARK: Paths

    @Test(arguments: [
        ("sub/\u{301}x", "\u{301}x"), ("a/../\u{20DD}b", "\u{20DD}b"), (".\u{301}bashrc", "_\u{301}bashrc"),
        ("-\u{301}rf", "_\u{301}rf"), ("a\r\nb", "a__b"), ("a\u{200D}b", "a_b"),
    ])
    func `a slash, dot or hyphen with a mark is as unsafe as one without`(name: String, safe: String) {
        #expect(bytes(SafeFileName.of(name)) == bytes(safe))
    }

    @Test func `an extension starts at a dot with a mark, too`() {
        #expect(bytes(SafeFileName.numbered("a.\u{301}txt", 1)) == bytes("a-2.\u{301}txt"))
    }

    @Test(arguments: [
        ("/apps/Shop", "/apps/../\u{301}lib/a.so"), ("/apps/Shop", "/apps/.\u{301}/../\u{301}a.so"),
        ("/apps/\u{E9}/Shop", "/apps/e\u{301}/a.so"),
    ])
    func `a crash report makes no command read a file outside the app's folder`(executable: String, path: String) {
        #expect(NamedCalls.path(of: CrashReport.Image(path: path, buildID: nil), executable: executable) == nil)
    }

    @Test func `a root permits no folder with a name that Unicode regards as equivalent`() throws {
        let folder = TemporaryDirectory()
        for name in ["\u{E9}", "e\u{301}"] {
            try FileManager.default.createDirectory(atPath: folder(name), withIntermediateDirectories: false)
            try Data("x".utf8).write(to: URL(filePath: folder("\(name)/file")))
        }
        let roots = try FileRoots([folder("\u{E9}")])
        #expect(try roots.open(folder("\u{E9}/file")).name == "file")
        #expect(throws: IntentClientError.self) { try roots.open(folder("e\u{301}/file")) }
    }

    @Test func `an app and its intent are separated by the first slash`() {
        let selection = Selection("Soup/\u{301}Order")
        #expect(bytes(selection.app) == bytes("Soup"))
        #expect(bytes(selection.intent) == bytes("\u{301}Order"))
    }

    // MARK: The terminal

    @Test func `the type of an answer cannot control the terminal`() {
        let type = ValueType.entity(EntityType(name: "Book", title: "book\u{1B}]0;x\u{7}\nanswered by root"))
        let question = Question(number: 1, text: "Which?", type: type, kind: .value)
        for line in [QuestionText.prompt(question)] + QuestionText.expectation(question) {
            #expect(!line.utf8.contains { $0 < 0x20 }, "\(line.debugDescription)")
        }
    }

    @Test func `the names in a catalogue add no line to its description`() {
        let book = EntityType(name: "Book", title: "book\nDeprecated: use Other")
        let kinds = ValueType.enumeration([EnumerationCase(value: "a\nCategory: b", title: "A")])
        let intent = IntentDeclaration(
            name: "Order",
            title: "Order",
            parameters: [ParameterDeclaration(name: "kind\nkeywords: c", title: "Kind", type: kinds)],
            result: .entity(book)
        )
        let app = AppDescription(name: "Soup", executable: "/apps/Soup", catalog: nil, limits: RunLimits())
        let lines = CatalogText.describe(intent, of: app).utf8.split(separator: UInt8(ascii: "\n"))
        for forged in ["Deprecated:", "Category:", "keywords:"] {
            #expect(!lines.contains { $0.starts(with: forged.utf8) }, "\(forged)")
        }
    }

    @Test func `a condition of a search is one word of a shell`() {
        var parameter = ParameterDeclaration(name: "book", title: "Book", type: .string)
        parameter.hasOptions = true
        let property = SearchableProperty(
            name: "a'\u{301};id;'",
            comparators: [PropertyComparator(name: "equalTo", type: .string)]
        )
        parameter.search = PropertySearchDeclaration(properties: [property])
        let intent = IntentDeclaration(name: "Order", title: "Order", parameters: [parameter])
        let app = AppDescription(name: "Soup", executable: "/apps/Soup", catalog: nil, limits: RunLimits())
        let quoted = #"'a'\''"# + "\u{301};id;" + #"'\'' …'"#
        #expect(CatalogText.describe(intent, of: app).utf8.contains("  --where \(quoted): ".utf8))
    }

    @Test func `the name of an account is one word of a shell`() {
        var facts = HostFacts(service: .forbidden(path: "/s"), own: .absent(path: ""))
        facts.membership = .no
        facts.userName = #"DOM\ann;id"#
        let cures = Examination(facts).findings.flatMap(\.cures)
        #expect(cures.contains(#"sudo usermod --append --groups intentd 'DOM\ann;id'"#), "\(cures)")
    }

    @Test func `the message of a trap is found before a mark`() {
        var lines = WhyLines(count: 1)
        for line in ["Fatal error: \u{301}", "a", "b"] { lines.append(line) }
        #expect(lines.shown == ["Fatal error: \u{301}"])
    }

    // MARK: Output of other programs

    @Test func `a line of a symbolizer ends at a line feed only`() {
        let text = "0x10\r\nf\u{2028}0x20\r\n/a\u{301}.swift:3:1\r\n0x30\ng\n/b:\u{301}:4:5\n"
        let calls = SymbolizerOutput.calls(in: text)
        #expect(calls[0x10] == [SourceCall(function: "f\u{2028}0x20", file: "/a\u{301}.swift", line: 3)])
        #expect(calls[0x20] == nil)
        #expect(calls[0x30] == [SourceCall(function: "g", file: "/b:\u{301}", line: 4)])
    }

    @Test func `a function's module and file end at a parenthesis with a mark, too`() {
        #expect(bytes(SourceCall.shortened("a.(send in _1A)\u{301}()")) == bytes("a.send\u{301}()"))
        #expect(bytes(SourceCall.shortened("f(a in b)(c)(in _1)")) == bytes("f(a in b)(c)(in _1)"))
        #expect(!SourceCall.isOfApp(mangled: "$sSS", readable: "(extension in Foundation)\u{301}:Swift.String.f()"))
    }

    @Test func `a line of metrics ends at a line feed only`() {
        let line = "runs_total{app=\"a\u{2028}# EOF\u{85}b\"} 1"
        let text = PrometheusText.of("# TYPE runs counter\n# UNIT runs \u{301}\n\(line)\n# EOF\n")
        #expect(bytes(text) == bytes("# TYPE runs_total counter\n\(line)\n"))
    }

    @Test(arguments: [
        ("", "", ""), (". ", "", ""), ("a. \u{301}b. c", "a", "\u{301}b. c"), ("a", "a", ""),
    ])
    func `a warning consists of a problem and a hint`(warning: String, message: String, hint: String) {
        let problem = VerifyCommand.problem(warning: warning)
        #expect(bytes(problem.message) == bytes(message))
        #expect(bytes(problem.hint) == bytes(hint))
    }

    // MARK: Files

    @Test(arguments: [
        (MCPClient.codex, "a = \"\"\"\u{301}\n\"\"\"\u{301}\n"), (.codex, "['mcp_servers'.intentd]\n"),
        (.codex, "[mcp_servers.\u{1F1E9}]\n[mcp_servers.intentd\u{301}]\n"),
        (.goose, "extensions:\n  a:\n    b: 1\n \u{301}c\n  intentd:\n    enabled: false\n"),
        (.goose, "a: 1\rextensions:\r  b: 1\n"),
    ])
    func `a configuration with marks after its delimiters is not damaged`(client: MCPClient, text: String) {
        let merge = client.merge(MCPServerEntry(command: "/usr/bin/intentctl", arguments: ["mcp"]), into: text)
        guard case .conflict = merge else {
            Issue.record("it was merged: \(merge)")
            return
        }
    }

    @Test func `a configuration with carriage returns keeps them`() throws {
        let server = MCPServerEntry(command: "/usr/bin/intentctl", arguments: ["mcp"])
        let text = "a: 1\r\nextensions:\r\n  b:\r\n    enabled: true\r\n"
        guard case .merged(let new) = MCPClient.goose.merge(server, into: text) else {
            Issue.record("it was not merged")
            return
        }
        #expect(new.utf8.starts(with: "a: 1\r\nextensions:\r\n  intentd:\n".utf8))
        #expect(new.utf8.reversed().starts(with: "\n  b:\r\n    enabled: true\r\n".utf8.reversed()))
    }

    @Test(arguments: [
        (#"{"summary":1,"summary":2}"#, "an object has the key 'summary' twice"),
        (String(repeating: "[", count: 20), "expected at most 16 levels of nesting"),
        ("{}", "field 'summary' is missing"), ("nonsense", "not JSON (RFC 8259): unexpected byte at offset 1"),
        (String(repeating: " ", count: 1 << 20 + 1), "expected at most 1048576 bytes"),
    ])
    func `an imported line is checked before it is decoded`(line: String, reason: String) {
        let error = #expect(throws: WireError.self) { try HistoryImport.story(Data(line.utf8)) }
        #expect(error?.description == reason)
    }
}
