/// How many elements of a list a widget shows. Without meaning on Linux.
///
/// Source: Apple's IntentCollectionSize page.
public struct IntentCollectionSize: Sendable, Hashable, ExpressibleByIntegerLiteral {
    /// The fewest; nil: any number.
    public let minimum: Int?
    /// The most; nil: any number.
    public let maximum: Int?

    public init(min: Int, max: Int) {
        minimum = min
        maximum = max
    }

    public init(exactly count: Int) {
        self.init(min: count, max: count)
    }

    public init(integerLiteral value: Int) {
        self.init(exactly: value)
    }
}

/// The sizes of widgets. Without meaning on Linux.
///
/// Source: Apple's IntentWidgetFamily page.
public enum IntentWidgetFamily: Sendable, Hashable {
    case systemSmall
    case systemMedium
    case systemLarge
    case systemExtraLarge
    case accessoryCircular
    case accessoryRectangular
    case accessoryInline
}
