internal import IntentLinux
internal import IntentWire

/// How the values that a parameter can be chosen from can be looked for by their properties.
public struct ParameterSearch: Hashable, Sendable {
    /// What can be compared, in the order of declaration.
    public var properties: [Property]
    /// The names of what can be sorted by.
    public var sortableBy: [String]

    /// Makes a description.
    public init(properties: [Property], sortableBy: [String] = []) {
        self.properties = properties
        self.sortableBy = sortableBy
    }

    /// One property that can be compared.
    public struct Property: Hashable, Sendable {
        public var name: String
        public var comparators: [Comparator]

        /// Makes a description.
        public init(name: String, comparators: [Comparator]) {
            self.name = name
            self.comparators = comparators
        }
    }

    /// One way in which a property can be compared.
    public struct Comparator: Hashable, Sendable {
        /// `equalTo`, `notEqualTo`, `lessThan`, `lessThanOrEqualTo`, `greaterThan`, `greaterThanOrEqualTo`, `contains`,
        /// `hasPrefix`, `hasSuffix`, `isBetween`; others may come.
        public var name: String
        /// What the property is compared with.
        public var type: ParameterType
        /// How many values it is compared with.
        public var valueCount: Int

        /// Makes a description.
        public init(name: String, type: ParameterType, valueCount: Int = 1) {
            self.name = name
            self.type = type
            self.valueCount = valueCount
        }
    }
}

extension ParameterSearch {
    init(_ declared: PropertySearchDeclaration) {
        self.init(
            properties: declared.properties.map { property in
                Property(
                    name: property.name,
                    comparators: property.comparators.map {
                        Comparator(name: $0.name, type: ParameterType($0.type), valueCount: $0.takes)
                    }
                )
            },
            sortableBy: declared.sortableBy
        )
    }
}

/// Which of the values are meant, by their properties.
public struct PropertyQuestion: Hashable, Sendable {
    /// None: every value is meant.
    public var comparisons: [Comparison]
    /// How they are joined.
    public var joining: Joining
    /// The first counts most; none: the order is the app's.
    public var sortedBy: [Order]
    /// The most values to find; nil: as many as there are.
    public var limit: Int?

    /// Makes a question.
    public init(
        comparisons: [Comparison] = [],
        joining: Joining = .all,
        sortedBy: [Order] = [],
        limit: Int? = nil
    ) {
        self.comparisons = comparisons
        self.joining = joining
        self.sortedBy = sortedBy
        self.limit = limit
    }

    /// How comparisons are joined.
    public enum Joining: Hashable, Sendable {
        /// All must hold.
        case all
        /// One is enough.
        case any
    }

    /// A property and what it is compared with.
    public struct Comparison: Hashable, Sendable {
        public var property: String
        /// As ``ParameterSearch/Comparator/name``.
        public var comparator: String
        /// As many as ``ParameterSearch/Comparator/valueCount`` says. No files.
        public var values: [RunValue]

        /// Makes a comparison.
        public init(property: String, comparator: String, values: [RunValue]) {
            self.property = property
            self.comparator = comparator
            self.values = values
        }
    }

    /// A property to sort by.
    public struct Order: Hashable, Sendable {
        public var property: String
        public var isDescending: Bool

        /// Makes a wish for an order.
        public init(property: String, isDescending: Bool = false) {
            self.property = property
            self.isDescending = isDescending
        }
    }
}

extension PropertyQuestion {
    func wireSearch() throws(IntentClientError) -> PropertySearch {
        var files: [SharedFileDescriptor] = []
        var wireComparisons: [PropertySearch.Comparison] = []
        for comparison in comparisons {
            wireComparisons.append(
                PropertySearch.Comparison(
                    property: comparison.property,
                    comparator: comparison.comparator,
                    values: comparison.values.map { $0.wireValue(collecting: &files) }
                )
            )
        }
        guard files.isEmpty else {
            throw IntentClientError(
                .badParameter,
                "a property cannot be compared with a file",
                hint: "compare it with a value."
            )
        }
        return PropertySearch(
            comparisons: wireComparisons.isEmpty ? nil : wireComparisons,
            joined: joining == .any ? .any : nil,
            sortedBy: sortedBy.isEmpty
                ? nil
                : sortedBy.map {
                    PropertySearch.Order(property: $0.property, isDescending: $0.isDescending ? true : nil)
                },
            limit: limit
        )
    }
}
