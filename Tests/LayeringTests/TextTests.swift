import Foundation
import TestSupport
import Testing

/// Finds code that handles text as characters (grapheme clusters) instead of UTF-8 or scalars, and code that creates text
/// from unchecked bytes. See `IntentText`.
///
/// Names in a source file do not show the type of a call, so the compiler's output is searched: the object file of each
/// source file refers to the functions of the standard library that the source file uses.
@Suite(.ownThread) struct TextTests {
    /// The files that may use functions which the rule forbids, with parts of their mangled names and the reason.
    static let permitted: [String: (uses: [String], reason: String)] = [
        "IntentText/StreamSafeText.swift": (
            ["8decoding2as", "10validating2as", "7cString"], "the one place that creates text from bytes"
        ),
        "AppIntents/PredicateExpressions+LocalizedStandardContains.swift": (
            ["25localizedStandardContains"], "Apple's semantics of a search"
        ),
        "AppIntents/StringsFile.swift": (["4data8encoding"], "an app's own tables in UTF-16"),
        "IntentSharedTypes/JSONDocument.swift": (
            ["27unsafeUninitializedCapacity"], "has read that the bytes are ASCII"
        ),
        "IntentSharedTypes/Identifiers.swift": (["27unsafeUninitializedCapacity"], "digits and letters of its own"),
        "IntentFleet/Errand.swift": (["27unsafeUninitializedCapacity"], "digits of its own"),
        "AppIntents/FileExportable.swift": (["11JSONDecoder"], "checks JSON before it decodes it"),
        "AppIntents/IntentValue+Codable.swift": (["11JSONDecoder"], "decodes what it has encoded"),
        "CoreSpotlight/SearchIndexLog.swift": (["11JSONDecoder"], "decodes what the app's own code has encoded"),
        "intent-stubs/IntentStubsProgram.swift": (["9arguments"], "reads two paths, which it does not compare or hash"),
        "intentctl/Console.swift": (["8readLine"], "makes the line stream-safe"),
    ]

    @Test func `no source file handles text as characters, or creates it from unchecked bytes`() throws {
        var found: [String: Set<String>] = [:]
        for target in try Project.swiftTargets() where !Self.isPlugin(target) {
            for (file, symbols) in try Self.forbidden(inModule: target.replacing("-", with: "_")) {
                found["\(target)/\(file)"] = symbols
            }
        }
        for (file, symbols) in found.sorted(by: { $0.key < $1.key }) {
            let uses = Self.permitted[file]?.uses ?? []
            let others = symbols.filter { symbol in !uses.contains { symbol.contains($0) } }
            if !others.isEmpty { Issue.record("\(file) uses \(try Self.demangle(others.sorted()))") }
        }
        for (file, exception) in Self.permitted {
            for use in exception.uses {
                #expect(found[file]?.contains { $0.contains(use) } == true, "\(file) needs no exception for \(use)")
            }
        }
    }

    private static let calls = [
        "text.count", "text.hasPrefix(\"a\")", "text.hasSuffix(\"a\")", "text.split(separator: \",\")",
        "text.suffix(3)",
        "text.first", "text.last", "text.contains(\"a\")", "text.contains(other)", "text.replacing(\"a\", with: other)",
        "text.dropLast()", "Array(text)", "text.firstIndex(of: \"a\")", "text[text.startIndex]",
        "text.allSatisfy { $0.isNumber }", "text[...].hasPrefix(other)", "text.ranges(of: other)",
        "String(decoding: Array(text.utf8), as: UTF8.self)", "String(cString: [1, 0] as [CChar])",
        "String(validating: Array(text.utf8), as: UTF8.self)", "String(validatingCString: [1, 0] as [CChar])",
        "Substring(decoding: [97] as [UInt8], as: UTF8.self)", "String(copying: text.utf8Span)",
        "String(unsafeUninitializedCapacity: 1) { _ in 0 }", "text.map { $0 }", "text.firstMatch(of: #/a/#)",
        "text.contains(#/a/#)", "text[...].wholeMatch(of: #/a/#)", "CommandLine.arguments", "readLine()",
    ]

    private static let genericCalls = [
        "text.hasPrefix(other)", "text.hasSuffix(other)", "text.hasPrefix(\"a\")", "text[...].hasSuffix(\"a\")",
        "text.contains(\"a\")", "text.split(separator: \",\")",
    ]

    private static let callsOfFoundation = [
        "try? String(contentsOfFile: text, encoding: .utf8)", "String(data: Data(), encoding: .utf8)",
        "String(bytes: [97] as [UInt8], encoding: .utf8)", "String(utf8String: [1, 0] as [CChar])",
        "NSString(utf8String: [1, 0] as [CChar])", "text.components(separatedBy: other)", "text.range(of: other)",
        "try? JSONDecoder().decode([String].self, from: Data())", "try? JSONSerialization.jsonObject(with: Data())",
        "try? PropertyListDecoder().decode([String].self, from: Data())", "ProcessInfo.processInfo.environment",
    ]

    private static let permittedCalls = [
        "text.utf8.count", "text.utf8.starts(with: other.utf8)", "text == other", "text.unicodeScalars.suffix(3)",
        "text + other", "[text].joined(separator: other)", "text.utf8.split(separator: 44).map { Substring($0) }",
        "text.isEmpty", "Int(text)", "[text: other][other]", "text.lowercased()", "\"\\(text)\"",
    ]

    /// Each expression is compiled in a file of its own, so that the rule is known to find it.
    @Test func `the rule finds exactly the calls on characters`() throws {
        let folder = TemporaryDirectory()
        let kinds = [
            ("", "String", Self.calls), ("", "some StringProtocol", Self.genericCalls),
            ("import Foundation\n", "String", Self.callsOfFoundation), ("", "String", Self.permittedCalls),
        ]
        let sources = kinds.flatMap { imports, type, expressions in
            expressions.map { "\(imports)func call(_ text: \(type), _ other: \(type)) -> Any? { \($0) }\n" }
        }
        let files = sources.indices.map { "\(folder.path)/call\($0).swift" }
        for (index, source) in sources.enumerated() {
            // Each function has a name of its own.
            let named = source.replacing("func call", with: "func call\(index)")
            try named.write(toFile: files[index], atomically: false, encoding: .utf8)
        }
        _ = try Self.run("swiftc", ["-c", "-parse-as-library", "-module-name", "Calls"] + files, in: folder.path)
        let found = try Self.forbidden(inFiles: sources.indices.map { "\(folder.path)/call\($0).o" })
        for (index, source) in sources.enumerated() {
            let isForbidden = index < sources.count - Self.permittedCalls.count
            #expect((found["call\(index)"] != nil) == isForbidden, "\(source)")
        }
    }

    /// A plugin for the package manager or the compiler sees only sources of the package that is built.
    private static func isPlugin(_ target: String) -> Bool { ["IntentStubs", "IntentMacros"].contains(target) }

    /// The mangled names of the functions and conformances that the rule forbids, as an expression of grep(1).
    ///
    /// `SS` is String, `Ss` Substring, `SJ` Character, `Sy` StringProtocol. `ST`, `Sl`, `SK` and `Sm` are the protocols of
    /// sequences and collections (Swift's Mangling.rst).
    private static let pattern = [
        #"\$sS[Ss]((ST|Sl|SK|Sm)s(Mc|WP)|5count|5index|8distance|9formIndex|6remove|6insert|9has[PS]|ySJS|12makeIterator|8Iterator)"#,
        // Not a literal, which is also made for a scalar.
        #"\$sSJ([^3]|3[^8])"#,
        #"\$sSy(9has[PS]|sE(9has[PS]|8contains|6starts)|17_StringProcessing|10Foundation|20FoundationEss)"#,
        #"\$sS[lKmT]17_StringProcessing"#,
        // Text from bytes: String's initializers, their inlined contents, NSString's, and functions that return text.
        #"\$sS[Ss](8decoding2as|7cString|18_fromUTF8|12_tryFromUTF8|9_validate_|10validating|15validating|16validating)"#,
        #"\$sS[Ss](7copying|27unsafeUninitializedCapacity|13_decodeCString)"#,
        #"\$sSS(10Foundation|20FoundationEssentials)E(4data|5bytes|10contentsOf|14contentsOfFile)"#,
        #"\$s10Foundation8NSStringC(4data|5bytes|7cString|10utf8String|10contentsOf)"#,
        #"\$ss(8readLine|11CommandLineO9arguments)"#,
        // Decoders hash the keys of what they decode, and ProcessInfo the names of variables.
        #"\$s(10Foundation|20FoundationEssentials)(11JSONDecoder|17JSONSerialization|19PropertyListDecoder)C"#,
        #"\$s20FoundationEssentials11ProcessInfoC11environment"#,
    ].joined(separator: "|")

    /// Returns the forbidden references of each source file of a module that the build of these tests compiled.
    private static func forbidden(inModule module: String) throws -> [String: Set<String>] {
        let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "\(module).build")
        let files = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
            .filter { $0.hasSuffix(".swift.o") }
        try #require(!files.isEmpty, "no object file in \(folder.path)")
        return try forbidden(inFiles: files.map { "\(folder.path)/\($0)" })
    }

    private static func forbidden(inFiles files: [String]) throws -> [String: Set<String>] {
        let script = #"nm --undefined-only --print-file-name "$@" | grep -E " ($0)" || true"#
        var found: [String: Set<String>] = [:]
        // "FOLDER/FILE.o:                  U SYMBOL"
        for line in try run("sh", ["-c", script, pattern] + files).split(separator: "\n") {
            let words = line.split(separator: " ")
            // A property's descriptor refers to no code.
            guard let file = words.first?.split(separator: "/").last?.dropLast(".o:".count), let symbol = words.last,
                !symbol.hasSuffix("MV"), !symbol.contains("10IntentText")
            else { continue }
            found[String(file), default: []].insert(String(symbol))
        }
        return found
    }

    private static func demangle(_ symbols: [String]) throws -> String {
        try run("swift", ["demangle", "--compact"] + symbols).split(separator: "\n").joined(separator: "; ")
    }

    private static func run(_ program: String, _ arguments: [String], in folder: String = "/") throws -> String {
        let process = Process()
        process.currentDirectoryURL = URL(filePath: folder)
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(program) failed")
        return text
    }
}
