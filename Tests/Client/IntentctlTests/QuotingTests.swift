import Foundation
import IntentClient
import IntentCommandLine
import IntentLinux
import TestSupport
import Testing

@testable import intentctl

/// Tests that each function that quotes text does so for every delimiter, whatever follows it. The functions of other
/// targets have tests of this kind beside them: GrantCheck and OpenMetricsText in PolicyTests, TemplateText in
/// ArgumentTests, SwiftName in StubSourceTests, SQL identifiers and names of tools in ForeignTextTests.
@Suite struct QuotingTests {
    private func shell(_ command: String) throws -> [UInt8] {
        let (text, isSuccess) = try ChildProcess.output(of: "/bin/sh", arguments: ["-c", command])
        #expect(isSuccess)
        return Array(text.utf8)
    }

    @Test func `a shell reads quoted words as they are`() throws {
        // A word that ends another one would become a command of its own.
        let words = HostileText.all.map(ShellWord.quote).joined(separator: " ")
        #expect(try shell("printf '%s.' \(words)") == Array(HostileText.all.map { $0 + "." }.joined().utf8))
    }

    @Test func `the name of a parameter in an example is one word of a shell`() throws {
        for name in HostileText.around("'") + HostileText.around(" ") {
            let example = ParameterDeclaration(name: name, title: "x", type: .string).example
            let option = Array("--\(ParameterName.kebab(name))\n".utf8)
            #expect(try shell("printf '%s\\n' \(example)").starts(with: option), "\(example)")
        }
    }

    @Test func `a shell on another host reads each word of a command as it is`() throws {
        for text in HostileText.all where !text.utf8.contains(UInt8(ascii: "\n")) {
            let invocation = try InvocationParser.parse(["--host", "web1", "--socket", "/\(text)", "list"])
            let command = RemoteHost.program(invocation)
            #expect(try shell("printf '%s.' \(command)") == Array("intentctl.--socket./\(text).".utf8), "\(command)")
        }
    }

    @Test(arguments: HostileText.all)
    func `systemd reads a quoted word as it is, and expands nothing in it`(text: String) throws {
        let quoted = UnitWord.quote(text)
        #expect(HostileText.isOneLiteral(quoted))
        // The escapes of systemd.syntax(7), then specifiers and variables, each of which is doubled.
        var rest = quoted.utf8.dropFirst().dropLast()
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\\"):
                let kind = rest.popFirst() ?? 0
                if kind == UInt8(ascii: "x") {
                    let digits = Substring(rest.prefix(2))
                    bytes.append(try #require(UInt8(digits, radix: 16)))
                    rest = rest.dropFirst(2)
                } else {
                    #expect(kind == UInt8(ascii: "\\") || kind == UInt8(ascii: "\""))
                    bytes.append(kind)
                }
            case UInt8(ascii: "%"), UInt8(ascii: "$"):
                #expect(rest.popFirst() == byte)
                bytes.append(byte)
            default: bytes.append(byte)
            }
        }
        #expect(bytes == Array(text.utf8))
    }

    @Test(arguments: HostileText.all)
    func `JSON, TOML and YAML read a quoted text as it is`(text: String) throws {
        let json = JSONValue.string(text).text()
        #expect(HostileText.isOneLiteral(json))
        let decoded = try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
        #expect((decoded as? String)?.utf8.elementsEqual(text.utf8) == true)
        let server = MCPServerEntry(command: text, arguments: [text])
        for client in [MCPClient.codex, .goose] {
            guard case .merged(let file) = client.merge(server, into: "") else {
                Issue.record("it was not merged")
                continue
            }
            let lines = file.utf8.split(separator: UInt8(ascii: "\n")).map { String(Substring($0)) }
            #expect(lines.count { $0.contains(utf8: json) } == 2 && !file.utf8.contains(UInt8(ascii: "\r")))
        }
    }

    @Test(arguments: HostileText.all)
    func `a Swift literal ends at its own quotation mark`(text: String) throws {
        let manifest = try #require(PackageTemplate(name: "A", package: "/\(text)").files.first?.text)
        let line = try #require(manifest.cut(utf8: "path: ")).after.utf8.prefix { $0 != UInt8(ascii: "\n") }
        let end = try #require(line.lastIndex(of: UInt8(ascii: ")")))
        #expect(HostileText.isOneLiteral(String(Substring(line[..<end]))), "\(Substring(line))")
    }

    @Test(arguments: HostileText.all)
    func `a word that a shell cannot insert on one line is not offered`(text: String) {
        var completion = Completion(["describe", ""])
        let intents = [IntentDeclaration(name: text, title: text)]
        let catalog = IntentCatalog(intents: intents)
        completion.add([AppDescription(name: "Soup", executable: "/apps/Soup", catalog: catalog, limits: RunLimits())])
        for candidate in completion.candidates {
            #expect(candidate.word.utf8.elementsEqual("Soup/\(text)".utf8))
            #expect(
                !"\(candidate.word)\(candidate.explanation)".unicodeScalars.contains { $0.isLineBreak || $0 == "\t" }
            )
        }
    }

    @Test(arguments: HostileText.all)
    func `text for a terminal has no control character, and a line no line break`(text: String) {
        #expect(!SafeText.line(text).unicodeScalars.contains(where: SafeText.isInvisible))
        let printed = SafeText.printed(text).unicodeScalars.filter { $0 != "\n" && $0 != "\t" }
        #expect(!printed.contains(where: SafeText.isInvisible))
    }
}
