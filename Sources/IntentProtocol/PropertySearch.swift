/// What an app's query can look for by the properties of an entity, as the catalogue tells.
public struct PropertySearchDeclaration: Hashable, Sendable, Codable {
    /// What can be compared, in the order of declaration.
    public var properties: [SearchableProperty]
    /// The names of what can be sorted by.
    public var sortableBy: [String]

    public init(properties: [SearchableProperty], sortableBy: [String] = []) {
        self.properties = properties
        self.sortableBy = sortableBy
    }
}

/// One property of an entity that a query can compare.
public struct SearchableProperty: Hashable, Sendable, Codable {
    public var name: String
    public var comparators: [PropertyComparator]

    public init(name: String, comparators: [PropertyComparator]) {
        self.name = name
        self.comparators = comparators
    }
}

/// One way in which a property can be compared.
public struct PropertyComparator: Hashable, Sendable, Codable {
    /// `equalTo`, `notEqualTo`, `lessThan`, `lessThanOrEqualTo`, `greaterThan`, `greaterThanOrEqualTo`, `contains`,
    /// `hasPrefix`, `hasSuffix`, `isBetween`; others may come.
    public var name: String
    /// What the property is compared with.
    public var type: ValueType
    /// How many values it is compared with; nil: one.
    public var valueCount: Int?

    public init(name: String, type: ValueType, valueCount: Int? = nil) {
        self.name = name
        self.type = type
        self.valueCount = valueCount
    }

    public var takes: Int { valueCount ?? 1 }
}

/// The wish to know which entities have such properties.
public struct PropertySearch: Hashable, Sendable, Codable {
    /// All must hold, or one; none: every entity is meant.
    public var comparisons: [Comparison]?
    /// Nil: all comparisons must hold.
    public var joined: Joining?
    /// The first counts most. Nil: in the order of the app.
    public var sortedBy: [Order]?
    /// The most entities to find; nil: as many as there are.
    public var limit: Int?

    public init(
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
    public enum Joining: String, Hashable, Sendable, Codable {
        case all
        case any
    }

    /// One property and what it is compared with.
    public struct Comparison: Hashable, Sendable, Codable {
        public var property: String
        public var comparator: String
        /// One; two for `isBetween`.
        public var values: [IntentValue]

        public init(property: String, comparator: String, values: [IntentValue]) {
            self.property = property
            self.comparator = comparator
            self.values = values
        }
    }

    /// A property to sort by.
    public struct Order: Hashable, Sendable, Codable {
        public var property: String
        /// Nil: ascending.
        public var isDescending: Bool?

        public init(property: String, isDescending: Bool? = nil) {
            self.property = property
            self.isDescending = isDescending
        }
    }
}
