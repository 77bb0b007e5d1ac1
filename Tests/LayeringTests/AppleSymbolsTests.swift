import Testing

/// Tests that the tables of Apple's symbols agree with the public declarations of the libraries.
@Suite struct AppleSymbolsTests {
    /// The names in each part of the article, by the part's heading.
    private static let parts: [String: [String]] = {
        let path = "Sources/Apple/AppIntents/AppIntents.docc/AppleSymbols.md"
        guard let text = try? Project.texts(below: path).first?.text else { return [:] }
        var parts: [String: [String]] = [:]
        for part in text.components(of: "\n## ").dropFirst() {
            let heading = part.prefix { $0 != "\n" }
            let isTable = part.contains("\n|---")
            let isList = heading == "Works" || !isTable
            // In a table with one symbol a row, only the first column names symbols.
            let lines = part.split(separator: "\n").dropFirst().map { line in
                isList ? line : line.split(separator: "|").first ?? ""
            }
            parts[String(heading)] = lines.flatMap { $0.matches(of: /`([^`]+)`/).map { String($0.1) } }
        }
        return parts
    }()

    private static func surface() throws -> Set<String> {
        let texts = try ["AppIntents", "AppIntentsTesting", "SiriEvaluations"].map {
            try #require(Project.texts(below: "Tests/PublicSurface/\($0).txt").first?.text)
        }
        let names = texts.flatMap { text in
            text.split(separator: "\n").compactMap { line in
                line.prefixMatch(of: #/([A-Za-z]\w*(?:\([A-Za-z_:]*\))?): /#).map { String($0.1) }
            }
        }
        return Set(names)
    }

    @Test func `every public symbol of the libraries is in one table`() throws {
        let present = ["Works", "Means this here", "Specific to Linux"].flatMap { Self.parts[$0] ?? [] }
        #expect(Set(present).count == present.count, "a symbol is listed twice")
        let surface = try Self.surface()
        #expect(surface.count > 250)
        #expect(surface.subtracting(present).sorted() == [], "add a row to AppleSymbols.md")
        #expect(Set(present).subtracting(surface).sorted() == [], "remove the row from AppleSymbols.md")
    }

    @Test func `no refused symbol is declared`() throws {
        let refused = try #require(Self.parts["Refused"])
        #expect(refused.count > 10)
        #expect(try Self.surface().intersection(refused).sorted() == [])
    }
}

extension String {
    fileprivate func components(of separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
}
