/// A value to choose, and its presentation.
///
/// Source: Apple's IntentItem page.
public struct IntentItem<Result: _IntentValue>: Sendable {
    /// The value.
    public let value: Result
    /// The value's name.
    public let title: LocalizedStringResource
    /// The second line.
    public let subtitle: LocalizedStringResource?
    /// The picture. Ignored on Linux.
    public let image: DisplayRepresentation.Image?

    /// A value with a name.
    public init(
        _ value: Result,
        title: LocalizedStringResource,
        subtitle: LocalizedStringResource? = nil,
        image: DisplayRepresentation.Image? = nil
    ) {
        self.value = value
        self.title = title
        self.subtitle = subtitle
        self.image = image
    }

    /// A value that provides its own representation.
    public init(_ value: Result) where Result: InstanceDisplayRepresentable {
        self.init(describing: value)
    }

    /// A value named by its representation, or else by its text.
    init(describing value: Result) {
        if let shown = value as? any InstanceDisplayRepresentable {
            let representation = shown.displayRepresentation
            self.init(
                value,
                title: representation.title,
                subtitle: representation.subtitle,
                image: representation.image
            )
        } else if let shown = value as? any CustomLocalizedStringResourceConvertible {
            self.init(value, title: shown.localizedStringResource)
        } else {
            self.init(value, title: LocalizedStringResource(stringLiteral: "\(value)"))
        }
    }

    /// Collects items.
    @resultBuilder
    public enum Builder {
        /// Accepts an item or a section.
        public static func buildExpression(_ item: IntentItem<Result>) -> [IntentItem<Result>] { [item] }
        /// Accepts an item or a section.
        public static func buildExpression(_ value: Result) -> [IntentItem<Result>] { [IntentItem(describing: value)] }
        /// Accepts an item or a section.
        public static func buildExpression(_ items: [IntentItem<Result>]) -> [IntentItem<Result>] { items }
        /// Combines the values of a block.
        public static func buildBlock(_ items: [IntentItem<Result>]...) -> [IntentItem<Result>] {
            items.flatMap(\.self)
        }
        /// Accepts the values of an `if` without `else`.
        public static func buildOptional(_ items: [IntentItem<Result>]?) -> [IntentItem<Result>] { items ?? [] }
        /// Accepts the values of an `if`.
        public static func buildEither(first items: [IntentItem<Result>]) -> [IntentItem<Result>] { items }
        /// Accepts the values of an `else`.
        public static func buildEither(second items: [IntentItem<Result>]) -> [IntentItem<Result>] { items }
        /// Combines the values of a loop.
        public static func buildArray(_ items: [[IntentItem<Result>]]) -> [IntentItem<Result>] { items.flatMap(\.self) }
    }
}

/// Values to choose from under a title.
///
/// Source: Apple's IntentItemSection page.
public struct IntentItemSection<Result: _IntentValue>: Sendable {
    /// The section's title; nil when it has none.
    public let title: LocalizedStringResource?
    /// The second line.
    public let subtitle: LocalizedStringResource?
    /// The picture. Ignored on Linux.
    public let image: DisplayRepresentation.Image?
    /// The values.
    public let items: [IntentItem<Result>]

    private init(
        title: LocalizedStringResource?,
        subtitle: LocalizedStringResource?,
        image: DisplayRepresentation.Image?,
        all items: [IntentItem<Result>]
    ) {
        self.title = title
        self.subtitle = subtitle
        self.image = image
        self.items = items
    }

    /// A section without a title.
    public init(items: [IntentItem<Result>]) {
        self.init(title: nil, subtitle: nil, image: nil, all: items)
    }

    /// A section with a title.
    public init(
        _ title: LocalizedStringResource,
        subtitle: LocalizedStringResource? = nil,
        image: DisplayRepresentation.Image? = nil,
        items: [IntentItem<Result>]
    ) {
        self.init(title: title, subtitle: subtitle, image: image, all: items)
    }

    /// A section with a title, in an earlier spelling.
    public init(title: LocalizedStringResource, items: [IntentItem<Result>]) {
        self.init(title: title, subtitle: nil, image: nil, all: items)
    }

    /// A section of values without a title.
    public init(items: [Result]) {
        self.init(title: nil, subtitle: nil, image: nil, all: items.map { IntentItem(describing: $0) })
    }

    /// A section of values with a title.
    public init(
        _ title: LocalizedStringResource,
        subtitle: LocalizedStringResource? = nil,
        image: DisplayRepresentation.Image? = nil,
        items: [Result]
    ) {
        self.init(title: title, subtitle: subtitle, image: image, all: items.map { IntentItem(describing: $0) })
    }

    /// A section of items from a builder.
    public init(
        _ title: LocalizedStringResource? = nil,
        subtitle: LocalizedStringResource? = nil,
        image: DisplayRepresentation.Image? = nil,
        @IntentItem<Result>.Builder itemsBuilder: () -> [IntentItem<Result>]
    ) {
        self.init(title: title, subtitle: subtitle, image: image, all: itemsBuilder())
    }

    /// Collects sections.
    @resultBuilder
    public enum Builder {
        /// Accepts an item or a section.
        public static func buildExpression(_ section: IntentItemSection<Result>) -> [IntentItemSection<Result>] {
            [section]
        }
        /// Accepts an item or a section.
        public static func buildExpression(_ sections: [IntentItemSection<Result>]) -> [IntentItemSection<Result>] {
            sections
        }
        /// Combines the values of a block.
        public static func buildBlock(_ sections: [IntentItemSection<Result>]...) -> [IntentItemSection<Result>] {
            sections.flatMap(\.self)
        }
        /// Accepts the values of an `if` without `else`.
        public static func buildOptional(_ sections: [IntentItemSection<Result>]?) -> [IntentItemSection<Result>] {
            sections ?? []
        }
        /// Accepts the values of an `if`.
        public static func buildEither(first sections: [IntentItemSection<Result>]) -> [IntentItemSection<Result>] {
            sections
        }
        /// Accepts the values of an `else`.
        public static func buildEither(second sections: [IntentItemSection<Result>]) -> [IntentItemSection<Result>] {
            sections
        }
        /// Combines the values of a loop.
        public static func buildArray(_ sections: [[IntentItemSection<Result>]]) -> [IntentItemSection<Result>] {
            sections.flatMap(\.self)
        }
    }
}

/// Values to choose from, in sections.
///
/// Source: Apple's IntentItemCollection page.
public struct IntentItemCollection<Result: _IntentValue>: ResultsCollection, Sendable {
    /// The prompt for the person.
    public let promptLabel: LocalizedStringResource?
    /// Whether the list may be shown with an alphabetical index. Ignored on Linux.
    public let usesIndexedCollation: Bool
    /// The sections, in order.
    public let sections: [IntentItemSection<Result>]

    public var _sections: [IntentItemSection<Result>] { sections }

    /// A collection of sections.
    public init(
        promptLabel: LocalizedStringResource? = nil,
        usesIndexedCollation: Bool = false,
        sections: [IntentItemSection<Result>]
    ) {
        self.promptLabel = promptLabel
        self.usesIndexedCollation = usesIndexedCollation
        self.sections = sections
    }

    /// A collection of items without sections.
    // Disfavoured, so that an empty list is a list of values.
    @_disfavoredOverload
    public init(
        promptLabel: LocalizedStringResource? = nil,
        usesIndexedCollation: Bool = false,
        items: [IntentItem<Result>]
    ) {
        self.init(
            promptLabel: promptLabel,
            usesIndexedCollation: usesIndexedCollation,
            sections: [IntentItemSection(items: items)]
        )
    }

    /// A collection of values without sections.
    public init(
        promptLabel: LocalizedStringResource? = nil,
        usesIndexedCollation: Bool = false,
        items: [Result]
    ) {
        self.init(
            promptLabel: promptLabel,
            usesIndexedCollation: usesIndexedCollation,
            sections: [IntentItemSection(items: items)]
        )
    }

    /// A collection of sections from a builder.
    public init(
        promptLabel: LocalizedStringResource? = nil,
        usesIndexedCollation: Bool = false,
        @IntentItemSection<Result>.Builder sectionsBuilder: () -> [IntentItemSection<Result>]
    ) {
        self.init(
            promptLabel: promptLabel,
            usesIndexedCollation: usesIndexedCollation,
            sections: sectionsBuilder()
        )
    }

    /// An empty collection.
    public static var empty: IntentItemCollection<Result> { IntentItemCollection(sections: []) }
}
