/// Detects steady use of an app. Steady use justifies the memory for mapping the app's code in huge pages, which all of
/// its workers share.
package struct ForkPace {
    /// The number of workers that must be forked within ``window`` for the use to be steady.
    package static let workerCount = 64
    /// The length of the window in nanoseconds.
    static let window: Int64 = 60_000_000_000

    private var begin: Int64 = 0
    private var count = 0
    private var isSteady = false

    package init() {}

    /// Counts a forked worker. Returns true only once: when this worker makes the use steady.
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
