/// A type of entity that an app defines. One of the app's queries finds entities of the type by their identifiers.
public struct EntityType: Hashable, Sendable, Codable {
    /// The type's stable name: its `persistentIdentifier`.
    public var name: String
    /// The type's display name.
    public var title: String
    /// True when the app can also search for entities of this type by a string that is not an identifier.
    public var isSearchable: Bool

    /// Creates an entity type.
    public init(name: String, title: String, isSearchable: Bool = false) {
        self.name = name
        self.title = title
        self.isSearchable = isSearchable
    }

    /// The maximum length of an entity's identifier, in characters. Apple documents this limit for
    /// EntityIdentifierConvertible.
    public static let identifierLimit = 4096
}

/// A type of object with named properties.
public struct ObjectType: Hashable, Sendable, Codable {
    /// The type's display name.
    public var title: String
    /// The properties of the object; empty when the app does not declare them.
    public var properties: [PropertyDeclaration]

    /// Creates an object type.
    public init(title: String, properties: [PropertyDeclaration] = []) {
        self.title = title
        self.properties = properties
    }
}

/// One property of an object.
public struct PropertyDeclaration: Hashable, Sendable, Codable {
    /// The property's key in the object.
    public var name: String
    /// The property's display name.
    public var title: String
    /// The type of the property's value.
    public var type: ValueType
    /// A description of the value, which tells an agent how to fill it in; nil when the property has no description.
    public var summary: String?
    /// True when an object without the property is invalid; nil otherwise.
    public var isRequired: Bool?

    /// Creates a property.
    public init(name: String, title: String, type: ValueType, summary: String? = nil, isRequired: Bool? = nil) {
        self.name = name
        self.title = title
        self.type = type
        self.summary = summary
        self.isRequired = isRequired
    }
}
