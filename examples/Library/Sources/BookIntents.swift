import AppIntents
import Foundation

/// Reads a book page by page.
struct IndexBookIntent: LongRunningIntent, CancellableIntent {
    static let title: LocalizedStringResource = "Index a book"
    static let description = IntentDescription("Creates an index of a book, page by page.")
    static let effect: IntentEffect = .reads

    @Parameter(title: "Book") var book: Book
    @Parameter(title: "Pages", requestValueDialog: "How many pages does the book have?") var pages: Int?

    func perform() async throws -> some IntentResult & ReturnsValue<Int> & ProvidesDialog {
        let pages = if let pages { pages } else { try await $pages.requestValue() }
        progress.totalUnitCount = Int64(pages)
        return try await withIntentCancellationHandler {
            for page in 1...max(1, pages) {
                try await Task.sleep(for: .milliseconds(100))
                progress.completedUnitCount = Int64(page)
            }
            return .result(value: pages, dialog: "\(book.title) has an index of \(pages) pages.")
        } onCancel: { reason in
            print("cancelled: \(reason)")
        }
    }
}

/// Changes a book's title. An undo of the run restores the old title.
struct RenameBookIntent: UndoableIntent {
    static let title: LocalizedStringResource = "Rename a book"

    @Parameter(title: "Book") var book: Book
    @Parameter(title: "New title") var name: String

    init() {}

    init(_ book: Book, to name: String) {
        self.init()
        self.book = book
        self.name = name
    }

    func perform() async throws -> some IntentResult & ReturnsValue<String> {
        let old = book.title
        try Shelf.change { books in
            for index in books.indices where books[index].id == book.id { books[index].title = name }
        }
        await undoManager?.registerUndo(performing: RenameBookIntent(book, to: old))
        return .result(value: name)
    }
}

/// Removes books from the shelf.
struct DiscardBooksIntent: DeleteIntent {
    static let title: LocalizedStringResource = "Discard books"

    @Parameter(title: "Books") var entities: [Book]

    func perform() async throws -> some IntentResult & ReturnsValue<Int> {
        let ids = Set(entities.map(\.id))
        try Shelf.change { $0.removeAll { ids.contains($0.id) } }
        return .result(value: ids.count)
    }
}
