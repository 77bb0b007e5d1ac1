import AppIntents

/// A library of books, written as if for Apple's systems in language mode 5.
@main
struct PortedApp: AppIntentsExtension {
    init() {
        AppDependencyManager.shared.add(dependency: Shelf())
        AppDependencyManager.shared.add(key: "owner", dependency: { "the city" })
    }
}

struct Record: Codable, Sendable {
    var id: Int
    var title: String
    var author: String
    var pages: Int
}

actor Shelf {
    private var records = [
        Record(id: 1, title: "Dune", author: "Herbert", pages: 412),
        Record(id: 2, title: "Emma", author: "Austen", pages: 474),
        Record(id: 3, title: "Persuasion", author: "Austen", pages: 249),
        Record(id: 4, title: "Dune Messiah", author: "Herbert", pages: 256),
    ]

    var all: [Record] { records }

    func add(_ title: String, by author: String) -> Record {
        let record = Record(id: records.count + 1, title: title, author: author, pages: 0)
        records.append(record)
        return record
    }
}
