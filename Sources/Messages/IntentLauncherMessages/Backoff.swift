/// The pauses between attempts: each is twice as long as the one before, within bounds (`Backoff=`).
package struct Backoff: Hashable, Sendable {
    package var first: Duration
    package var longest: Duration

    package init(first: Duration, longest: Duration) {
        self.first = first
        self.longest = longest
    }

    /// The pauses of intents without `Backoff=`.
    package static let standard = Backoff(first: .seconds(10), longest: .seconds(600))

    /// Returns the pause after a failed attempt. The first attempt has the number 1.
    package func pause(afterAttempt attempt: Int) -> Duration {
        // A longer shift would overflow, and the longest pause is reached before.
        min(longest, first * (1 << min(max(attempt, 1) - 1, 20)))
    }
}
