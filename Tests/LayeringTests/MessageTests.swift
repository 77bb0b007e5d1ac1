import Testing

/// Tests that messages contain all their properties. The compiler accepts a property without a coding key if it has a
/// default value, as optional properties have, and such a property is never sent.
@Suite struct MessageTests {
    private static let targets = [
        "IntentSharedTypes", "IntentWorkerMessages", "IntentProtocol", "IntentLauncherMessages", "IntentAPI",
    ]

    @Test func `a message has a coding key for each stored property`() throws {
        var checkedCount = 0
        for file in try Self.targets.flatMap(Project.swiftFiles(ofTarget:)) {
            for name in file.code.compactMap(Self.nameOfStruct) {
                for body in TypeBody.all(of: name, in: file) {
                    guard let keys = Self.codingKeys(in: body) else { continue }
                    checkedCount += 1
                    let missing = body.storedProperties.filter { !keys.contains($0) }
                    #expect(missing == [], "\(file.path): \(name) never sends these properties")
                }
            }
        }
        #expect(checkedCount > 10)
    }

    @Test func `a hint ends without a full stop, like the message before it`() throws {
        for file in try Project.swiftFiles(below: "Sources") where file.text.contains("hint:") {
            for line in Self.hintsWithFullStop(in: file.lines) { Issue.record("\(file.path): \(line)") }
        }
        let lines = [
            "refuse(text, hint: \"close some.\")", "print(\".\")", "hint: isNew ? \"wait\"", "    : \"retry.\",",
            "refuse(\"Too many.\", hint: \"close some\")",
        ]
        #expect(Self.hintsWithFullStop(in: lines.map { $0[...] }) == [lines[0], lines[3]])
    }

    @Test func `keys on one line and on several lines are found`() {
        let text = """
            struct A: Codable {
                var a: Int
                var b: Int?
                private enum CodingKeys: String, CodingKey {
                    case a = "aMilliseconds"
                    case c, d
                }
            }
            struct B: Codable {
                var b: Int
                private enum CodingKeys: String, CodingKey { case b }
            }
            struct C: Codable {
                struct D: Codable {
                    private enum CodingKeys: String, CodingKey { case e }
                }
            }
            """
        let file = SourceFile(path: "A.swift", text: text)
        let keys = ["A", "B", "C"].map { TypeBody.all(of: $0, in: file).first.flatMap(Self.codingKeys) }
        #expect(keys == [["a", "c", "d"], ["b"], nil])
    }

    /// Returns the last lines of hints that end with a full stop. A hint continues on lines that begin with an operator.
    private static func hintsWithFullStop(in lines: [Substring]) -> [String] {
        var isHint = false
        return lines.compactMap { line in
            isHint = line.contains("hint:") || isHint && line.drop { $0 == " " }.first.map("?:+".contains) == true
            let end = line.reversed().drop { ",)} ".contains($0) }
            return isHint && end.starts(with: "\".") ? String(line) : nil
        }
    }

    private static func nameOfStruct(_ line: String) -> String? {
        guard line.first?.isWhitespace == false else { return nil }
        let words = SourceFile.words(of: line)
        return words.firstIndex(of: "struct").flatMap { words.dropFirst($0 + 1).first }.map(String.init)
    }

    /// The names in the body's own enumeration `CodingKeys`; nil if it has none.
    private static func codingKeys(in body: TypeBody) -> Set<String>? {
        let first = body.lines.firstIndex { $0.prefix { $0 == " " }.count == 4 && $0.contains("enum CodingKeys") }
        guard let first else { return nil }
        let last =
            body.lines[first].contains("}")
            ? first : body.lines[first...].firstIndex { $0.hasPrefix("    }") } ?? first
        let words = body.lines[first...last].flatMap { line in
            SourceFile.words(of: String(line[(line.lastIndex(of: "{") ?? line.startIndex)...]))
        }
        return Set(words.map(String.init)).subtracting(["case"])
    }
}
