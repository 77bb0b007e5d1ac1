/// How fast runs are admitted from the backlog, to tell refused clients when to try again.
package struct AdmissionPace: Equatable, Sendable {
    /// The estimate before the second admission.
    private static let first: Duration = .seconds(5)
    private static let shortest: Duration = .seconds(1)
    private static let longest: Duration = .seconds(60)
    /// The newest span counts for this fraction (1/weight) of the mean.
    private static let weight = 4

    private var mean: Duration?
    private var last: Now.Monotonic?

    package init() {}

    /// A run was admitted from the backlog.
    package mutating func admitted(at now: Now.Monotonic) {
        defer { last = now }
        guard let last else { return }
        // A long standstill says nothing about how fast the queue moves.
        let span = min(now - last, Self.longest)
        mean = mean.map { ($0 * (Self.weight - 1) + span) / Self.weight } ?? span
    }

    /// The estimated time until the next admission.
    package var expectedWait: Duration { max(Self.shortest, min(mean ?? Self.first, Self.longest)) }
}
