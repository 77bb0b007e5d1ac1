/// A type of an app's entities. A query of the app finds the entities by identifier.
public struct EntityType: Hashable, Sendable, Codable {
    /// The stable name: `persistentIdentifier`.
    public var name: String
    /// The type's display name.
    public var title: String
    /// True when the app also finds entities by a text that is not an identifier.
    public var isSearchable: Bool

    /// Creates an entity type.
    public init(name: String, title: String, isSearchable: Bool = false) {
        self.name = name
        self.title = title
        self.isSearchable = isSearchable
    }

    /// The maximum length of an identifier, in characters, from Apple's documentation of EntityIdentifierConvertible.
    public static let identifierLimit = 4096
}

/// A type with named properties.
public struct ObjectType: Hashable, Sendable, Codable {
    /// The type's display name.
    public var title: String
    /// The properties; empty when only the app knows them.
    public var properties: [PropertyDeclaration]

    /// Creates an object type.
    public init(title: String, properties: [PropertyDeclaration] = []) {
        self.title = title
        self.properties = properties
    }
}

/// One property of an object.
public struct PropertyDeclaration: Hashable, Sendable, Codable {
    /// The key in the object.
    public var name: String
    /// The property's display name.
    public var title: String
    /// The type of the property's value.
    public var type: ValueType

    /// Creates a property.
    public init(name: String, title: String, type: ValueType) {
        self.name = name
        self.title = title
        self.type = type
    }
}
