/// A value to choose, with its title and details.
///
/// Source: Apple's IntentItem page.
public struct IntentItem<Result: _IntentValue>: Sendable {
    /// The value that the item represents.
    public let value: Result
    /// The value's title.
    public let title: LocalizedStringResource
    /// The subtitle, which is shown on a second line.
    public let subtitle: LocalizedStringResource?
    /// The image. Ignored on Linux.
    public let image: DisplayRepresentation.Image?

    /// Creates an item with a title.
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

    /// Creates an item from a value that has a display representation.
    public init(_ value: Result) where Result: InstanceDisplayRepresentable {
        self.init(describing: value)
    }

    /// Creates an item with the title from the value's display representation or, if it has none, the value's
    /// description.
    init(describing value: Result) {
        if let type = Result.ValueType.self as? any AppEntity.Type,
            !RunCaller.current.satisfies(type.authenticationPolicy)
        {
            self.init(value, title: type.typeDisplayRepresentation.name)
        } else if let shown = (value as? any InstanceDisplayRepresentable)?.displayRepresentation {
            self.init(value, title: shown.title, subtitle: shown.subtitle, image: shown.image)
        } else if let shown = value as? any CustomLocalizedStringResourceConvertible {
            self.init(value, title: shown.localizedStringResource)
        } else {
            self.init(value, title: LocalizedStringResource(stringLiteral: "\(value)"))
        }
    }

    /// A result builder that collects items.
    @resultBuilder
    public enum Builder {
        /// Adds an item.
        public static func buildExpression(_ item: IntentItem<Result>) -> [IntentItem<Result>] { [item] }
        /// Adds a value as an item.
        public static func buildExpression(_ value: Result) -> [IntentItem<Result>] { [IntentItem(describing: value)] }
        /// Adds a list of items.
        public static func buildExpression(_ items: [IntentItem<Result>]) -> [IntentItem<Result>] { items }
        /// Combines the items of a block.
        public static func buildBlock(_ items: [IntentItem<Result>]...) -> [IntentItem<Result>] {
            items.flatMap(\.self)
        }
        /// Adds the items of an `if` without `else`.
        public static func buildOptional(_ items: [IntentItem<Result>]?) -> [IntentItem<Result>] { items ?? [] }
        /// Adds the items of an `if` that has an `else`.
        public static func buildEither(first items: [IntentItem<Result>]) -> [IntentItem<Result>] { items }
        /// Adds the items of an `else`.
        public static func buildEither(second items: [IntentItem<Result>]) -> [IntentItem<Result>] { items }
        /// Combines the items of a loop.
        public static func buildArray(_ items: [[IntentItem<Result>]]) -> [IntentItem<Result>] { items.flatMap(\.self) }
    }
}

/// A section of values to choose from.
///
/// Source: Apple's IntentItemSection page.
public struct IntentItemSection<Result: _IntentValue>: Sendable {
    /// The section's title; nil for a section without a title.
    public let title: LocalizedStringResource?
    /// The subtitle, which is shown on a second line.
    public let subtitle: LocalizedStringResource?
    /// The image. Ignored on Linux.
    public let image: DisplayRepresentation.Image?
    /// The items, in order.
    public let items: [IntentItem<Result>]
}

extension IntentItemSection {
    /// Creates a section without a title.
    public init(items: [IntentItem<Result>]) {
        self.init(title: nil, subtitle: nil, image: nil, items: items)
    }

    /// Creates a section with a title.
    public init(
        _ title: LocalizedStringResource,
        subtitle: LocalizedStringResource? = nil,
        image: DisplayRepresentation.Image? = nil,
        items: [IntentItem<Result>]
    ) {
        self.init(title: title, subtitle: subtitle, image: image, items: items)
    }

    /// Creates a section with a title. This is an earlier form of ``init(_:subtitle:image:items:)``.
    public init(title: LocalizedStringResource, items: [IntentItem<Result>]) {
        self.init(title: title, subtitle: nil, image: nil, items: items)
    }

    /// Creates a section from values, without a title.
    public init(items: [Result]) {
        self.init(title: nil, subtitle: nil, image: nil, items: items.map { IntentItem(describing: $0) })
    }

    /// Creates a section from values, with a title.
    public init(
        _ title: LocalizedStringResource,
        subtitle: LocalizedStringResource? = nil,
        image: DisplayRepresentation.Image? = nil,
        items: [Result]
    ) {
        self.init(title: title, subtitle: subtitle, image: image, items: items.map { IntentItem(describing: $0) })
    }

    /// Creates a section from the items that a result builder collects.
    public init(
        _ title: LocalizedStringResource? = nil,
        subtitle: LocalizedStringResource? = nil,
        image: DisplayRepresentation.Image? = nil,
        @IntentItem<Result>.Builder itemsBuilder: () -> [IntentItem<Result>]
    ) {
        self.init(title: title, subtitle: subtitle, image: image, items: itemsBuilder())
    }

    /// A result builder that collects sections.
    @resultBuilder
    public enum Builder {
        /// Adds a section.
        public static func buildExpression(_ section: IntentItemSection<Result>) -> [IntentItemSection<Result>] {
            [section]
        }
        /// Adds a list of sections.
        public static func buildExpression(_ sections: [IntentItemSection<Result>]) -> [IntentItemSection<Result>] {
            sections
        }
        /// Combines the sections of a block.
        public static func buildBlock(_ sections: [IntentItemSection<Result>]...) -> [IntentItemSection<Result>] {
            sections.flatMap(\.self)
        }
        /// Adds the sections of an `if` without `else`.
        public static func buildOptional(_ sections: [IntentItemSection<Result>]?) -> [IntentItemSection<Result>] {
            sections ?? []
        }
        /// Adds the sections of an `if` that has an `else`.
        public static func buildEither(first sections: [IntentItemSection<Result>]) -> [IntentItemSection<Result>] {
            sections
        }
        /// Adds the sections of an `else`.
        public static func buildEither(second sections: [IntentItemSection<Result>]) -> [IntentItemSection<Result>] {
            sections
        }
        /// Combines the sections of a loop.
        public static func buildArray(_ sections: [[IntentItemSection<Result>]]) -> [IntentItemSection<Result>] {
            sections.flatMap(\.self)
        }
    }
}

/// Values to choose from, arranged in sections.
///
/// Source: Apple's IntentItemCollection page.
public struct IntentItemCollection<Result: _IntentValue>: ResultsCollection, Sendable {
    /// The prompt that asks the person to choose.
    public let promptLabel: LocalizedStringResource?
    /// True if the list may be shown with an alphabetical index. Ignored on Linux.
    public let usesIndexedCollation: Bool
    /// The sections, in order.
    public let sections: [IntentItemSection<Result>]

    public var _sections: [IntentItemSection<Result>] { sections }

    /// Creates a collection from sections.
    public init(
        promptLabel: LocalizedStringResource? = nil,
        usesIndexedCollation: Bool = false,
        sections: [IntentItemSection<Result>]
    ) {
        self.promptLabel = promptLabel
        self.usesIndexedCollation = usesIndexedCollation
        self.sections = sections
    }

    /// Creates a collection from items, without sections.
    // Disfavoured so that Swift treats an empty array literal as a list of values.
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

    /// Creates a collection from values, without sections.
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

    /// Creates a collection from the sections that a result builder collects.
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

    /// A collection without values.
    public static var empty: IntentItemCollection<Result> { IntentItemCollection(sections: []) }
}
