import AppIntents
import Foundation

/// An item as an index stores it.
struct StoredItem: Codable, Equatable, Sendable {
    /// The name of the entity's type; nil for an item that is not an entity.
    var entityType: String?
    var domain: String?
    var expires: Date?
    var contentType: String
    var attributes: [String: CSSearchableItemAttributeSet.Value]

    func hasExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }
}

/// A change to an index. An index's log contains its changes in order.
enum SearchIndexChange: Codable, Equatable, Sendable {
    /// Inserts an item, or replaces the item with the same id.
    case put(id: String, item: StoredItem)
    /// Removes the items with these ids.
    case remove(ids: [String])
    /// Removes the items in these domains and in their subdomains.
    case removeDomains([String])
    /// Removes the entities of a type.
    case removeEntities(type: String)

    func apply(to items: inout [String: StoredItem]) {
        switch self {
        case .put(let id, let item): items[id] = item
        case .remove(let ids): for id in ids { items[id] = nil }
        case .removeDomains(let domains):
            items = items.filter { _, item in
                !domains.contains { item.domain == $0 || item.domain?.utf8.starts(with: ($0 + ".").utf8) == true }
            }
        case .removeEntities(let type): items = items.filter { $0.value.entityType != type }
        }
    }
}
