import AppIntents
import AppIntentsTesting
import Testing

/// An album that other people may see, depending on its id.
struct SharedAlbum: OwnershipProvidingEntity {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Album"
    static let defaultQuery = SharedAlbumQuery()

    let id: String
    var ownership: EntityOwnership {
        var ownership: EntityOwnership = []
        if id.contains("s") { ownership.insert(.shared) }
        if id.contains("p") { ownership.insert(.public) }
        return ownership
    }
    var displayRepresentation: DisplayRepresentation { "Album \(id)" }
}

struct SharedAlbumQuery: EntityQuery {
    func entities(for identifiers: [String]) async throws -> [SharedAlbum] { identifiers.map { SharedAlbum(id: $0) } }
}

@UnionValue enum AlbumOrName {
    case album(SharedAlbum)
    case name(String)
}

struct DeleteAlbums: AppIntent {
    static let title: LocalizedStringResource = "Delete albums"
    @Parameter(title: "Album") var album: SharedAlbum?
    @Parameter(title: "Others", default: []) var others: [SharedAlbum]
    @Parameter(title: "More") var more: EntityCollection<SharedAlbum>?
    @Parameter(title: "Target") var target: AlbumOrName?

    func perform() async throws -> some ReturnsValue<Int> { .result(value: others.count) }
}

struct OpenAlbum: OpenIntent {
    static let title: LocalizedStringResource = "Open album"
    @Parameter(title: "Album") var target: SharedAlbum

    func perform() async throws -> some IntentResult { .result() }
}

/// Performs again until its parameter is the last album.
struct RenameAlbum: AppIntent {
    static let title: LocalizedStringResource = "Rename album"
    @Parameter(title: "Album") var album: SharedAlbum

    func perform() async throws -> some IntentResult {
        if album.id == "s1" {
            album = SharedAlbum(id: "p2")
            throw AppIntentError.restartPerform
        }
        if album.id == "p2" {
            album = SharedAlbum(id: "own")
            throw AppIntentError.restartPerform
        }
        return .result()
    }
}

@Suite struct OwnershipTests {
    private func deletion(_ change: (DeleteAlbums) -> Void) -> DeleteAlbums {
        let intent = DeleteAlbums()
        change(intent)
        return intent
    }

    @Test func `an intent that acts on a shared entity asks first, and runs after the confirmation`() async throws {
        try await withIntentRun { run in
            async let end = run.perform(deletion { $0.album = SharedAlbum(id: "s") })
            let question = try await run.question()
            #expect(question.text == "“Album s” is shared with other people. Continue?")
            try run.answer(true)
            #expect(try await end == .done(0))
        }
    }

    @Test func `without a confirmation, the intent is not performed`() async throws {
        let text = "“Album p” is public. Continue?"
        try await withIntentRun(answers: [text: .decline]) { run in
            let end = try await run.perform(deletion { $0.album = SharedAlbum(id: "p") })
            #expect(end == .cancelled(.userCancelled))
        }
        try await withIntentRun { run in
            async let end = run.perform(deletion { $0.album = SharedAlbum(id: "p") })
            _ = try await run.question()
            run.advance(by: .seconds(3600))
            #expect(try await end == .unanswered(text, parameter: nil))
        }
    }

    @Test func `an entity of its owner alone, and an intent that only opens, are not confirmed`() async throws {
        try await withIntentRun { run in
            let end = try await run.perform(deletion { $0.others = [SharedAlbum(id: "own")] })
            #expect(end == .done(1))
            let opening = OpenAlbum()
            opening.target = SharedAlbum(id: "s")
            #expect(try await run.perform(opening).value == nil)
        }
    }

    @Test(arguments: [
        ("list", "“Album s” is shared with other people. “Album sp” is shared with other people and public. Continue?"),
        (
            "many",
            "“Album p1” is public. “Album p2” is public. “Album p3” is public. Other people can access 2 more. Continue?"
        ),
        ("collection", "“Album s9” is shared with other people. Continue?"),
        ("union", "“Album p” is public. Continue?"),
        ("twice", "“Album s” is shared with other people. Continue?"),
    ])
    func `entities in lists, collections and unions are found, each once`(_ kind: String, text: String) async throws {
        let intent = deletion { intent in
            switch kind {
            case "list": intent.others = [SharedAlbum(id: "s"), SharedAlbum(id: "own"), SharedAlbum(id: "sp")]
            case "many": intent.others = (1...5).map { SharedAlbum(id: "p\($0)") }
            // The collection contains only ids, which the query resolves for the question.
            case "collection": intent.more = EntityCollection(identifiers: ["own", "s9"])
            case "union": intent.target = .album(SharedAlbum(id: "p"))
            default:
                intent.album = SharedAlbum(id: "s")
                intent.others = [SharedAlbum(id: "s")]
            }
        }
        try await withIntentRun(answers: [text: true]) { run in
            let end = try await run.perform(intent)
            #expect(end == .done(intent.others.count))
        }
    }

    @Test func `an entity that a restarted intent acts on is confirmed, too`() async throws {
        try await withIntentRun { run in
            let intent = RenameAlbum()
            intent.album = SharedAlbum(id: "s1")
            async let end = run.perform(intent)
            #expect(try await run.question().text == "“Album s1” is shared with other people. Continue?")
            try run.answer(true)
            #expect(try await run.question().text == "“Album p2” is public. Continue?")
            try run.answer(true)
            _ = try await end
        }
    }

    @Test func `a set without a known member is private only if it is empty`() {
        #expect(EntityOwnership([]).isEmpty)
        #expect(EntityOwnership([.shared, .public]).rawValue == 3)
        #expect(EntityOwnership.shared.isDisjoint(with: .public))
    }
}
