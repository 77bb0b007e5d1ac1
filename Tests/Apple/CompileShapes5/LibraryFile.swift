import AppIntents
import UniformTypeIdentifiers

// A source file of a library: types isolated to the main actor, a query that matches text in two ways, a unique entity,
// predictions as Xcode completes them.

@MainActor
final class Shelves {
    static let shared = Shelves()
    var names = ["Attic", "Cellar"]
}

@MainActor
struct AddShelf: AppIntent {
    nonisolated static let title: LocalizedStringResource = "Add a shelf"

    @Parameter(title: "Name") var name: String

    nonisolated init() {}

    func perform() async throws -> some IntentResult & ReturnsValue<Int> & ProvidesDialog {
        MainActor.assertIsolated()
        Shelves.shared.names.append(name)
        return .result(value: Shelves.shared.names.count, dialog: "Added \(name).")
    }
}

@MainActor
struct ShelfNames: DynamicOptionsProvider {
    nonisolated init() {}

    func results() async throws -> [String] { Shelves.shared.names }
    func defaultResult() async -> String? { Shelves.shared.names.first }
}

struct Shelf: AppEntity {
    static var typeDisplayRepresentation = TypeDisplayRepresentation("Shelf")
    static var defaultQuery = ShelfQuery()

    let id: String

    var displayRepresentation: DisplayRepresentation { DisplayRepresentation(title: "\(id)") }
}

@MainActor
struct ShelfQuery: EnumerableEntityQuery, EntityStringQuery {
    nonisolated init() {}

    func allEntities() async throws -> [Shelf] { Shelves.shared.names.map(Shelf.init) }
    func entities(for identifiers: [String]) async throws -> [Shelf] {
        Shelves.shared.names.filter(identifiers.contains).map(Shelf.init)
    }
    func entities(matching string: String) async throws -> [Shelf] {
        Shelves.shared.names.filter { $0.localizedStandardContains(string) }.map(Shelf.init)
    }
    func suggestedEntities() async throws -> [Shelf] { try await allEntities() }
}

struct AllShelvesQuery: EnumerableEntityQuery {
    typealias Result = IntentItemCollection<Shelf>

    func allEntities() async throws -> IntentItemCollection<Shelf> {
        ItemCollection { ItemSection<Shelf>("All", items: [Shelf(id: "Attic"), Shelf(id: "Cellar")]) }
    }
}

struct LibraryShortcuts: AppShortcutsProvider {
    static var appShortcuts: [AppShortcut] {
        AppShortcut(intent: ScanBooks(), phrases: ["Scan with \(.applicationName)"], shortTitle: "Scan")
        AppShortcut(intent: MoveBooks(), phrases: [AppShortcutPhrase("Move books")])
    }
    static var negativePhrases: NegativeAppShortcutPhrases {
        NegativeAppShortcutPhrases(phrases: ["Scan me", NegativeAppShortcutPhrase("Move me")])
    }
}

struct SectionedShelfQuery: EntityStringQuery {
    func entities(for identifiers: [String]) async throws -> [Shelf] { identifiers.map(Shelf.init) }
    func entities(matching string: String) async throws -> IntentItemCollection<Shelf> {
        ItemCollection { ItemSection<Shelf>("Found", items: [Shelf(id: string)]) }
    }
    func entities(matching string: String) async throws -> [Shelf] { [Shelf(id: string)] }
    func suggestedEntities() async throws -> IntentItemCollection<Shelf> {
        ItemCollection { ItemSection<Shelf>("All", items: [Shelf(id: "Attic")]) }
    }
}

struct HouseRules: UniqueAppEntity {
    struct Query: UniqueAppEntityQuery {
        func uniqueEntity() async throws -> HouseRules { HouseRules() }
    }

    static let typeDisplayRepresentation: TypeDisplayRepresentation = "House rules"
    static let defaultQuery = Query()

    @Property(title: "Quiet") var isQuiet: Bool

    init() {
        isQuiet = true
    }

    var displayRepresentation: DisplayRepresentation { "House rules" }
}

struct ShelfWidget: WidgetConfigurationIntent {
    static let title: LocalizedStringResource = "Shelves"

    @Parameter(
        title: "Shelves",
        default: [Shelf(id: "Attic")],
        size: [.systemSmall: .init(exactly: 1), .systemMedium: .init(min: 0, max: 3)],
        query: SectionedShelfQuery()
    )
    var shelves: [Shelf]
    @Parameter(title: "Rules") var rules: HouseRules?
    @Parameter(title: "Any", query: AllShelvesQuery()) var any: Shelf?
    @Parameter(title: "First", optionsProvider: ShelfNames()) var first: String?
}

struct Scan: FileEntity {
    struct Query: EntityQuery {
        func entities(for identifiers: [FileEntityIdentifier]) async throws -> [Scan] { identifiers.map(Scan.init) }
    }

    static let supportedContentTypes: [UTType] = [.pdf]
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Scan"
    static let defaultQuery = Query()

    let id: FileEntityIdentifier

    var displayRepresentation: DisplayRepresentation { "Scan" }
}

struct InviteReaders: AppIntent {
    static let title: LocalizedStringResource = "Invite readers"

    @Parameter(title: "Host", mode: .emailOrPhone, requestValueDialog: "Who invites?") var host: IntentPerson
    @Parameter(title: "Readers", mode: .contact, size: .init(min: 1, max: 3)) var readers: [IntentPerson]
    @Parameter(title: "Others", mode: .email, size: [.systemSmall: 2]) var others: [IntentPerson]?
    @Parameter(title: "Scan", supportedContentTypes: [.pdf], query: Scan.Query()) var scan: Scan?
    @Parameter(title: "Scans", supportedContentTypes: [.pdf], size: 2, query: Scan.Query()) var scans: [Scan]?
    @Parameter(title: "More", supportedContentTypes: [.pdf], size: [.systemSmall: 2]) var more: [Scan]?

    func perform() async throws -> some IntentResult & ReturnsValue<[String]> {
        var anybody = IntentPerson(identifier: .unknown, name: .unknown, handle: nil)
        anybody.handle = IntentPerson.Handle(emailAddress: "anybody@example.org")
        return .result(value: ([host] + readers + [anybody]).map(\.name.displayString))
    }
}

struct ScanBooks: AppIntent {
    static let title: LocalizedStringResource = "Scan books"

    @Parameter(title: "Pages", supportedContentTypes: [.image, .heic, .url, UTType(importedAs: "com.example.scan")])
    var pages: [IntentFile]

    func perform() async throws -> some IntentResult & ReturnsValue<IntentFile> {
        .result(value: IntentFile(data: Data(), filename: "books.rtf", type: .rtf))
    }
}

struct MoveBooks: AppIntent, PredictableIntent {
    static let title: LocalizedStringResource = "Move books"

    @Parameter(title: "From") var from: [Shelf]
    @Parameter(title: "To") var to: Shelf
    @Parameter(title: "Also to") var others: [Shelf]?

    static var predictionConfiguration: some IntentPredictionConfiguration {
        IntentPrediction(parameters: (\.$from, \.$to)) { from, to in
            DisplayRepresentation(title: "Move \(from, format: .list(type: .and)) to \(to)", subtitle: "")
        }
        IntentPrediction(parameters: (\.$from, \.$others)) { from, others in
            DisplayRepresentation(
                title:
                    "Move \(from, format: .list(type: .and, width: .narrow)) to \(others!, format: .list(type: .or))",
                subtitle: nil
            )
        }
    }

    func perform() async throws -> some IntentResult & ProvidesDialog {
        let picked = try await requestConfirmation(actionName: .go, snippetIntent: PickShelf())
        return .result(dialog: "Moved \(from, format: .list(type: .and)) to \(picked).")
    }
}

/// Restarts until there are enough shelves; performed by itself and inside another intent.
struct FillShelves: AppIntent {
    static let title: LocalizedStringResource = "Fill the shelves"

    @Parameter(title: "Count") var count: Int
    @Parameter(title: "Tries", default: 0) var tries: Int

    @MainActor
    func perform() async throws -> some IntentResult & ReturnsValue<Int> {
        guard Shelves.shared.names.count >= count else {
            Shelves.shared.names.append("Loft")
            tries += 1
            throw AppIntentError.restartPerform
        }
        return .result(value: tries)
    }
}

struct FillTwice: AppIntent {
    static let title: LocalizedStringResource = "Fill the shelves twice"

    func perform() async throws -> some IntentResult & ReturnsValue<[Int]> {
        let first = FillShelves()
        first.count = 5
        let second = FillShelves()
        second.count = 6
        return .result(value: [try await first(), try await second()])
    }
}

/// Sets one parameter in `init()`, and offers no books to choose from.
struct LendBook: AppIntent {
    static let title: LocalizedStringResource = "Lend a book"

    @Parameter(title: "Days") var days: Int
    @Parameter(title: "Reader") var reader: String
    @Parameter(title: "Book") var book: String?

    init() {
        days = 14
    }

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        guard let book else { throw $book.needsDisambiguationError(among: [], dialog: "Which book?") }
        return .result(value: "\(book) to \(reader) for \(days)")
    }
}

struct PickShelf: SnippetIntent {
    static let title: LocalizedStringResource = "Pick a shelf"

    func perform() async throws -> some IntentResult & ReturnsValue<Shelf> & ShowsSnippetView {
        .result(value: Shelf(id: "Cellar"))
    }
}

struct TenDependencies: AppIntent {
    static let title: LocalizedStringResource = "Ten dependencies"

    @Parameter(title: "A") var a: Int?
    @Parameter(title: "B") var b: Int?
    @Parameter(title: "C", optionsProvider: DependentOptions()) var c: String?

    func perform() async throws -> some IntentResult { .result() }
}

struct DependentOptions: DynamicOptionsProvider {
    @IntentParameterDependency<TenDependencies>(\.$a, \.$b, \.$a, \.$b, \.$a, \.$b, \.$a, \.$b, \.$a, \.$b)
    var values

    func results() async throws -> [String] { [values?.a, values?.b].compactMap { $0 }.map(String.init) }
}
