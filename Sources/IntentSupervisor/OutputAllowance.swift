/// How much of what a run prints goes on record: a burst, then a number of bytes per second.
struct OutputAllowance {
    private static let burstByteCount: Int64 = 1 << 20
    private static let bytesPerSecond: Int64 = 256 << 10

    private var byteCount = burstByteCount
    /// The number of bytes that were not recorded, which is not on record yet itself.
    private(set) var leftOutByteCount: Int64 = 0
    private var since: Int64

    init(at nanoseconds: Int64) {
        since = nanoseconds
    }

    /// Removes and returns the number of bytes that were left out; nil when none were.
    mutating func takeLeftOut() -> Int64? {
        defer { leftOutByteCount = 0 }
        return leftOutByteCount > 0 ? leftOutByteCount : nil
    }

    /// Uses a part of the allowance; false when too little is left.
    mutating func spend(_ count: Int, at nanoseconds: Int64) -> Bool {
        // At most an hour counts, so that no number can overflow.
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
