public import AppIntents
import Foundation

/// An item in a search index.
///
/// Source: Apple's CSSearchableItem page.
public final class CSSearchableItem: Sendable {
    /// The identifier, which is unique in the index.
    public let uniqueIdentifier: String
    /// The domain, such as `books.novels`. A dot separates a domain from its subdomain.
    public let domainIdentifier: String?
    /// The time after which searches no longer find the item; nil if the item does not expire.
    public let expirationDate: Date?
    /// The attributes of the item. A search examines the strings that they contain.
    public let attributeSet: CSSearchableItemAttributeSet

    /// Creates an item.
    ///
    /// - Parameters:
    ///   - uniqueIdentifier: The identifier; nil for a random identifier.
    ///   - expirationDate: The time after which searches no longer find the item; nil if the item does not expire.
    public init(
        uniqueIdentifier: String?,
        domainIdentifier: String?,
        attributeSet: CSSearchableItemAttributeSet,
        expirationDate: Date? = nil
    ) {
        self.uniqueIdentifier = uniqueIdentifier ?? UUID().uuidString
        self.domainIdentifier = domainIdentifier
        self.attributeSet = attributeSet
        self.expirationDate = expirationDate
    }
}

/// An error from a search index.
///
/// Source: Apple's CSIndexError page.
public struct CSIndexError: LocalizedError, Hashable, Sendable {
    /// The kind of error.
    public enum Code: Sendable, Hashable {
        /// The app has no state folder, or the index cannot be read or written.
        case indexUnavailableError
        /// An item is larger than 256 KiB.
        case invalidItemError
        /// The index would exceed 64 MiB.
        case quotaExceeded
    }

    /// The kind of error.
    public let code: Code
    /// A description of what failed, why, and the next step.
    public let errorDescription: String?

    init(_ code: Code, _ description: String) {
        self.code = code
        errorDescription = description
    }
}
