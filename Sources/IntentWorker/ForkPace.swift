/// Detects steady use of an app, which makes it worth the memory to map its code in huge pages, shared by its workers.
package struct ForkPace {
    /// The number of workers within ``window`` that counts as steady use.
    package static let workerCount = 64
    static let window: Int64 = 60_000_000_000

    private var begin: Int64 = 0
    private var count = 0
    private var isSteady = false

    package init() {}

    /// Counts a worker. Returns true for the worker from which the use counts as steady.
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
