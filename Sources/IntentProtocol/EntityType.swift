/// A type of an app whose values are named by ids, and found by a query of the app.
public struct EntityType: Hashable, Sendable, Codable {
    /// The name that stays: `persistentIdentifier`.
    public var name: String
    /// For people.
    public var title: String
    /// True: a text that is no id can be looked for.
    public var isSearchable: Bool

    public init(name: String, title: String, isSearchable: Bool = false) {
        self.name = name
        self.title = title
        self.isSearchable = isSearchable
    }

    /// The longest id, in characters; Apple's EntityIdentifierConvertible page has the number.
    public static let identifierLimit = 4096
}

/// A type with named parts.
public struct ObjectType: Hashable, Sendable, Codable {
    /// For people.
    public var title: String
    /// Empty: what parts there are, the app alone knows.
    public var properties: [PropertyDeclaration]

    public init(title: String, properties: [PropertyDeclaration] = []) {
        self.title = title
        self.properties = properties
    }
}

/// One part of an object.
public struct PropertyDeclaration: Hashable, Sendable, Codable {
    public var name: String
    public var title: String
    public var type: ValueType

    public init(name: String, title: String, type: ValueType) {
        self.name = name
        self.title = title
        self.type = type
    }
}
