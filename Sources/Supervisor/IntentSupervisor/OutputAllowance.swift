/// The allowance for a run's recorded output: a burst of bytes, then a number of bytes per second.
struct OutputAllowance {
    private static let burstByteCount: Int64 = 1 << 20
    private static let bytesPerSecond: Int64 = 256 << 10

    private var byteCount = burstByteCount
    /// The number of bytes above the allowance since the last call to ``removeLeftOut()``.
    private(set) var leftOutByteCount: Int64 = 0
    private var since: Int64

    init(at nanoseconds: Int64) {
        since = nanoseconds
    }

    /// Returns ``leftOutByteCount`` and resets it to 0. Returns nil if it is 0.
    mutating func removeLeftOut() -> Int64? {
        defer { leftOutByteCount = 0 }
        return leftOutByteCount > 0 ? leftOutByteCount : nil
    }

    /// Deducts bytes from the allowance. Returns false, and deducts nothing, if the remaining allowance is too small.
    mutating func spend(_ count: Int, at nanoseconds: Int64) -> Bool {
        // Credit at most one hour, so that the calculation cannot overflow.
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
