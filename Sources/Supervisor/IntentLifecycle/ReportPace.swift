/// The rate of progress reports across all runs.
package struct ReportPace: Sendable {
    /// The rate, in reports per second, at which the supervisor begins to read reports in batches.
    package static let limit = 250

    private var begin = Now.Monotonic(nanoseconds: 0)
    private var count = 0
    private var isHigh = false

    package init() {}

    /// Counts a report. Returns true if the rate has reached the limit.
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
