/// Decides when to reconnect to the host after the link is lost, and when to give up.
///
/// All times are on a monotonic clock.
package struct Reconnection: Sendable {
    package enum Step: Equatable, Sendable {
        case connect(at: Duration)
        case giveUp
    }

    /// How long to try to reconnect after a link is lost.
    package static let patience: Duration = .seconds(60)
    private static let pauses: [Duration] = [
        .milliseconds(100), .milliseconds(300), .seconds(1), .seconds(2), .seconds(5),
    ]

    private var lostAt: Duration?
    private var tries = 0

    package init() {}

    /// Resets the schedule after a link has been established.
    package mutating func established() {
        lostAt = nil
        tries = 0
    }

    /// Returns the next step after the link is lost or an attempt to connect fails.
    package mutating func ended(at now: Duration) -> Step {
        let start = lostAt ?? now
        lostAt = start
        let next = now + Self.pauses[min(tries, Self.pauses.count - 1)]
        tries += 1
        return next - start > Self.patience ? .giveUp : .connect(at: next)
    }
}
