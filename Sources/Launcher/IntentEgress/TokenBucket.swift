/// A limit on how often something may happen: at a steady rate, after a burst.
struct TokenBucket {
    private let perSecond: Int64
    private let burst: Int64
    /// The number of permitted events, in billionths.
    private var level: Int64
    private var last: Int64

    /// - Parameter now: An instant in nanoseconds of a clock that never goes back.
    init(perSecond: Int64, burst: Int64, at now: Int64) {
        (self.perSecond, self.burst, level, last) = (perSecond, burst, burst * 1_000_000_000, now)
    }

    /// Returns whether one more event may happen now, and counts it in that case.
    mutating func take(at now: Int64) -> Bool {
        level = min(burst * 1_000_000_000, level + min(now - last, 1_000_000_000) * perSecond)
        last = now
        guard level >= 1_000_000_000 else { return false }
        level -= 1_000_000_000
        return true
    }
}
