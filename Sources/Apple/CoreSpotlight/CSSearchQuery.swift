public import AppIntents
import Foundation

/// A search of all the app's indexes.
///
/// ```swift
/// let query = CSSearchQuery(queryString: #"title == "*soup*"cd && rating >= 3"#, queryContext: CSSearchQueryContext())
/// for try await result in query.results { print(result.item.uniqueIdentifier) }
/// ```
///
/// A condition compares an attribute with a string in quotation marks, a number, or a date (`$time.now(-3600)`,
/// `$time.today(-7)`, `$time.iso(2026-01-31T12:00:00Z)`) using `==`, `!=`, `<`, `<=`, `>` or `>=`, or is
/// `InRange(attribute, lower, upper)`. In a string, `*` stands for any characters. Letters after a string make the
/// comparison ignore case (`c`), ignore diacritics (`d`) or compare words (`w`). The attribute `**` stands for all
/// attributes. Conditions are combined with `&&`, `||`, `!` and parentheses.
///
/// Source: Apple's CSSearchQuery page.
public final class CSSearchQuery {
    private let search: Search
    /// The closure that ``start()`` calls with the items that the query finds.
    public var foundItemsHandler: (([CSSearchableItem]) -> Void)?
    /// The closure that ``start()`` calls when it ends, with the error or nil.
    public var completionHandler: (((any Error)?) -> Void)?
    /// The number of items that ``start()`` has found.
    public private(set) var foundItemCount = 0
    /// True after a call to ``cancel()``.
    public private(set) var isCancelled = false

    /// Creates a query.
    ///
    /// - Parameters:
    ///   - queryString: The condition that the items must meet.
    ///   - queryContext: Additional conditions; nil if no additional conditions apply.
    public init(queryString: String, queryContext: CSSearchQueryContext?) {
        search = Search(conditions: [queryString] + (queryContext?.filterQueries ?? []))
    }

    /// Creates a query.
    ///
    /// - Parameters:
    ///   - queryString: The condition that the items must meet.
    ///   - attributes: Ignored on Linux, where each found item has all its attributes.
    public init(queryString: String, attributes: [String]?) {
        search = Search(conditions: [queryString])
    }

    /// Searches the indexes, and calls the handlers. On Linux, the handlers are called on the calling thread, before
    /// the method returns. Does nothing after a call to ``cancel()``.
    public func start() {
        guard !isCancelled else { return }
        do {
            let items = try search.items()
            foundItemCount = items.count
            if !items.isEmpty { foundItemsHandler?(items) }
            completionHandler?(nil)
        } catch {
            completionHandler?(error)
        }
    }

    /// Prevents a later call to ``start()`` from searching.
    public func cancel() {
        isCancelled = true
    }

    /// The items that the query finds, for `for try await`. No call to ``start()`` is needed.
    public var results: Results { Results(search: search) }

    /// An item that a query found.
    public struct Item: Sendable, Identifiable {
        /// The item.
        public let item: CSSearchableItem
        /// The item's unique identifier; the id for an entity.
        public var id: String { item.uniqueIdentifier }
    }

    /// The items that a query finds, sorted by their rank and identifier.
    public struct Results: AsyncSequence, Sendable {
        public typealias Element = Item
        fileprivate let search: Search

        /// Creates an iterator, which searches when it returns its first item.
        public func makeAsyncIterator() -> Iterator { Iterator(search: search) }

        /// An iterator over the items that a query finds.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let search: Search
            private var items: [CSSearchableItem]?
            private var index = 0

            fileprivate init(search: Search) {
                self.search = search
            }

            /// Returns the next item; nil after the last item.
            ///
            /// - Throws: ``CSSearchQueryError`` or ``CSIndexError`` when the first call cannot search the indexes.
            public mutating func next() async throws -> Item? {
                let items = try self.items ?? search.items()
                self.items = items
                guard index < items.count else { return nil }
                index += 1
                return Item(item: items[index - 1])
            }
        }
    }

    /// The conditions of a query.
    fileprivate struct Search: Sendable {
        let conditions: [String]

        func items() throws -> [CSSearchableItem] {
            let expression = SearchExpression.all(try conditions.map(SearchExpressionParser.expression))
            let folder = try CSSearchableIndex.folder()
            // Without the folder, the app has no index yet.
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            var found: [(rank: Double, item: CSSearchableItem)] = []
            let suffix = CSSearchableIndex.fileSuffix.utf8
            for name in names where name.utf8.suffix(suffix.count).elementsEqual(suffix) {
                for (id, item) in try SearchIndexLog(url: folder.appending(path: name)).items()
                where expression.matches(id, item) {
                    found.append((item.rank, item.item(id)))
                }
            }
            return found.sorted { first, second in
                first.rank == second.rank
                    ? first.item.uniqueIdentifier < second.item.uniqueIdentifier : first.rank > second.rank
            }.map(\.item)
        }
    }
}

/// Additional conditions for a query.
///
/// Source: Apple's CSSearchQueryContext page.
public final class CSSearchQueryContext {
    /// The names of the attributes to fetch. Ignored on Linux, where each found item has all its attributes.
    public var fetchAttributes: [String] = []
    /// Conditions that each item must also meet.
    public var filterQueries: [String] = []

    /// Creates a context without additional conditions.
    public init() {}
}

/// An error in a query.
///
/// Source: Apple's CSSearchQueryError page.
public struct CSSearchQueryError: LocalizedError, Hashable, Sendable {
    /// The kind of error.
    public enum Code: Sendable, Hashable {
        /// The query has a syntax error.
        case invalidQuery
    }

    /// The kind of error.
    public let code: Code
    /// A description of what failed and why.
    public let errorDescription: String?

    init(_ code: Code, _ description: String) {
        self.code = code
        errorDescription = description
    }
}

extension StoredItem {
    fileprivate var rank: Double { if case .number(let rank)? = attributes["rankingHint"] { rank } else { 0 } }

    fileprivate func item(_ id: String) -> CSSearchableItem {
        CSSearchableItem(
            uniqueIdentifier: publicIdentifier(id),
            domainIdentifier: domain,
            attributeSet: CSSearchableItemAttributeSet._restored(itemContentType: contentType, allValues: attributes),
            expirationDate: expires
        )
    }
}
