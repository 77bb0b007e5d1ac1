/// The permitted number of elements in a list. A list with fewer or more elements is rejected.
///
/// Source: Apple's IntentCollectionSize page.
public struct IntentCollectionSize: Sendable, Hashable, ExpressibleByIntegerLiteral {
    /// The minimum number of elements; nil for no minimum.
    public let minimum: Int?
    /// The maximum number of elements; nil for no maximum.
    public let maximum: Int?

    /// Creates a size with a minimum and a maximum, both inclusive.
    public init(min: Int, max: Int) {
        minimum = min
        maximum = max
    }

    /// Creates a size with a minimum and no maximum.
    public init(min: Int) {
        minimum = min
        maximum = nil
    }

    /// Creates a size with a maximum and no minimum.
    public init(max: Int) {
        minimum = nil
        maximum = max
    }

    /// Creates a size that permits exactly the given number of elements.
    public init(exactly count: Int) {
        self.init(min: count, max: count)
    }

    public init(integerLiteral value: Int) {
        self.init(exactly: value)
    }
}
