/// Which part of an answer may be sent next: the database keeps a few parts that the asking host has not collected.
package struct ParcelWindow: Sendable {
    private var sentCount = 0
    private var collectedCount = 0

    package init() {}

    /// The number of the next part; nil while the database is full.
    package var next: Int? { sentCount < collectedCount + Parcel.window ? sentCount : nil }

    package mutating func sent() { sentCount += 1 }

    /// A count that is older than an earlier one changes nothing, and no host can have collected what was not sent.
    package mutating func collected(_ count: Int) { collectedCount = max(collectedCount, min(count, sentCount)) }
}
