/// How many elements a list may have; a caller's list of another size is refused.
///
/// Source: Apple's IntentCollectionSize page.
public struct IntentCollectionSize: Sendable, Hashable, ExpressibleByIntegerLiteral {
    /// The fewest; nil: any number.
    public let minimum: Int?
    /// The most; nil: any number.
    public let maximum: Int?

    /// From the fewest to the most, both included.
    public init(min: Int, max: Int) {
        minimum = min
        maximum = max
    }

    /// At least so many.
    public init(min: Int) {
        minimum = min
        maximum = nil
    }

    /// At most so many.
    public init(max: Int) {
        minimum = nil
        maximum = max
    }

    /// So many, no more and no fewer.
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
    case accessoryCorner
    case accessoryCircular
    case accessoryRectangular
    case accessoryInline
}
