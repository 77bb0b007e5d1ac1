/// How many requests callers may make. Each key has a bucket of tokens, which refills at a constant rate.
package struct RequestPace: Sendable {
    private struct Bucket: Sendable {
        var tokens: Double
        var at: Duration
    }

    /// The maximum number of keys. When it is reached, full buckets are removed; then new keys are refused.
    package static let keyLimit = 20_000

    private let perSecond: Double
    private let burst: Double
    private var buckets: [String: Bucket] = [:]

    package init(perSecond: Double, burst: Double) {
        self.perSecond = perSecond
        self.burst = burst
    }

    /// Takes a token.
    ///
    /// - Returns: The time after which a token is available; nil if one was taken.
    package mutating func take(_ key: String, at now: Duration) -> Duration? {
        if buckets.count >= Self.keyLimit, buckets[key] == nil {
            buckets = buckets.filter { self.level($0.value, at: now) < burst }
            guard buckets.count < Self.keyLimit else { return .seconds(1) }
        }
        let level = buckets[key].map { self.level($0, at: now) } ?? burst
        guard level >= 1 else { return .milliseconds(Int64(((1 - level) / perSecond * 1000).rounded(.up))) }
        buckets[key] = Bucket(tokens: level - 1, at: now)
        return nil
    }

    private func level(_ bucket: Bucket, at now: Duration) -> Double {
        let seconds = max(0, (now - bucket.at) / .seconds(1))
        return min(burst, bucket.tokens + seconds * perSecond)
    }
}
