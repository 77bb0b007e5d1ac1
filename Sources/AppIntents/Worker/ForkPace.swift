/// Tells when an app comes into steady use: its workers then share its code in huge pages, which takes memory.
package struct ForkPace {
    /// So many workers within so many nanoseconds.
    package static let workerCount = 64
    static let window: Int64 = 60_000_000_000

    private var begin: Int64 = 0
    private var count = 0
    private var isSteady = false

    package init() {}

    /// Counts a worker, and is true with the one that makes the use steady.
    package mutating func becomesSteady(at nanoseconds: Int64) -> Bool {
        if count == 0 || nanoseconds - begin > Self.window {
            begin = nanoseconds
            count = 0
        }
        count += 1
        guard !isSteady, count >= Self.workerCount else { return false }
        isSteady = true
        return true
    }
}
