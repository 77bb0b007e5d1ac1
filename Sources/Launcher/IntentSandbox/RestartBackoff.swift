/// Delays the restart of a fork server that keeps exiting unexpectedly.
///
/// Instants are in nanoseconds of CLOCK_MONOTONIC.
package struct RestartBackoff: Equatable, Sendable {
    /// The number of consecutive exits, each within a minute of the previous exit.
    package private(set) var count = 0
    private var lastExit: Int64 = 0
    /// The reason for the fork server's last exit.
    package private(set) var lastReason: String?

    /// The number of consecutive exits that do not delay the next start.
    private static let freeCount = 3
    /// The time without an exit after which the count restarts at zero.
    private static let resetInterval: Int64 = 60_000_000_000
    private static let longestDelay: Int64 = 30_000_000_000

    package init() {}

    package mutating func recordExit(at now: Int64, reason: String) {
        count = isExpired(at: now) ? 1 : count + 1
        lastExit = now
        lastReason = reason
    }

    /// Returns true if the earlier exits no longer count.
    package func isExpired(at now: Int64) -> Bool { now - lastExit > Self.resetInterval }

    /// Returns the number of nanoseconds until the next start, or nil if the fork server may start now.
    package func delay(at now: Int64) -> Int64? {
        guard count > Self.freeCount else { return nil }
        // The delay after the fourth consecutive exit is 1 s. Each additional exit doubles the delay.
        let delay = min(Self.longestDelay, 1_000_000_000 << Int64(min(count - Self.freeCount - 1, 5)))
        let rest = lastExit + delay - now
        return rest > 0 ? rest : nil
    }
}
