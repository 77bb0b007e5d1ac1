import AppIntents
import Foundation

@available(iOS 16.0, macOS 13.0, watchOS 9.0, tvOS 16.0, *)
struct BookEntity: AppEntity, Hashable {
    static var typeDisplayRepresentation: TypeDisplayRepresentation = TypeDisplayRepresentation(
        name: "Book",
        numericFormat: "\(placeholder: .int) books"
    )
    static var defaultQuery = BookQuery()

    var id: Int
    @Property(title: "Title") var title: String
    @Property(title: "Author") var author: String
    @Property(title: "Pages") var pages: Int
    @Property var rating: Double?

    var displayRepresentation: DisplayRepresentation {
        DisplayRepresentation(title: "\(title)", subtitle: "by \(author)", image: .init(systemName: "book"))
    }

    init(_ record: Record) {
        self.id = record.id
        self.title = record.title
        self.author = record.author
        self.pages = record.pages
    }

    static func == (left: BookEntity, right: BookEntity) -> Bool { left.id == right.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

struct BookQuery: EntityStringQuery {
    @Dependency private var shelf: Shelf

    func entities(for identifiers: [BookEntity.ID]) async throws -> [BookEntity] {
        await shelf.all.filter { identifiers.contains($0.id) }.map { BookEntity($0) }
    }

    func entities(matching string: String) async throws -> [BookEntity] {
        await shelf.all.filter { $0.title.localizedCaseInsensitiveContains(string) }.map { BookEntity($0) }
    }

    func suggestedEntities() async throws -> [BookEntity] {
        await shelf.all.prefix(2).map { BookEntity($0) }
    }
}

extension BookQuery: EntityPropertyQuery {
    static var sortingOptions = SortingOptions {
        SortableBy(\BookEntity.$title)
        SortableBy(\BookEntity.$pages)
    }

    static var properties = QueryProperties {
        Property(\BookEntity.$title) {
            EqualToComparator { title in { $0.title == title } }
            ContainsComparator { part in { $0.title.contains(part) } }
        }
        Property(\BookEntity.$pages) {
            LessThanComparator { count in { $0.pages < count } }
            GreaterThanOrEqualToComparator { count in { $0.pages >= count } }
            IsBetweenComparator { low, high in { $0.pages >= low && $0.pages <= high } }
        }
    }

    func entities(
        matching comparators: [@Sendable (Record) -> Bool],
        mode: ComparatorMode,
        sortedBy: [Sort<BookEntity>],
        limit: Int?
    ) async throws -> [BookEntity] {
        let found = await shelf.all.filter { record in
            mode == .and ? comparators.allSatisfy { $0(record) } : comparators.contains { $0(record) }
        }
        let sorted = sortedBy.first.map { sort in
            found.sorted { left, right in
                let isBefore = sort.by == \BookEntity.$pages ? left.pages < right.pages : left.title < right.title
                return sort.order == .ascending ? isBefore : !isBefore
            }
        }
        return (sorted ?? found).prefix(limit ?? .max).map { BookEntity($0) }
    }
}

/// Suggests books in sections, one per author.
struct AuthorShelfQuery: EntityQuery {
    @Dependency var shelf: Shelf

    func entities(for identifiers: [Int]) async throws -> [BookEntity] {
        await shelf.all.filter { identifiers.contains($0.id) }.map { BookEntity($0) }
    }

    func suggestedEntities() async throws -> IntentItemCollection<BookEntity> {
        let books = await shelf.all.map { BookEntity($0) }
        return IntentItemCollection(
            sections: Dictionary(grouping: books, by: \.author).sorted { $0.key < $1.key }.map {
                IntentItemSection(LocalizedStringResource(stringLiteral: $0.key), items: $0.value)
            }
        )
    }
}

/// An entity with a query that hangs, crashes, finds nothing or throws.
struct StubbornEntity: AppEntity {
    static var typeDisplayRepresentation: TypeDisplayRepresentation = "Stubborn"
    static var defaultQuery = StubbornQuery()
    var id: String
    var displayRepresentation: DisplayRepresentation { "\(id)" }
}

struct StubbornQuery: EntityQuery {
    enum Refusal: Error, CustomLocalizedStringResourceConvertible {
        case closed(reason: String)
        var localizedStringResource: LocalizedStringResource { "The archive is closed." }
    }

    func entities(for identifiers: [String]) async throws -> [StubbornEntity] {
        switch identifiers.first {
        case "hang": try await Task.sleep(for: .seconds(3600))
        // The tests of queries that crash.
        case "crash": preconditionFailure("this query crashes")
        case "none": return []
        default: throw Refusal.closed(reason: "flood")
        }
        return []
    }

    func suggestedEntities() async throws -> [StubbornEntity] { throw AppIntentError.Unrecoverable.networkFailure }
}

struct LibrarySettings: UniqueAppEntity {
    static var typeDisplayRepresentation: TypeDisplayRepresentation = "Settings"
    static var defaultQuery = UniqueAppEntityProvider { LibrarySettings(isOpen: true) }
    @Property(title: "Open") var isOpen: Bool
    var displayRepresentation: DisplayRepresentation { "Settings" }

    init(isOpen: Bool) { self.isOpen = isOpen }
}

struct Loan: TransientAppEntity {
    static var typeDisplayRepresentation: TypeDisplayRepresentation = "Loan"
    @Property(title: "Book") var book: BookEntity
    @Property(title: "Days") var days: Int
    @Property(title: "Note") var note: String?
    var displayRepresentation: DisplayRepresentation { "\(days) days" }

    init() {}
}

enum Genre: String, AppEnum, Codable {
    case novel, poem
    case shortStory = "short-story"

    static var typeDisplayRepresentation: TypeDisplayRepresentation = "Genre"
    static var caseDisplayRepresentations: [Genre: DisplayRepresentation] = [
        .novel: "Novel", .poem: "Poem", .shortStory: "Short story",
    ]
}
