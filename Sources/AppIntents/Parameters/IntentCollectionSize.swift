/// The permitted number of elements in a list. A list with any other number is refused.
///
/// Source: Apple's IntentCollectionSize page.
public struct IntentCollectionSize: Sendable, Hashable, ExpressibleByIntegerLiteral {
    /// The minimum; nil if not limited.
    public let minimum: Int?
    /// The maximum; nil if not limited.
    public let maximum: Int?

    /// Creates a size from a minimum to a maximum, both included.
    public init(min: Int, max: Int) {
        minimum = min
        maximum = max
    }

    /// Creates a size with a minimum.
    public init(min: Int) {
        minimum = min
        maximum = nil
    }

    /// Creates a size with a maximum.
    public init(max: Int) {
        minimum = nil
        maximum = max
    }

    /// Creates a size with an exact number of elements.
    public init(exactly count: Int) {
        self.init(min: count, max: count)
    }

    public init(integerLiteral value: Int) {
        self.init(exactly: value)
    }
}

/// The sizes of widgets. Ignored on Linux.
///
/// Source: Apple's IntentWidgetFamily page.
public enum IntentWidgetFamily: Sendable, Hashable {
    /// A small system widget.
    case systemSmall
    /// A medium system widget.
    case systemMedium
    /// A large system widget.
    case systemLarge
    /// An extra large system widget.
    case systemExtraLarge
    /// An accessory widget in a corner.
    case accessoryCorner
    /// A circular accessory widget.
    case accessoryCircular
    /// A rectangular accessory widget.
    case accessoryRectangular
    /// An inline accessory widget.
    case accessoryInline
}
