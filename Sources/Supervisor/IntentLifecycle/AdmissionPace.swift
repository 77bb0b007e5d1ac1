/// An estimate of the time until the next run is admitted from the backlog. The answers to refused requests contain the
/// estimate as `retryAfter`.
package struct AdmissionPace: Equatable, Sendable {
    /// The estimate before the second admission.
    private static let first: Duration = .seconds(5)
    private static let shortest: Duration = .seconds(1)
    private static let longest: Duration = .seconds(60)
    /// The reciprocal of the weight of the newest interval in the moving average.
    private static let weight = 4

    private var mean: Duration?
    private var last: Now.Monotonic?

    /// Records that a run was admitted from the backlog.
    package mutating func admitted(at now: Now.Monotonic) {
        defer { last = now }
        guard let last else { return }
        // Cap the interval, so that a long idle period does not distort the estimate.
        let span = min(now - last, Self.longest)
        mean = mean.map { ($0 * (Self.weight - 1) + span) / Self.weight } ?? span
    }

    /// The estimated time until the next admission.
    package var expectedWait: Duration { max(Self.shortest, min(mean ?? Self.first, Self.longest)) }
}
