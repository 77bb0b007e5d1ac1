import Testing

@Suite struct CatalogueTests {
    @Test(arguments: [
        ("AppIntents", ["AppIntents"], 150),
        ("AppIntentsTesting", ["AppIntentsTesting"], 20),
        // IntentClient re-exports IntentProtocol, which re-exports IntentSharedTypes.
        ("IntentClient", ["IntentClient", "IntentProtocol", "IntentSharedTypes"], 80),
    ])
    func `the documentation of a library lists every public type by topic`(
        _ library: String,
        modules: [String],
        atLeast count: Int
    ) throws {
        let folder = try #require(Project.targets()[library])
        let page = try #require(Project.texts(below: "\(folder)/\(library).docc/\(library).md").first?.text)
        let listed = page.matches(of: /- ``([^`]+)``/).map { String($0.1) }
        let types = try modules.flatMap(Self.publicTypes)
        #expect(types.count > count)
        #expect(types.filter { !listed.contains($0) } == [])
        #expect(listed.filter { !$0.contains("(") && !types.contains($0) } == [])
        #expect(Set(listed).count == listed.count, "a type is listed twice")
    }

    @Test func `the code in the articles of IntentClient is the code that tests run`() throws {
        let tests = try [
            "Tests/EndToEndTests/ClientArticleTests.swift", "Tests/Client/IntentStubsTests/CallArticleTests.swift",
        ].map { try #require(Project.texts(below: $0).first?.text) }
        let articles = try Project.texts(below: "Sources/Client/IntentClient/IntentClient.docc")
        let blocks = articles.flatMap { $0.text.matches(of: /```swift\n((?s).*?)```/).map { String($0.1) } }
            .filter { !$0.hasPrefix("// Package.swift") }
            .map { $0.replacing("import IntentClient\n\n", with: "") }
        #expect(blocks.count >= 9)
        #expect(blocks.filter { block in !tests.contains { $0.contains(block) } } == [])
    }

    @Test func `the code in the article about state is the code of an app that tests run`() throws {
        let sources = try Project.texts(below: "Tests/Apps/Ledger").map(\.text)
        let article = try #require(
            Project.texts(below: "Sources/Apple/AppIntents/AppIntents.docc/StateAndConcurrency.md").first?.text
        )
        let blocks = article.matches(of: /```swift\n((?s).*?)```/).map { String($0.1) }
            .filter { !$0.hasPrefix("// Package.swift") }
        #expect(blocks.count >= 6)
        #expect(blocks.filter { block in !sources.contains { $0.contains(block) } } == [])
    }

    @Test func `the code in the guide about tests equals the code of executed tests`() throws {
        let tests = try [
            "examples/Invoices/Tests/InvoicesTests.swift", "Tests/EndToEndTests/IntentDefinitionsTests.swift",
        ].map { try #require(Project.texts(below: $0).first?.text) }
        let guide = try #require(
            Project.texts(below: "Sources/Testing/AppIntentsTesting/AppIntentsTesting.docc/TestingIntents.md").first?
                .text
        )
        let blocks = guide.matches(of: /```swift\n((?s).*?)```/).map { String($0.1) }
        #expect(blocks.count >= 7)
        #expect(blocks.filter { block in !tests.contains { $0.contains(block) } } == [])
    }

    /// Returns the public types of a module, except for names with a leading underscore.
    private static func publicTypes(of module: String) throws -> [String] {
        let surface = try #require(Project.texts(below: "Tests/PublicSurface/\(module).txt").first?.text)
        // A line is "Path.to.declaration: its spelling".
        return surface.split(whereSeparator: \.isNewline).compactMap { line -> String? in
            let path = line.prefix { $0 != ":" }
            return path.contains(".") || path.contains("(") || path.hasPrefix("_") ? nil : String(path)
        }
    }
}
