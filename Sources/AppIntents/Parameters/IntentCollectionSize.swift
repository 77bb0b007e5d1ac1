/// The permitted number of elements of a list. A list of another size is refused.
///
/// Source: Apple's IntentCollectionSize page.
public struct IntentCollectionSize: Sendable, Hashable, ExpressibleByIntegerLiteral {
    /// The minimum; nil when it is not limited.
    public let minimum: Int?
    /// The maximum; nil when it is not limited.
    public let maximum: Int?

    /// A range from a minimum to a maximum, both included.
    public init(min: Int, max: Int) {
        minimum = min
        maximum = max
    }

    /// A minimum.
    public init(min: Int) {
        minimum = min
        maximum = nil
    }

    /// A maximum.
    public init(max: Int) {
        minimum = nil
        maximum = max
    }

    /// An exact number.
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
    /// A system widget, small.
    case systemSmall
    /// A system widget, medium.
    case systemMedium
    /// A system widget, large.
    case systemLarge
    /// A system widget, extra large.
    case systemExtraLarge
    /// An accessory widget, corner.
    case accessoryCorner
    /// An accessory widget, circular.
    case accessoryCircular
    /// An accessory widget, rectangular.
    case accessoryRectangular
    /// An accessory widget, inline.
    case accessoryInline
}
