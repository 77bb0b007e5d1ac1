/// A type of an app whose values are named by ids, and found by a query of the app.
package struct EntityType: Hashable, Sendable, Codable {
    /// The name that stays: `persistentIdentifier`.
    package var name: String
    /// For people.
    package var title: String
    /// True: a text that is no id can be looked for.
    package var isSearchable: Bool

    package init(name: String, title: String, isSearchable: Bool = false) {
        self.name = name
        self.title = title
        self.isSearchable = isSearchable
    }

    /// The longest id, in characters; Apple's EntityIdentifierConvertible page has the number.
    package static let identifierLimit = 4096
}

/// A type with named parts.
package struct ObjectType: Hashable, Sendable, Codable {
    /// For people.
    package var title: String
    /// Empty: what parts there are, the app alone knows.
    package var properties: [PropertyDeclaration]

    package init(title: String, properties: [PropertyDeclaration] = []) {
        self.title = title
        self.properties = properties
    }
}

/// One part of an object.
package struct PropertyDeclaration: Hashable, Sendable, Codable {
    package var name: String
    package var title: String
    package var type: ValueType

    package init(name: String, title: String, type: ValueType) {
        self.name = name
        self.title = title
        self.type = type
    }
}
