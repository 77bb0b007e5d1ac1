import IntentLauncherMessages
import Testing

@testable import AppIntents

/// Tests `@IntentParameterDependency` in the queries of entities.
@Suite struct ParameterDependencyTests {
    @Test(arguments: [["Emma": "emma/1"], ["Ulysses": "ulysses/1"]])
    func `an entity's query reads the intent's other parameters, also those that follow`(_ given: [String: String])
        async throws
    {
        let (book, chapter) = try #require(given.first)
        let intent = ReadChapter()
        try await intent.prepare(["chapter": .string(chapter), "book": .string(book)])
        #expect(intent.chapter.id == chapter)
        #expect(intent.chapter.book == book)
    }

    @Test func `an id that does not belong to the other parameter's value is refused`() async throws {
        let error = await #expect(throws: RunError.self) {
            try await ReadChapter().prepare(["chapter": .string("emma/1"), "book": .string("Ulysses")])
        }
        #expect(error?.code == "badParameter")
    }

    @Test(arguments: [nil, "ulysses"])
    func `the options of an entity depend on the intent's other parameters`(_ text: String?) async throws {
        var query = OptionsQuery(parameter: "chapter")
        query.text = text
        let ending = await ReadChapter.options(query, values: ["book": .string("Ulysses")], files: IncomingFiles())
        guard case .returned(.array(let options)?, _) = ending.result.ending else {
            Issue.record("no options: \(ending.result.ending)")
            return
        }
        let ids = options.compactMap { option -> IntentLauncherMessages.IntentValue? in
            if case .object(let members) = option { members["value"] } else { nil }
        }
        #expect(ids == [.string("ulysses/1"), .string("ulysses/2")])
    }

    @Test func `intents that run at the same time do not see each other's parameters in a shared query`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                let (book, chapter) = number.isMultiple(of: 2) ? ("Emma", "emma/2") : ("Ulysses", "ulysses/2")
                group.addTask {
                    let intent = ReadChapter()
                    try await intent.prepare(["chapter": .string(chapter), "book": .string(book)])
                    #expect(intent.chapter.book == book)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `parameters that depend on each other are set in their order`() async throws {
        let intent = Circle()
        try await intent.prepare(["second": .string("b"), "first": .string("a")])
        #expect(intent.first.id == "a")
        #expect(intent.second.id == "b")
    }
}

private struct ReadChapter: AppIntent {
    static let title: LocalizedStringResource = "Read"
    @Parameter(title: "Chapter") var chapter: Chapter
    @Parameter(title: "Book") var book: String

    func perform() async throws -> some IntentResult { .result() }
}

private struct Chapter: AppEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Chapter"
    // One query for all intents of the process.
    static let defaultQuery = Chapters()
    let id: String
    let book: String
    var displayRepresentation: DisplayRepresentation { "\(id)" }
}

private struct Chapters: EntityStringQuery {
    @IntentParameterDependency<ReadChapter>(\.$book) var reading

    private func all() async -> [Chapter] {
        guard let reading else { return [] }
        let book = reading.book
        await Task.yield()
        return (1...2).map { Chapter(id: "\(book.lowercased())/\($0)", book: book) }
    }

    func entities(for identifiers: [String]) async throws -> [Chapter] {
        await all().filter { identifiers.contains($0.id) }
    }
    func entities(matching string: String) async throws -> [Chapter] { await all().filter { $0.id.contains(string) } }
    func suggestedEntities() async throws -> [Chapter] { await all() }
}

private struct Circle: AppIntent {
    static let title: LocalizedStringResource = "Circle"
    @Parameter(title: "First") var first: Point
    @Parameter(title: "Second") var second: Spot

    func perform() async throws -> some IntentResult { .result() }
}

private struct Point: AppEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Point"
    static let defaultQuery = Firsts()
    let id: String
    var displayRepresentation: DisplayRepresentation { "\(id)" }
}

private struct Spot: AppEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Spot"
    static let defaultQuery = Seconds()
    let id: String
    var displayRepresentation: DisplayRepresentation { "\(id)" }
}

private struct Firsts: EntityQuery {
    @IntentParameterDependency<Circle>(\.$second) var circle
    func entities(for identifiers: [String]) async throws -> [Point] { identifiers.map(Point.init) }
}

private struct Seconds: EntityQuery {
    @IntentParameterDependency<Circle>(\.$first) var circle
    func entities(for identifiers: [String]) async throws -> [Spot] { identifiers.map(Spot.init) }
}
