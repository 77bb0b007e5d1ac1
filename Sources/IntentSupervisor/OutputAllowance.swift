/// How much of what a run prints goes on record: a burst, and so much a second from then on.
struct OutputAllowance {
    private static let burstByteCount: Int64 = 1 << 20
    private static let bytesPerSecond: Int64 = 256 << 10

    private var byteCount = burstByteCount
    /// What did not go on record and is not told there yet.
    private(set) var leftOutByteCount: Int64 = 0
    private var since: Int64

    init(at nanoseconds: Int64) {
        since = nanoseconds
    }

    /// What to tell of what was left out, if anything was: once.
    mutating func takeLeftOut() -> Int64? {
        defer { leftOutByteCount = 0 }
        return leftOutByteCount > 0 ? leftOutByteCount : nil
    }

    /// True when so much may go now.
    mutating func spend(_ count: Int, at nanoseconds: Int64) -> Bool {
        // Less than an hour counts, and no number can overflow.
        let elapsed = min(max(0, nanoseconds - since), 3_600_000_000_000)
        byteCount = min(Self.burstByteCount, byteCount + elapsed / 1000 * Self.bytesPerSecond / 1_000_000)
        since = nanoseconds
        guard byteCount >= Int64(count) else {
            leftOutByteCount += Int64(count)
            return false
        }
        byteCount -= Int64(count)
        return true
    }
}
