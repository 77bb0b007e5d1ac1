/// Counts how often a fork server ended unexpectedly, and how long to wait before the next one is started.
///
/// Instants are nanoseconds of CLOCK_MONOTONIC.
package struct DeathTally: Equatable, Sendable {
    /// The number of consecutive ends, each soon after the previous one.
    package private(set) var count = 0
    private var last: Int64 = 0
    /// How the fork server ended the last time.
    package private(set) var lastWords: String?

    /// The number of consecutive ends that do not delay the next start.
    private static let freeCount = 3
    /// The time without an end after which the count is reset.
    private static let memory: Int64 = 60_000_000_000
    private static let longestWait: Int64 = 30_000_000_000

    package init() {}

    package mutating func died(at now: Int64, words: String) {
        count = now - last > Self.memory ? 1 : count + 1
        last = now
        lastWords = words
    }

    /// Nanoseconds until the next start; nil when it may start now.
    package func wait(at now: Int64) -> Int64? {
        guard count > Self.freeCount else { return nil }
        // The delay after the fourth consecutive end is 1 s. Each further end doubles it.
        let pause = min(Self.longestWait, 1_000_000_000 << Int64(min(count - Self.freeCount - 1, 5)))
        let rest = last + pause - now
        return rest > 0 ? rest : nil
    }
}
