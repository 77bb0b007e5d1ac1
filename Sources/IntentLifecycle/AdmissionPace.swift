/// How fast places become free: when it is worth to ask again.
package struct AdmissionPace: Equatable, Sendable {
    /// Before anything is known.
    private static let first: Duration = .seconds(5)
    private static let shortest: Duration = .seconds(1)
    private static let longest: Duration = .seconds(60)
    /// What a new span counts against those before it.
    private static let weight = 4

    private var mean: Duration?
    private var last: Now.Monotonic?

    package init() {}

    /// A run got a place out of the queue.
    package mutating func admitted(at now: Now.Monotonic) {
        defer { last = now }
        guard let last else { return }
        // What stood still for long says nothing of a queue that moves.
        let span = min(now - last, Self.longest)
        mean = mean.map { ($0 * (Self.weight - 1) + span) / Self.weight } ?? span
    }

    /// How long it takes until the next one gets one, more or less.
    package var expectedWait: Duration { max(Self.shortest, min(mean ?? Self.first, Self.longest)) }
}
