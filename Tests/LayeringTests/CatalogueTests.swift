import Testing

@Suite struct CatalogueTests {
    @Test func `the documentation of AppIntents lists every public type by topic`() throws {
        let surface = try #require(Project.texts(below: "Tests/PublicSurface/AppIntents.txt").first?.text)
        let page = try #require(Project.texts(below: "Sources/AppIntents/AppIntents.docc/AppIntents.md").first?.text)
        let listed = Set(page.matches(of: /- ``([^`]+)``/).map { String($0.1) })
        // A line is "Path.to.declaration: its spelling". Names with an underscore are not for apps.
        let types = surface.split(whereSeparator: \.isNewline).compactMap { line -> String? in
            let path = line.prefix { $0 != ":" }
            return path.contains(".") || path.contains("(") || path.hasPrefix("_") ? nil : String(path)
        }
        #expect(types.count > 150)
        #expect(types.filter { !listed.contains($0) } == [])
        #expect(listed.filter { name in !name.contains("(") && !types.contains(name) } == [])
    }
}
