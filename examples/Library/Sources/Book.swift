import AppIntents
import Foundation

/// A book on the shelf.
struct Book: AppEntity, Codable {
    static let typeDisplayRepresentation: TypeDisplayRepresentation = "Book"
    static let defaultQuery = BookQuery()

    var id: String
    @Property(title: "Title") var title: String

    var displayRepresentation: DisplayRepresentation { DisplayRepresentation(title: "\(title)") }

    init(id: String, title: String) {
        self.id = id
        self.title = title
    }

    private enum Key: String, CodingKey { case id, title }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            id: try container.decode(String.self, forKey: .id),
            title: try container.decode(String.self, forKey: .title)
        )
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        try container.encode(title, forKey: .title)
    }
}

struct BookQuery: EntityStringQuery {
    func entities(for identifiers: [Book.ID]) async throws -> [Book] {
        try Shelf.read().filter { identifiers.contains($0.id) }
    }

    func entities(matching text: String) async throws -> [Book] {
        try Shelf.read().filter { $0.title.localizedCaseInsensitiveContains(text) }
    }

    func suggestedEntities() async throws -> [Book] { try Shelf.read() }
}

/// The shelf of books, which is stored in a file in the app's state folder.
enum Shelf {
    private static var file: URL {
        let folder = ProcessInfo.processInfo.environment["STATE_DIRECTORY"].map { URL(filePath: $0) }
        return (folder ?? .temporaryDirectory).appending(path: "books.json")
    }

    private static let first = [
        Book(id: "moby", title: "Moby Dick"), Book(id: "emma", title: "Emma"), Book(id: "odyssey", title: "Odyssey"),
    ]

    static func read() throws -> [Book] {
        guard let data = try? Data(contentsOf: file) else { return first }
        return try JSONDecoder().decode([Book].self, from: data)
    }

    static func change(_ change: (inout [Book]) -> Void) throws {
        var books = try read()
        change(&books)
        try JSONEncoder().encode(books).write(to: file, options: .atomic)
    }
}
