/// How often a failed run is performed again, and after which pauses (`Retry=`, `Backoff=`).
package struct RetryRule: Hashable, Sendable {
    /// The maximum number of repetitions.
    package var count: Int
    package var backoff: Backoff

    package init(count: Int = 0, _ backoff: Backoff = .standard) {
        self.count = count
        self.backoff = backoff
    }
}
