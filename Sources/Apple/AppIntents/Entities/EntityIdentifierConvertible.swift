public import Foundation

/// A type that can identify entities. Each id has a stable string representation of at most 4096 characters.
///
/// Source: Apple's EntityIdentifierConvertible page.
public protocol EntityIdentifierConvertible {
    /// The id as a string.
    var entityIdentifierString: String { get }
    /// Returns the id that a string represents; nil if the string is not a valid id.
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

/// A reference to an entity, which contains the entity's type name and id.
///
/// Source: Apple's EntityIdentifier page.
public struct EntityIdentifier: Hashable, Sendable, Codable {
    /// The type's `persistentIdentifier`.
    public let entityType: String
    /// The id as a string.
    public let identifier: String

    /// Creates a reference to an entity.
    public init<Entity: AppEntity>(for entity: Entity) {
        self.init(for: Entity.self, identifier: entity.id)
    }

    /// Creates a reference to the entity with the given id.
    public init<Entity: AppEntity>(for type: Entity.Type, identifier: Entity.ID) {
        entityType = type.persistentIdentifier
        self.identifier = identifier.entityIdentifierString
    }
}

/// An id that contains an entity's id on this host and its id on all of a person's devices. Linux uses the id on this
/// host.
///
/// Source: Apple's SyncableEntityIdentifier page.
public struct SyncableEntityIdentifier<Local, Stable>: Hashable, Sendable, EntityIdentifierConvertible
where
    Local: EntityIdentifierConvertible & Hashable & Sendable, Stable: EntityIdentifierConvertible & Hashable & Sendable
{
    /// The id on this host.
    public let local: Local
    /// The id on all devices; nil in an id that a query receives.
    public let stable: Stable?

    /// Creates an id from both ids of an entity.
    public init(local: Local, stable: Stable) {
        self.init(local, stable)
    }

    private init(_ local: Local, _ stable: Stable?) {
        self.local = local
        self.stable = stable
    }

    public var entityIdentifierString: String { local.entityIdentifierString }

    public static func entityIdentifier(for entityIdentifierString: String) -> Self? {
        Local.entityIdentifier(for: entityIdentifierString).map { Self($0, nil) }
    }

    // An id that a query receives must equal the id of its entity.
    public static func == (left: Self, right: Self) -> Bool { left.local == right.local }

    public func hash(into hasher: inout Hasher) { hasher.combine(local) }
}
