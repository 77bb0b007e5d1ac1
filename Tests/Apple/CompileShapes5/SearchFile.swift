import AppIntents
import Foundation

// Queries with Foundation's predicates and comparators, macros with arguments, all kinds of resolvers, and the
// presentation of a shortcut's parameter.

enum SearchFile {
    struct Trail: AppEntity {
        static let typeDisplayRepresentation = TypeDisplayRepresentation(
            name: "Trail",
            numericFormat: "\(placeholder: .int) trails"
        )
        static let defaultQuery = TrailQuery()
        let id: Int
        @Property(title: "Name") var name: String
        @Property(title: "Length") var length: Measurement<UnitLength>
        @Property(title: "Opened", indexingKey: \.contentCreationDate) var opened: Date?
        @Property(indexingKey: \.displayName) var other: String
        @Property(customIndexingKey: "custom") var custom: String
        @ComputedProperty(indexingKey: \.displayName) var headline: String { name }
        @ComputedProperty(customIndexingKey: "words") var words: Int { name.count }
        @ComputedProperty(title: "Initial") var initial: String { get { "a" } }
        @DeferredProperty(title: "Weather") var weather: String { get async throws { "sun" } }
        var displayRepresentation: DisplayRepresentation { .init(title: "\(name)") }
    }
    struct TrailQuery: EntityPropertyQuery {
        typealias ComparatorMappingType = Predicate<Trail>
        static let properties = QueryProperties {
            Property(\Trail.$name) {
                ContainsComparator { text in #Predicate<Trail> { $0.name.localizedStandardContains(text) } }
                EqualToComparator { text in #Predicate<Trail> { $0.name == text } }
            }
            Property(\Trail.$length) {
                LessThanOrEqualToComparator { length in #Predicate<Trail> { $0.length <= length } }
            }
        }
        static let sortingOptions = SortingOptions {
            SortableBy(\Trail.$name)
            SortableBy(\Trail.$length)
        }
        func entities(for identifiers: [Int]) async throws -> [Trail] { [] }
        func entities(
            matching comparators: [Predicate<Trail>],
            mode: ComparatorMode,
            sortedBy: [EntityQuerySort<Trail>],
            limit: Int?
        ) async throws -> [Trail] {
            var trails: [Trail] = []
            for sort in sortedBy {
                switch sort.by {
                case \.$name:
                    trails.sort(
                        using: KeyPathComparator(\Trail.name, comparator: .localizedStandard, order: sort.order.inWords)
                    )
                case \.$length: trails.sort(using: KeyPathComparator(\Trail.length, order: sort.order.inWords))
                default: break
                }
            }
            return try trails.filter { trail in try comparators.allSatisfy { try $0.evaluate(trail) } }
        }
    }
    struct OpenTrail: OpenIntent {
        static let title: LocalizedStringResource = "Open"
        @Parameter(title: "Trail") var target: Trail
        static var parameterSummary: some ParameterSummary {
            When(widgetFamily: .equalTo, .systemSmall) {
                Summary("Show")
            } otherwise: {
                Summary("Open \(\.$target)")
            }
        }
    }
    struct FromText: Resolver {
        func resolve(from input: String, context: IntentParameterContext<Int>) async throws -> Int? { Int(input) }
    }
    struct HalfFromText: Resolver {
        func resolve(from input: String, context: IntentParameterContext<Double>) async throws -> Double? {
            Double(input)
        }
    }
    struct DayFromText: Resolver {
        func resolve(from input: String, context: IntentParameterContext<Date>) async throws -> Date? { nil }
    }
    struct TruthFromText: Resolver {
        func resolve(from input: String, context: IntentParameterContext<Bool>) async throws -> Bool? { input == "yes" }
    }
    struct Resolving: AppIntent {
        static let title: LocalizedStringResource = "Resolving"
        @Parameter(title: "A", default: 3, controlStyle: .stepper, inclusiveRange: (1, 3), resolvers: { FromText() })
        var a: Int
        @Parameter(title: "B", controlStyle: .field, resolvers: { FromText() }) var b: Int?
        @Parameter(title: "C", inclusiveRange: (0, 1), resolvers: { HalfFromText() }) var c: Double
        @Parameter(title: "D", kind: .date, resolvers: { DayFromText() }) var d: Date
        @Parameter(
            title: "E",
            default: true,
            displayName: .init(true: "on", false: "off"),
            resolvers: { TruthFromText() }
        ) var e: Bool
        func perform() async throws -> some IntentResult & ReturnsValue<Int> { .result(value: a) }
    }
    @AppIntent(schema: .photos.createAlbum)
    struct CreateAlbum: AppIntent {
        static let title: LocalizedStringResource = "Create Album"
        @Parameter(title: "Name") var name: String
        func perform() async throws -> some ReturnsValue<Album> { .result(value: Album(id: name)) }
    }
    @AssistantIntent(schema: .system.search)
    struct SearchAlbums: AppIntent {
        static let title: LocalizedStringResource = "Search Albums"
        @Parameter(title: "Text") var text: String
        func perform() async throws -> some IntentResult { .result() }
    }
    @AppEntity(schema: .photos.album)
    struct Album: AppEntity {
        static let typeDisplayRepresentation: TypeDisplayRepresentation = "Album"
        static let defaultQuery = AlbumQuery()
        let id: String
        var displayRepresentation: DisplayRepresentation { "\(id)" }
    }
    struct AlbumQuery: EntityQuery {
        func entities(for identifiers: [String]) async throws -> [Album] { identifiers.map(Album.init) }
    }
    @AppEnum(schema: .photos.assetType)
    enum AssetType: String, AppEnum {
        case photo, video
        static let typeDisplayRepresentation: TypeDisplayRepresentation = "Kind"
        static let caseDisplayRepresentations: [AssetType: DisplayRepresentation] = [.photo: "Photo", .video: "Video"]
    }
    enum Twofold: Error, CustomLocalizedStringResourceConvertible, CustomAppIntentErrorConvertible {
        case closed
        var localizedStringResource: LocalizedStringResource { "Closed." }
        var appIntentError: AppIntentError { AppIntentError.Unrecoverable.entityNotFound }
    }
    static let wrapped = AppIntentError(wrapping: Twofold.closed)
}

private extension EntityQuerySort.Ordering {
    var inWords: SortOrder { self == .ascending ? .forward : .reverse }
}

struct TrailShortcuts: AppShortcutsProvider {
    static var appShortcuts: [AppShortcut] {
        AppShortcut(
            intent: SearchFile.OpenTrail(),
            phrases: ["Open \(\.$target) in \(.applicationName)"],
            shortTitle: "Open",
            systemImageName: "figure.hiking",
            parameterPresentation: ParameterPresentation(
                for: \.$target,
                summary: Summary("Open \(\.$target)"),
                optionsCollections: {
                    OptionsCollection(SearchFile.TrailQuery(), title: "Trails", systemImageName: "star")
                }
            )
        )
    }
}

@available(iOS 27.0, macOS 27.0, *)
@AppEnum(schema: .reminders.listType)
enum TrayKind: String, AppEnum {
    case plain
    case shared
    static let caseDisplayRepresentations: [Self: DisplayRepresentation] = [.plain: "Plain", .shared: "Shared"]
}

/// The schema provides the title and the parameters' names.
@available(iOS 18.0, *)
@AssistantIntent(schema: .browser.deleteBookmarks)
struct DropTiles: DeleteIntent {
    @Parameter var entities: [TileEntity]
    @Parameter(default: .allTime) var span: TileSpan

    @MainActor
    func perform() async throws -> some IntentResult & ReturnsValue<Int> { .result(value: entities.count) }
}

@AppEnum(schema: .browser.clearHistoryTimeFrame)
enum TileSpan: String, AppEnum {
    case allTime
    static var caseDisplayRepresentations: [TileSpan: DisplayRepresentation] = [.allTime: "Forever"]
}

@AssistantEntity(schema: .browser.bookmark)
struct TileEntity: AppEntity {
    static let defaultQuery = TileQuery()
    let id: String
    @Property var name: String?
    var displayRepresentation: DisplayRepresentation { "\(id)" }
}

struct TileQuery: EntityQuery {
    func entities(for identifiers: [String]) async throws -> [TileEntity] { identifiers.map { TileEntity(id: $0) } }
}
