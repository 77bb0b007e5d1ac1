public import AppIntents
import Foundation

/// An app's search index: a file in the app's state folder. ``CSSearchQuery`` searches all the app's indexes.
///
/// Each change acquires the `IntentState` lock, so that concurrent runs of the app can change the index. A change
/// appends to the file, and takes effect either as a whole or, if the process or the host crashes, not at all. No other
/// app can read the index, and other users can read it only with `State=shared`. An index is limited to 64 MiB.
///
/// Source: Apple's CSSearchableIndex page.
public final class CSSearchableIndex: Sendable {
    private let name: String
    private static let standard = CSSearchableIndex(name: "default")

    /// Creates a reference to the index with the given name. The first change creates the index itself.
    public init(name: String) {
        self.name = name
    }

    /// Returns the app's default index.
    public static func `default`() -> CSSearchableIndex { standard }

    /// Returns true if the app has a state folder.
    public static func isIndexingAvailable() -> Bool { IntentState.directory != nil }

    // MARK: Items

    /// Adds items. Existing items with the same identifiers are replaced.
    ///
    /// - Throws: ``CSIndexError`` when an item or the index is too large, or the app has no state folder. The index is
    ///   then unchanged.
    public func indexSearchableItems(_ items: [CSSearchableItem]) async throws {
        try await change(items.map { .put(id: $0.uniqueIdentifier, item: $0.stored(ofType: nil)) })
    }

    /// Removes the items with these identifiers.
    ///
    /// - Throws: ``CSIndexError`` when the index cannot be changed.
    public func deleteSearchableItems(withIdentifiers identifiers: [String]) async throws {
        try await change([.remove(ids: identifiers)])
    }

    /// Removes the items in these domains and in their subdomains.
    ///
    /// - Throws: ``CSIndexError`` when the index cannot be changed.
    public func deleteSearchableItems(withDomainIdentifiers domainIdentifiers: [String]) async throws {
        try await change([.removeDomains(domainIdentifiers)])
    }

    /// Removes all items.
    ///
    /// - Throws: ``CSIndexError`` when the index cannot be changed.
    public func deleteAllSearchableItems() async throws {
        try await change { try $0.removeAll() }
    }

    // MARK: Entities

    /// Adds entities with their attributes. Existing entities with the same type and id are replaced.
    ///
    /// - Parameter priority: The ranking hint for entities that do not set one; 0 for no ranking hint.
    /// - Throws: ``CSIndexError`` when an entity or the index is too large, or the app has no state folder. The index
    ///   is then unchanged.
    public func indexAppEntities<Entity: IndexedEntity>(_ entities: [Entity], priority: Int = 0) async throws {
        let changes = entities.map { entity in
            let attributes = entity.attributeSet
            if priority != 0, attributes.rankingHint == nil { attributes.rankingHint = NSNumber(value: priority) }
            let item = CSSearchableItem(
                uniqueIdentifier: Self.identifier(entity.id, Entity.self),
                domainIdentifier: attributes.domainIdentifier,
                attributeSet: attributes
            )
            return SearchIndexChange.put(
                id: item.uniqueIdentifier,
                item: item.stored(ofType: Entity.persistentIdentifier)
            )
        }
        try await change(changes)
    }

    /// Removes the entities that have the given type and ids.
    ///
    /// - Throws: ``CSIndexError`` when the index cannot be changed.
    public func deleteAppEntities<Entity: IndexedEntity>(
        identifiedBy identifiers: [Entity.ID],
        ofType type: Entity.Type
    ) async throws {
        try await deleteSearchableItems(withIdentifiers: identifiers.map { Self.identifier($0, type) })
    }

    /// Removes all entities of a type.
    ///
    /// - Throws: ``CSIndexError`` when the index cannot be changed.
    public func deleteAppEntities<Entity: IndexedEntity>(ofType type: Entity.Type) async throws {
        try await change([.removeEntities(type: type.persistentIdentifier)])
    }

    // MARK: Search

    /// Returns the sorted identifiers of the items that contain every word of a string. Specific to Linux.
    ///
    /// The search ignores case, and includes all of an item's strings. For an entity, the result contains the entity's
    /// id.
    ///
    /// - Throws: ``CSIndexError`` when the index cannot be read.
    public func identifiers(matching text: String, limit: Int = 1000) async throws -> [String] {
        let words = SearchPattern.normalized(text.lowercased()).unicodeScalars
            .split(whereSeparator: \.properties.isWhitespace).map { Data(String($0).utf8) }
        let found = try SearchIndexLog(url: try location()).items().filter { _, item in
            let texts = item.texts.map { Data(SearchPattern.normalized($0.lowercased()).utf8) }
            return words.allSatisfy { word in texts.contains { $0.range(of: word) != nil } }
        }
        return found.map { id, item in item.publicIdentifier(id) }.sorted().prefix(max(limit, 0)).map { $0 }
    }

    // MARK: Private

    private static func identifier<Entity: AppEntity>(_ id: Entity.ID, _ type: Entity.Type) -> String {
        "\(type.persistentIdentifier)/\(id.entityIdentifierString)"
    }

    /// Returns the folder that contains the app's indexes.
    static func folder() throws -> URL {
        guard let folder = IntentState.directory else {
            throw CSIndexError(
                .indexUnavailableError,
                "cannot use a search index: the app has no state folder; remove State=no from the app's .conf"
            )
        }
        return URL(filePath: folder).appending(path: ".search-index")
    }

    /// The suffix of an index file's name.
    static let fileSuffix = ".log"

    private func location() throws -> URL {
        // Encode the name, because it can contain characters that a file name cannot.
        let safe = name.utf8.map { byte in
            switch UnicodeScalar(byte) {
            case "A"..."Z", "a"..."z", "0"..."9": String(UnicodeScalar(byte))
            default: "_" + String(byte, radix: 16)
            }
        }.joined()
        return try Self.folder().appending(path: String(safe.unicodeScalars.prefix(200)) + Self.fileSuffix)
    }

    private func change(_ changes: [SearchIndexChange]) async throws {
        try await change { try $0.append(changes) }
    }

    private func change(_ work: (SearchIndexLog) throws -> Void) async throws {
        let log = SearchIndexLog(url: try location())
        do {
            try await IntentState.withLock { try work(log) }
        } catch let error as IntentStateError where error == .alreadyLocked {
            // The calling task already holds the lock.
            try work(log)
        }
    }
}

extension CSSearchableItem {
    fileprivate func stored(ofType entityType: String?) -> StoredItem {
        StoredItem(
            entityType: entityType,
            domain: domainIdentifier,
            expires: expirationDate,
            contentType: attributeSet.contentType,
            attributes: attributeSet.allValues
        )
    }
}

extension StoredItem {
    /// The identifier that the app knows: the id of an entity, or the identifier of any other item.
    func publicIdentifier(_ id: String) -> String {
        entityType.map { String(id.unicodeScalars.dropFirst($0.unicodeScalars.count + 1)) } ?? id
    }

    /// All of the item's strings.
    var texts: [String] { attributes.values.flatMap(\.texts) }
}

extension CSSearchableItemAttributeSet.Value {
    /// The value's strings.
    var texts: [String] {
        switch self {
        case .text(let text): [text]
        case .texts(let texts): texts
        case .number, .date, .url, .data: []
        }
    }
}
