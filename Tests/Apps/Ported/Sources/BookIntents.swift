import AppIntents

struct ShowBook: AppIntent {
    static var title: LocalizedStringResource = "Show a book"
    static var description = IntentDescription(
        "Shows a book.",
        categoryName: "Books",
        searchKeywords: ["read", "look"],
        resultValueName: "Book"
    )
    @Parameter(title: "Book", requestDisambiguationDialog: "Which book?") var book: BookEntity

    static var parameterSummary: some ParameterSummary { Summary("Show \(\.$book)") }

    func perform() async throws -> some IntentResult & ReturnsValue<BookEntity> {
        .result(value: book)
    }
}

struct CountPages: AppIntent {
    static let title: LocalizedStringResource = "Count pages"
    @Parameter(title: "Books", size: IntentCollectionSize(min: 1, max: 3)) var books: [BookEntity]
    @Parameter(title: "Also", description: "One more.") var also: BookEntity?

    func perform() async throws -> some ReturnsValue<Int> {
        .result(value: (books + [also].compactMap { $0 }).reduce(0) { $0 + $1.pages })
    }
}

struct AddBook: AppIntent {
    static var title: LocalizedStringResource = "Add a book"
    @Parameter(title: "Title") var title: String
    @Parameter(title: "Author", requestValueDialog: "Who wrote it?", optionsProvider: AuthorOptions()) var author:
        String
    @Parameter(title: "Genre", default: .novel) var genre: Genre
    @Parameter(title: "Copies", default: 1, inclusiveRange: (1, 5)) var copies: Int
    @Dependency private var shelf: Shelf
    @Dependency(key: "owner") private var owner: String

    static var parameterSummary: some ParameterSummary {
        When(\.$copies, .greaterThan, 1) {
            Summary("Add \(\.$copies) copies of \(\.$title)") { \.$author }
        } otherwise: {
            Switch(\.$genre) {
                Case(.poem) { Summary("Add the poem \(\.$title)") }
                DefaultCase { Summary("Add \(\.$title) by \(\.$author)") { \.$genre } }
            }
        }
    }

    @MainActor
    func perform() async throws -> some IntentResult & ReturnsValue<BookEntity> & ProvidesDialog & OpensIntent {
        let book = BookEntity(await shelf.add(title, by: author))
        let next = LendBook()
        next.book = book
        next.days = 7
        return .result(
            value: book,
            opensIntent: next,
            dialog: IntentDialog(full: "\(book.title) belongs to \(owner) now.", supporting: "Added.")
        )
    }
}

struct AuthorOptions: DynamicOptionsProvider {
    @Dependency var shelf: Shelf
    func results() async throws -> [String] { Array(Set(await shelf.all.map(\.author))).sorted() }
}

struct LendBook: AppIntent {
    static let title: LocalizedStringResource = "Lend a book"
    @Parameter(title: "Book") var book: BookEntity
    @Parameter(title: "Days", default: 14) var days: Int
    @Parameter(title: "Reader", optionsProvider: ReaderOptions()) var reader: String?
    @Parameter(title: "From", query: AuthorShelfQuery()) var instead: BookEntity?

    func perform() async throws -> some IntentResult & ReturnsValue<Loan> {
        let loan = Loan()
        loan.book = book
        loan.days = days
        return .result(value: loan)
    }
}

struct ReaderOptions: DynamicOptionsProvider {
    @IntentParameterDependency<LendBook>(\.$book) var lend

    func results() async throws -> ItemCollection<String> {
        guard let lend else { return .empty }
        return ItemCollection {
            ItemSection("Readers of \(lend.book.author)") {
                IntentItem("ann", title: "Ann", subtitle: "since 1999")
                IntentItem("bob", title: "Bob")
            }
        }
    }
}

struct ExtendLoan: AppIntent {
    static let title: LocalizedStringResource = "Extend a loan"
    @Parameter(title: "Loan") var loan: Loan
    @Parameter(title: "Rule") var rule: LoanRule?
    @Parameter(title: "Length", defaultUnit: .hours, supportsNegativeNumbers: false) var length:
        Measurement<UnitDuration>?
    @Parameter(title: "Fee", currencyCodes: ["EUR", "CHF"]) var fee: IntentCurrencyAmount?
    @Parameter(title: "Day") var day: DateComponents?
    @Parameter(title: "Tags") var tags: Set<String>?
    @Parameter(title: "Cover", supportedContentTypes: [.image]) var cover: IntentFile?

    func perform() async throws -> some IntentResult & ReturnsValue<[String]> {
        var words = ["\(loan.book.title) \(loan.days)"]
        if let rule { words.append("\(rule.days.reduce(0, +)) \(rule.name)") }
        if let length { words.append("\(length.converted(to: .minutes).value) min") }
        if let fee { words.append("\(fee.amount) of \(fee.currencyCode)") }
        if let day { words.append("\(day.year ?? 0)/\(day.hour ?? -1)") }
        if let tags { words.append(tags.sorted().joined(separator: "+")) }
        if let cover { words.append(cover.filename) }
        return .result(value: words)
    }
}

struct LoanRule: Codable, Hashable, Sendable, _IntentValue {
    var name: String
    var days: [Int]
}

struct OpenArchive: AppIntent {
    static let title: LocalizedStringResource = "Open the archive"
    @Parameter(title: "First") var first: BookEntity?
    @Parameter(title: "Thing") var thing: StubbornEntity
    @Parameter(title: "Settings") var settings: LibrarySettings?
    func perform() async throws -> some IntentResult & ReturnsValue<Bool?> {
        .result(value: settings?.isOpen)
    }
}

struct ShortenTitle: AppIntent {
    static let title: LocalizedStringResource = "Shorten"
    @Parameter(title: "Length", resolvers: { WordResolver() }) var length: Int
    func perform() async throws -> some IntentResult & ReturnsValue<Int> { .result(value: length) }
}

struct WordResolver: Resolver {
    func resolve(from input: String, context: IntentParameterContext<Int>) async throws -> Int? {
        ["one": 1, "two": 2][input]
    }
}

struct OldAdd: DeprecatedAppIntent {
    static let title: LocalizedStringResource = "Add (old)"
    static var deprecation = IntentDeprecation(message: "It forgets the author.", replacedBy: AddBook.self)
    func perform() async throws -> some IntentResult { .result() }
}

struct LibraryShortcuts: AppShortcutsProvider {
    static var shortcutTileColor: ShortcutTileColor = .navy

    static var appShortcuts: [AppShortcut] {
        AppShortcut(
            intent: ShowBook(),
            phrases: ["Show \(\.$book) in \(.applicationName)", "Open \(.applicationName)"],
            shortTitle: "Show",
            systemImageName: "book"
        )
        AppShortcut(
            intent: poem,
            phrases: ["Add a poem to \(.applicationName)"],
            shortTitle: "Poem",
            systemImageName: "plus"
        )
    }

    private static var poem: AddBook {
        let intent = AddBook()
        intent.genre = .poem
        return intent
    }
}

/// A protocol of the app through which an intent conforms to `AppIntent`.
protocol LibraryIntent: AppIntent {
    var shelfName: String { get }
}

extension LibraryIntent {
    var shelfName: String { "main" }
}

private struct Dust: LibraryIntent {
    static let title: LocalizedStringResource = "Dust the shelves"
    func perform() async throws -> some IntentResult & ReturnsValue<String> { .result(value: shelfName) }
}
