/// How many reports of progress come in a second, of all runs together.
package struct ReportPace: Sendable {
    /// From so many on they are taken in together.
    package static let limit = 250

    private var begin = Now.Monotonic(nanoseconds: 0)
    private var count = 0
    private var isHigh = false

    package init() {}

    /// Counts one that comes, and says whether they are many.
    package mutating func reported(at now: Now) -> Bool {
        if now.monotonic - begin >= .seconds(1) {
            isHigh = count >= Self.limit && now.monotonic - begin < .seconds(2)
            begin = now.monotonic
            count = 0
        }
        count += 1
        return isHigh || count >= Self.limit
    }
}
