/// Delays the restart of a fork server that keeps exiting unexpectedly.
///
/// Instants are nanoseconds of CLOCK_MONOTONIC.
package struct RestartBackoff: Equatable, Sendable {
    /// The number of consecutive exits, each within a minute of the previous one.
    package private(set) var count = 0
    private var lastExit: Int64 = 0
    /// Why the fork server exited the last time.
    package private(set) var lastReason: String?

    /// The number of consecutive exits that do not delay the next start.
    private static let freeCount = 3
    /// The time without an exit after which the count starts again.
    private static let resetInterval: Int64 = 60_000_000_000
    private static let longestDelay: Int64 = 30_000_000_000

    package init() {}

    package mutating func recordExit(at now: Int64, reason: String) {
        count = now - lastExit > Self.resetInterval ? 1 : count + 1
        lastExit = now
        lastReason = reason
    }

    /// Returns the nanoseconds until the next start; nil if the fork server may start now.
    package func delay(at now: Int64) -> Int64? {
        guard count > Self.freeCount else { return nil }
        // The delay after the fourth consecutive exit is 1 s. Each further exit doubles it.
        let delay = min(Self.longestDelay, 1_000_000_000 << Int64(min(count - Self.freeCount - 1, 5)))
        let rest = lastExit + delay - now
        return rest > 0 ? rest : nil
    }
}
