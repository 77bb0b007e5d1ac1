import AppIntentsTesting
import IntentLauncherMessages
import TestSupport
import Testing

@testable import AppIntents

/// Declarations as written for Apple's platforms, which rely on what the macros write.
@AppEntity(schema: .photos.album)
struct AlbumEntity {
    struct AlbumQuery: EntityQuery {
        func entities(for identifiers: [AlbumEntity.ID]) async throws -> [AlbumEntity] {
            identifiers.map { AlbumEntity(id: $0, name: "Album \($0)") }
        }
    }

    static let defaultQuery = AlbumQuery()

    let id: String
    var name: String
    var creationDate: Date?
    @Property(title: "Owner") var owner: String?
    var initials: String { String(name.prefix(1)) }

    var displayRepresentation: DisplayRepresentation { "\(name)" }

    init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

@AppEnum(schema: .photos.filterType)
enum FilterType: String {
    case dramatic, mono

    static let caseDisplayRepresentations: [FilterType: DisplayRepresentation] = [
        .dramatic: "Dramatic", .mono: "Mono",
    ]
}

@AppIntent(schema: .photos.createAlbum)
struct CreateAlbum {
    /// The name { of the "album".
    var name: String
    var filter: FilterType?
    var parents: [AlbumEntity]
    var (unused, unusable) = (1, 2)
    var count = 3
    private var secret: String?
    @Dependency var suffix: String

    @MainActor
    func perform() async throws -> some ReturnsValue<AlbumEntity> {
        .result(value: AlbumEntity(id: "9", name: name + suffix + (filter?.rawValue ?? "")))
    }
}

@AssistantIntent(schema: .system.search)
struct SearchAlbums: AppIntent {
    static let title: LocalizedStringResource = "Search albums"
    var criteria: String

    func perform() async throws -> some IntentResult { .result() }
}

@UnionValue enum Destination {
    case album(AlbumEntity)
    case shelf(String), number(Int)
}

struct MoveTo: AppIntent {
    static let title: LocalizedStringResource = "Move"
    @Parameter(title: "Destination") var destination: Destination
    @Parameter(title: "Others") var others: [Destination]?

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        let text =
            switch destination {
            case .album(let album): album.name
            case .shelf(let name): name
            case .number(let number): "\(number)"
            }
        return .result(value: text)
    }
}

@Suite(.ownThread) struct SchemaMacroTests {
    private func declaration(of type: any AppIntent.Type) throws -> IntentLauncherMessages.IntentDeclaration {
        try #require(try IntentRegistry([type]).catalog().intents.first)
    }

    @Test func `plain variables of an intent are parameters, and others are not`() throws {
        let intent = try declaration(of: CreateAlbum.self)
        #expect(intent.name == "CreateAlbum")
        #expect(intent.title == "Create album")
        #expect(intent.parameters.map(\.name) == ["name", "filter", "parents"])
        #expect(intent.parameters.map(\.title) == ["Name", "Filter", "Parents"])
        #expect(intent.parameters.map(\.isOptional) == [false, true, false])
        #expect(try declaration(of: SearchAlbums.self).parameters.map(\.name) == ["criteria"])
    }

    @Test func `plain variables of an entity are properties, except its identifier`() throws {
        let album = AlbumEntity(id: "1", name: "x")
        let labels = Mirror(reflecting: album).children.compactMap(\.label)
        #expect(labels == ["id", "_name", "_creationDate", "_owner"])
        #expect(FilterType.typeDisplayRepresentation.name.key == "Filter type")
    }

    @Test func `an intent that a macro wrote runs`() async throws {
        try await withIntentRun(dependencies: ["!"]) { run in
            let intent = CreateAlbum()
            intent.name = "Sea"
            intent.filter = .mono
            intent.parents = []
            let end = try await run.perform(intent)
            #expect(end.value?.name == "Sea!mono")
        }
    }

    @Test(arguments: [
        (["shelf": IntentLauncherMessages.IntentValue.string("top")], "top"), (["album": .string("7")], "Album 7"),
        (["number": .int(3)], "3"),
    ])
    func `a caller sends a union as an object with one member`(
        _ members: [String: IntentLauncherMessages.IntentValue],
        value: String
    ) async throws {
        let type = try #require(try declaration(of: MoveTo.self).parameters.first?.type)
        let accepted = try type.accept(.object(members))
        let resolve = try #require(Destination._intentValueCoding.resolve)
        let union = try await resolve(accepted, IncomingFiles())
        try await withIntentRun { run in
            let intent = MoveTo()
            intent.destination = union
            let end = try await run.perform(intent)
            #expect(end.value == value)
        }
        var files = OutgoingFiles(directory: "/nonexistent")
        let encoded = try Destination._intentValueCoding.encode(union, &files)
        guard case .object(let sent) = encoded else { throw UnexpectedValue() }
        #expect(Array(sent.keys) == Array(members.keys))
    }

    @Test(arguments: [[:], ["shelf": IntentLauncherMessages.IntentValue.string("a"), "number": .int(1)]])
    func `an object without exactly one member is no union`(_ members: [String: IntentLauncherMessages.IntentValue])
        async throws
    {
        await #expect(throws: InvalidValue.self) {
            _ = try await Destination._intentValueCoding.resolve?(.object(members), IncomingFiles())
        }
        #expect(Destination.Cases.allCases.map(\.rawValue) == ["album", "shelf", "number"])
    }

    private struct UnexpectedValue: Error {}
}
