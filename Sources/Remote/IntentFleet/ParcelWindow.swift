/// The window of an answer's parts that may be sent. The database keeps only a few parts that the requesting host has
/// not collected.
package struct ParcelWindow: Sendable {
    private var sentCount = 0
    private var collectedCount = 0

    package init() {}

    /// The number of the next part; nil while the database does not accept another part.
    package var next: Int? { sentCount < collectedCount + Parcel.window ? sentCount : nil }

    package mutating func sent() { sentCount += 1 }

    /// Records the number of parts that the requesting host has collected. A count lower than an earlier count has no
    /// effect. A count higher than the number of sent parts is invalid, and is reduced to that number.
    package mutating func collected(_ count: Int) { collectedCount = max(collectedCount, min(count, sentCount)) }
}
