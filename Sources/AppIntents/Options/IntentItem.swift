/// One value to choose, and how it looks.
///
/// Source: Apple's IntentItem page.
public struct IntentItem<Result: _IntentValue>: Sendable {
    /// The value.
    public let value: Result
    /// What it is called.
    public let title: LocalizedStringResource
    /// A second line.
    public let subtitle: LocalizedStringResource?
    /// A picture. On Linux nobody shows it.
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

    /// A value that knows its name.
    public init(_ value: Result) where Result: InstanceDisplayRepresentable {
        self.init(describing: value)
    }

    /// A value called as it says itself, or as its text.
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
        public static func buildExpression(_ item: IntentItem<Result>) -> [IntentItem<Result>] { [item] }
        public static func buildExpression(_ value: Result) -> [IntentItem<Result>] { [IntentItem(describing: value)] }
        public static func buildExpression(_ items: [IntentItem<Result>]) -> [IntentItem<Result>] { items }
        public static func buildBlock(_ items: [IntentItem<Result>]...) -> [IntentItem<Result>] {
            items.flatMap(\.self)
        }
        public static func buildOptional(_ items: [IntentItem<Result>]?) -> [IntentItem<Result>] { items ?? [] }
        public static func buildEither(first items: [IntentItem<Result>]) -> [IntentItem<Result>] { items }
        public static func buildEither(second items: [IntentItem<Result>]) -> [IntentItem<Result>] { items }
        public static func buildArray(_ items: [[IntentItem<Result>]]) -> [IntentItem<Result>] { items.flatMap(\.self) }
    }
}

/// Some values to choose from under a title.
///
/// Source: Apple's IntentItemSection page.
public struct IntentItemSection<Result: _IntentValue>: Sendable {
    /// What the section is called; nil: nothing.
    public let title: LocalizedStringResource?
    /// A second line.
    public let subtitle: LocalizedStringResource?
    /// A picture. On Linux nobody shows it.
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

    /// Items without a title.
    public init(items: [IntentItem<Result>]) {
        self.init(title: nil, subtitle: nil, image: nil, all: items)
    }

    /// Items under a title.
    public init(
        _ title: LocalizedStringResource,
        subtitle: LocalizedStringResource? = nil,
        image: DisplayRepresentation.Image? = nil,
        items: [IntentItem<Result>]
    ) {
        self.init(title: title, subtitle: subtitle, image: image, all: items)
    }

    /// The earlier spelling.
    public init(title: LocalizedStringResource, items: [IntentItem<Result>]) {
        self.init(title: title, subtitle: nil, image: nil, all: items)
    }

    /// Values without a title.
    public init(items: [Result]) {
        self.init(title: nil, subtitle: nil, image: nil, all: items.map { IntentItem(describing: $0) })
    }

    /// Values under a title.
    public init(
        _ title: LocalizedStringResource,
        subtitle: LocalizedStringResource? = nil,
        image: DisplayRepresentation.Image? = nil,
        items: [Result]
    ) {
        self.init(title: title, subtitle: subtitle, image: image, all: items.map { IntentItem(describing: $0) })
    }

    /// Items made one by one.
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
        public static func buildExpression(_ section: IntentItemSection<Result>) -> [IntentItemSection<Result>] {
            [section]
        }
        public static func buildExpression(_ sections: [IntentItemSection<Result>]) -> [IntentItemSection<Result>] {
            sections
        }
        public static func buildBlock(_ sections: [IntentItemSection<Result>]...) -> [IntentItemSection<Result>] {
            sections.flatMap(\.self)
        }
        public static func buildOptional(_ sections: [IntentItemSection<Result>]?) -> [IntentItemSection<Result>] {
            sections ?? []
        }
        public static func buildEither(first sections: [IntentItemSection<Result>]) -> [IntentItemSection<Result>] {
            sections
        }
        public static func buildEither(second sections: [IntentItemSection<Result>]) -> [IntentItemSection<Result>] {
            sections
        }
        public static func buildArray(_ sections: [[IntentItemSection<Result>]]) -> [IntentItemSection<Result>] {
            sections.flatMap(\.self)
        }
    }
}

/// Values to choose from, in sections.
///
/// Source: Apple's IntentItemCollection page.
public struct IntentItemCollection<Result: _IntentValue>: ResultsCollection, Sendable {
    /// What a person is asked.
    public let promptLabel: LocalizedStringResource?
    /// True: a display may offer letters to jump to. Without meaning on Linux.
    public let usesIndexedCollation: Bool
    /// The sections in order.
    public let sections: [IntentItemSection<Result>]

    public var _sections: [IntentItemSection<Result>] { sections }

    /// Sections.
    public init(
        promptLabel: LocalizedStringResource? = nil,
        usesIndexedCollation: Bool = false,
        sections: [IntentItemSection<Result>]
    ) {
        self.promptLabel = promptLabel
        self.usesIndexedCollation = usesIndexedCollation
        self.sections = sections
    }

    /// Items without sections.
    // Disfavoured: an empty list is one of values.
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

    /// Values without sections.
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

    /// Sections made one by one.
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

    /// Nothing to choose from.
    public static var empty: IntentItemCollection<Result> { IntentItemCollection(sections: []) }
}
