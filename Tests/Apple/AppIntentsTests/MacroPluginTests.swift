import Foundation
import Glibc
import TestSupport
import Testing

/// Tests the compiler's plugin with messages that no compiler sends. It ends with an exit status or answers, but never
/// crashes or waits.
@Suite(.ownThread) struct MacroPluginTests {
    private struct Answer {
        var output: Data
        var status: Int32
        var wasKilled: Bool
        /// The messages, without their lengths.
        var messages: [String] = []
    }

    /// Runs the plugin with this input, which ends afterwards.
    private func run(_ input: Data, readsOutput: Bool = true) throws -> Answer {
        let folder = TemporaryDirectory()
        let (source, target) = (URL(filePath: folder("in")), URL(filePath: folder("out")))
        try input.write(to: source)
        try Data().write(to: target)
        let process = Process()
        process.executableURL = URL(filePath: try AppProcess.executable("IntentMacros-tool"))
        process.standardInput = try FileHandle(forReadingFrom: source)
        let closed = Pipe()
        process.standardOutput = readsOutput ? try FileHandle(forWritingTo: target) : closed.fileHandleForWriting
        process.standardError = FileHandle.nullDevice
        if !readsOutput { try closed.fileHandleForReading.close() }
        try process.run()
        process.waitUntilExit()
        let output = try Data(contentsOf: target)
        var answer = Answer(
            output: output,
            status: process.terminationStatus,
            wasKilled: process.terminationReason == .uncaughtSignal
        )
        var rest = output[...]
        while rest.count >= 8 {
            let count = rest.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(8)
            answer.messages.append(String(decoding: rest.prefix(count), as: UTF8.self))
            rest = rest.dropFirst(count)
        }
        return answer
    }

    private func frame(_ text: String) -> Data { frame(Data(text.utf8)) }

    private func frame(_ bytes: Data) -> Data {
        Data((0..<8).map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) }) + bytes
    }

    private func request(
        _ macro: String,
        _ role: String,
        _ source: String,
        context: [String] = ["struct E {}"]
    ) throws -> Data {
        let message: [String: Any] = [
            "expandAttachedMacro": [
                "macroRole": role, "macro": ["name": macro],
                "declSyntax": ["source": source],
                "attributeSyntax": ["source": "@\(macro)", "location": ["fileName": "a.swift", "offset": 3]],
                "extendedTypeSyntax": ["source": "E"], "conformanceListSyntax": ["source": "P"],
                "lexicalContext": context.map { ["source": $0] },
            ] as [String: Any]
        ]
        return frame(try JSONSerialization.data(withJSONObject: message))
    }

    private static let malformed: [String] = [
        "", "{", "[", "}", "\"", "{\"a\"", "{\"a\":", "{\"a\":1,}", "[1,]", "[1 2]", "{1:2}", "\"\\u12\"", "\"\\uD800",
        "{} {}", "nul\"l", "{\"a\":\"\\", "\u{0}",
    ]

    @Test(arguments: malformed)
    func `malformed JSON ends the plugin with the status of a protocol error`(_ text: String) throws {
        let answer = try run(frame(text))
        #expect(!answer.wasKilled && answer.status == EX_PROTOCOL, "\(answer)")
    }

    @Test func `a message that is deeply nested, or claims an impossible length, ends the plugin`() throws {
        for opening in ["[", "{\"a\":"] {
            let answer = try run(frame(String(repeating: opening, count: 1_000_000)))
            #expect(!answer.wasKilled && answer.status == EX_PROTOCOL)
        }
        for length: UInt64 in [.max, 1 << 40, (256 << 20) + 1] {
            let answer = try run(withUnsafeBytes(of: length.littleEndian) { Data($0) } + Data("{}".utf8))
            #expect(!answer.wasKilled && answer.status == EX_PROTOCOL)
        }
    }

    @Test func `input that ends within a message ends the plugin`() throws {
        let whole = try request("ComputedProperty", "peer", "var x: Int { 1 }")
        for count in [1, 7, 8, 9, whole.count - 1] {
            let answer = try run(whole.prefix(count))
            #expect(!answer.wasKilled && answer.messages.isEmpty)
            #expect(answer.status == (count < 8 ? 0 : EX_PROTOCOL))
        }
        #expect(try run(Data()).status == 0)
    }

    @Test func `a closed output ends the plugin with a status`() throws {
        let answer = try run(frame(#"{"getCapability":{}}"#) + frame(#"{"getCapability":{}}"#), readsOutput: false)
        #expect(!answer.wasKilled && answer.status == EX_IOERR, "\(answer)")
    }

    @Test(arguments: [
        "{}", "[]", "1", "\"x\"", #"{"expandAttachedMacro":1}"#, #"{"expandAttachedMacro":{"macroRole":"peer"}}"#,
        #"{"expandFreestandingMacro":{}}"#,
    ])
    func `a message that is no request of a known kind is answered with an error`(_ text: String) throws {
        let answer = try run(frame(text) + frame(#"{"getCapability":{}}"#))
        #expect(answer.status == 0 && answer.messages.count == 2)
        #expect(answer.messages.first?.contains(#""severity":"error""#) == true)
        #expect(answer.messages.last?.contains("protocolVersion") == true)
    }

    /// Declarations that the compiler would not accept.
    private static let hostile: [String] = [
        "", "@", "@@@@", "var", "var x", "var x:", "var x: {", "var x: Int {", "var x: Int { get", "`",
        "var ` : Int { 1 }",
        "\"", "\"\\", "\"\\(", "#\"", "/*", "/* /*", "//", "enum E { case a(", "enum E { case a(x: }", "enum E { case",
        "struct",
        "class", "var x: Int { \"\\(\"\\(\"\\(", ")", "}", "]", "var (a, b): (Int, Int) { (1, 2) }", "func f() {}",
        "static var x: Int { 1 }", "var x: Int", "var \u{0}: Int { 1 }", "var 🦀: Int { 1 }",
        String(repeating: "(", count: 10_000), "var x: Int { " + String(repeating: "\"\\(", count: 10_000),
        "var x: " + String(repeating: "[", count: 10_000) + " { 1 }", String(repeating: "/*", count: 10_000),
        String(repeating: "#", count: 200_000), "var x: Int { " + String(repeating: "#", count: 200_000) + " }",
    ]

    @Test(arguments: hostile.indices)
    func `a declaration that is not Swift is answered`(_ index: Int) throws {
        let macros = [
            ("ComputedProperty", "peer"), ("AppEntity", "extension"), ("AppEntity", "memberAttribute"),
            ("UnionValue", "extension"), ("UnionValue", "member"), ("AppIntent", "x"), ("Unknown", "peer"),
            ("StoredByName", "accessor"),
        ]
        var input = Data()
        for (macro, role) in macros {
            input += try request(macro, role, Self.hostile[index], context: [Self.hostile[index]])
        }
        let answer = try run(input)
        #expect(!answer.wasKilled && answer.status == 0)
        #expect(answer.messages.count == macros.count)
        for message in answer.messages {
            let json = try? JSONSerialization.jsonObject(with: Data(message.utf8))
            #expect(json != nil, "not JSON: \(message.prefix(200))")
        }
    }

    /// Names in backquotes can contain almost every character (SE-0451).
    @Test(arguments: [
        ("ComputedProperty", "peer", #"var `x") { evil() } + ("`: Int { 1 }"#, "struct E {}"),
        ("ComputedProperty", "peer", "var x: Int { 1 }", #"struct `E") { evil() }` {}"#),
        ("StoredByName", "accessor", #"var `x"] ; evil() ; _ = self["x`: Int"#, "struct E {}"),
        ("UnionValue", "extension", #"enum E { case `a", evil(), "b`(Int) }"#, "struct E {}"),
        ("UnionValue", "member", #"enum E { case `a b`(Int) }"#, "struct E {}"),
    ])
    func `a name that could end a literal in the expansion is refused`(
        _ macro: String,
        _ role: String,
        _ source: String,
        _ context: String
    ) throws {
        let answer = try run(try request(macro, role, source, context: [context]))
        let message = try #require(answer.messages.first)
        #expect(message.contains(#""severity":"error""#) && message.contains(#""expandedSource":null"#), "\(message)")
    }

    @Test func `random changes of a request are answered or end the plugin`() throws {
        var numbers = SeededNumbers(seed: 23)
        let whole = try request("UnionValue", "extension", "enum E { case a(Int), b([String: \"x\\(1)\"]) /* c */ }")
        for _ in 0..<40 {
            var bytes = whole.dropFirst(8)
            for _ in 0..<Int.random(in: 1...8, using: &numbers) {
                let index = Int.random(in: bytes.startIndex..<bytes.endIndex, using: &numbers)
                bytes[index] = UInt8.random(in: 0...255, using: &numbers)
            }
            let answer = try run(frame(Data(bytes)))
            #expect(!answer.wasKilled, "\(String(decoding: bytes, as: UTF8.self))")
            #expect(answer.status == 0 || answer.status == EX_PROTOCOL)
        }
    }

    /// A quotation mark and a slash that a combining mark follows are not characters of their own.
    @Test(arguments: ["\u{301}", "}\u{301}", "*/\u{301}"])
    func `a combining mark in a string does not change an expansion`(_ text: String) throws {
        func expansion(_ text: String) throws -> String {
            let source = "enum E { @available(*, deprecated, message: \"\(text)\") case a(Int)\r\n case b(String) }"
            return try #require(try run(try request("UnionValue", "extension", source)).messages.first)
        }
        let expected = try expansion("x")
        #expect(try expansion(text) == expected)
        #expect(expected.contains("String"))
    }

    @Test func `the expansion of a computed property has the type, access and effects of the getter`() throws {
        let source = "@ComputedProperty public var `in`: [String : Int]? { get async throws { nil } }"
        let message = try #require(try run(try request("ComputedProperty", "peer", source)).messages.first)
        let json = try #require(try JSONSerialization.jsonObject(with: Data(message.utf8)) as? [String: Any])
        let result = try #require(json["expandMacroResult"] as? [String: Any])
        let expanded = try #require(result["expandedSource"] as? String)
        #expect(expanded.contains("public var $in: AppIntents.EntityProperty<[String : Int]?>"))
        #expect(expanded.contains("_deferred: \"in\") { try await self.`in` }"))
        #expect(expanded.contains("of entity: E)"))
    }
}
