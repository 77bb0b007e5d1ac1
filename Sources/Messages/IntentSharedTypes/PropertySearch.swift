/// The properties by which an app's query can search for entities, as declared in the catalogue.
public struct PropertySearchDeclaration: Hashable, Sendable, Codable {
    /// The properties that a search can compare, in the order of their declaration.
    public var properties: [SearchableProperty]
    /// The names of the properties by which results can be sorted.
    public var sortableBy: [String]

    /// Creates a declaration.
    public init(properties: [SearchableProperty], sortableBy: [String] = []) {
        self.properties = properties
        self.sortableBy = sortableBy
    }
}

/// One property of an entity that a search can compare.
public struct SearchableProperty: Hashable, Sendable, Codable {
    /// The property's name.
    public var name: String
    /// The comparisons that the property supports.
    public var comparators: [PropertyComparator]

    /// Creates a searchable property.
    public init(name: String, comparators: [PropertyComparator]) {
        self.name = name
        self.comparators = comparators
    }
}

/// A comparison that a property supports.
public struct PropertyComparator: Hashable, Sendable, Codable {
    /// The comparator's name: `equalTo`, `notEqualTo`, `lessThan`, `lessThanOrEqualTo`, `greaterThan`,
    /// `greaterThanOrEqualTo`, `contains`, `hasPrefix`, `hasSuffix` or `isBetween`. Later releases can add others.
    public var name: String
    /// The type of the operands: the values with which the property is compared.
    public var type: ValueType
    /// The number of operands; nil for one operand.
    public var valueCount: Int?

    /// Creates a comparator.
    public init(name: String, type: ValueType, valueCount: Int? = nil) {
        self.name = name
        self.type = type
        self.valueCount = valueCount
    }

    /// The number of operands: two for `isBetween`, otherwise one.
    public var operandCount: Int { valueCount ?? 1 }
}

/// A search for entities by their properties.
public struct PropertySearch: Hashable, Sendable, Codable {
    /// The comparisons that the entities must match; nil to find all entities.
    public var comparisons: [Comparison]?
    /// Whether entities must match all ``comparisons`` or at least one of them; nil for all.
    public var joined: Joining?
    /// The properties to sort by, the most significant first; nil for the app's default order.
    public var sortedBy: [Order]?
    /// The maximum number of entities to find, at least 1; nil for no limit.
    public var limit: Int?

    /// Creates a search. Without arguments, it finds all entities.
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

    /// Whether an entity must match all comparisons or at least one of them.
    public enum Joining: String, Hashable, Sendable, Codable {
        /// An entity must match every comparison.
        case all
        /// An entity must match at least one comparison.
        case any
    }

    /// A comparison of a property with one or two values.
    public struct Comparison: Hashable, Sendable, Codable {
        /// The name of a ``SearchableProperty``.
        public var property: String
        /// The name of one of the property's comparators.
        public var comparator: String
        /// The operands: two values for `isBetween`, one value for the other comparators.
        public var values: [IntentValue]

        /// Creates a comparison.
        public init(property: String, comparator: String, values: [IntentValue]) {
            self.property = property
            self.comparator = comparator
            self.values = values
        }
    }

    /// A property to sort by, and the direction.
    public struct Order: Hashable, Sendable, Codable {
        /// The name of a property in ``PropertySearchDeclaration/sortableBy``.
        public var property: String
        /// True for descending order; nil for ascending order.
        public var isDescending: Bool?

        /// Creates a sort order.
        public init(property: String, isDescending: Bool? = nil) {
            self.property = property
            self.isDescending = isDescending
        }
    }
}
