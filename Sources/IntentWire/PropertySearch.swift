/// What an app's query can look for by the properties of an entity, as the catalogue tells.
package struct PropertySearchDeclaration: Hashable, Sendable, Codable {
    /// What can be compared, in the order of declaration.
    package var properties: [SearchableProperty]
    /// The names of what can be sorted by.
    package var sortableBy: [String]

    package init(properties: [SearchableProperty], sortableBy: [String] = []) {
        self.properties = properties
        self.sortableBy = sortableBy
    }
}

/// One property of an entity that a query can compare.
package struct SearchableProperty: Hashable, Sendable, Codable {
    package var name: String
    package var comparators: [PropertyComparator]

    package init(name: String, comparators: [PropertyComparator]) {
        self.name = name
        self.comparators = comparators
    }
}

/// One way in which a property can be compared.
package struct PropertyComparator: Hashable, Sendable, Codable {
    /// `equalTo`, `notEqualTo`, `lessThan`, `lessThanOrEqualTo`, `greaterThan`, `greaterThanOrEqualTo`, `contains`,
    /// `hasPrefix`, `hasSuffix`, `isBetween`; others may come.
    package var name: String
    /// What the property is compared with.
    package var type: ValueType
    /// How many values it is compared with; nil: one.
    package var valueCount: Int?

    package init(name: String, type: ValueType, valueCount: Int? = nil) {
        self.name = name
        self.type = type
        self.valueCount = valueCount
    }

    package var takes: Int { valueCount ?? 1 }
}

/// The wish to know which entities have such properties.
package struct PropertySearch: Hashable, Sendable, Codable {
    /// All must hold, or one; none: every entity is meant.
    package var comparisons: [Comparison]?
    /// Nil: all comparisons must hold.
    package var joined: Joining?
    /// The first counts most. Nil: in the order of the app.
    package var sortedBy: [Order]?
    /// The most entities to find; nil: as many as there are.
    package var limit: Int?

    package init(
        comparisons: [Comparison]? = nil,
        joined: Joining? = nil,
        sortedBy: [Order]? = nil,
        limit: Int? = nil
    ) {
        self.comparisons = comparisons
        self.joined = joined
        self.sortedBy = sortedBy
        self.limit = limit
    }

    /// How comparisons are joined.
    package enum Joining: String, Hashable, Sendable, Codable {
        case all
        case any
    }

    /// One property and what it is compared with.
    package struct Comparison: Hashable, Sendable, Codable {
        package var property: String
        package var comparator: String
        /// One; two for `isBetween`.
        package var values: [IntentValue]

        package init(property: String, comparator: String, values: [IntentValue]) {
            self.property = property
            self.comparator = comparator
            self.values = values
        }
    }

    /// A property to sort by.
    package struct Order: Hashable, Sendable, Codable {
        package var property: String
        /// Nil: ascending.
        package var isDescending: Bool?

        package init(property: String, isDescending: Bool? = nil) {
            self.property = property
            self.isDescending = isDescending
        }
    }
}
