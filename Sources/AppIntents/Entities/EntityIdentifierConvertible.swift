public import Foundation

/// A type of entity ids. Each id has a stable text form of at most 4096 characters.
///
/// Source: Apple's EntityIdentifierConvertible page.
public protocol EntityIdentifierConvertible {
    /// The id as text.
    var entityIdentifierString: String { get }
    /// Returns the id that a text represents; nil if the text is not an id.
    static func entityIdentifier(for entityIdentifierString: String) -> Self?
}

extension String: EntityIdentifierConvertible {
    public var entityIdentifierString: String { self }
    public static func entityIdentifier(for entityIdentifierString: String) -> String? { entityIdentifierString }
}

extension Int: EntityIdentifierConvertible {
    public var entityIdentifierString: String { String(self) }
    public static func entityIdentifier(for entityIdentifierString: String) -> Int? { Int(entityIdentifierString) }
}

extension UUID: EntityIdentifierConvertible {
    public var entityIdentifierString: String { uuidString }
    public static func entityIdentifier(for entityIdentifierString: String) -> UUID? {
        UUID(uuidString: entityIdentifierString)
    }
}

extension EntityIdentifierConvertible where Self: RawRepresentable, RawValue: EntityIdentifierConvertible {
    public var entityIdentifierString: String { rawValue.entityIdentifierString }
    public static func entityIdentifier(for entityIdentifierString: String) -> Self? {
        RawValue.entityIdentifier(for: entityIdentifierString).flatMap { Self(rawValue: $0) }
    }
}

/// A reference to an entity, by its type's name and its id.
///
/// Source: Apple's EntityIdentifier page.
public struct EntityIdentifier: Hashable, Sendable, Codable {
    /// The type's `persistentIdentifier`.
    public let entityType: String
    /// The id as text.
    public let identifier: String

    /// Creates the identifier of an entity.
    public init<Entity: AppEntity>(for entity: Entity) {
        self.init(for: Entity.self, identifier: entity.id)
    }

    /// Creates the identifier of the entity with an id.
    public init<Entity: AppEntity>(for type: Entity.Type, identifier: Entity.ID) {
        entityType = type.persistentIdentifier
        self.identifier = identifier.entityIdentifierString
    }
}
