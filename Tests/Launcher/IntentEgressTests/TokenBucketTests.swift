import Testing

@testable import IntentEgress

@Suite struct TokenBucketTests {
    @Test func `after a burst, events happen at the rate`() {
        var bucket = TokenBucket(perSecond: 10, burst: 3, at: 0)
        let instants: [Int64] =
            [0, 0, 0, 0, 99_999_999, 100_000_000, 150_000_000] + [Int64](repeating: 3_600_000_000_000, count: 4)
        let taken = instants.map { bucket.take(at: $0) }
        #expect(taken == [true, true, true, false, false, true, false, true, true, true, false])
    }
}
