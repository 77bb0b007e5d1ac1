/// The time of an event, on both clocks. Pure code never reads a clock: every event carries its time.
package struct Now: Equatable, Sendable {
    /// CLOCK_MONOTONIC, which measures runs: the machine's sleep does not count against them.
    package var monotonic: Monotonic
    /// CLOCK_BOOTTIME, for the times that users are given, which also pass while the machine sleeps.
    package var boottime: Boottime

    package init(monotonic: Monotonic, boottime: Boottime) {
        self.monotonic = monotonic
        self.boottime = boottime
    }

    /// An instant of one of the clocks.
    package enum Instant: Hashable, Sendable {
        case monotonic(Monotonic)
        case boottime(Boottime)
    }

    /// An instant of CLOCK_MONOTONIC, in nanoseconds.
    package struct Monotonic: Hashable, Comparable, Sendable {
        package var nanoseconds: Int64

        package init(nanoseconds: Int64) {
            self.nanoseconds = nanoseconds
        }

        package static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

        /// The instant after a duration; the last one of the clock when the duration is too long.
        package static func + (instant: Self, duration: Duration) -> Self {
            let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(duration.nanoseconds)
            return Self(nanoseconds: overflow ? (duration < .zero ? .min : .max) : sum)
        }

        package static func - (left: Self, right: Self) -> Duration {
            .nanoseconds(left.nanoseconds - right.nanoseconds)
        }
    }

    /// An instant of CLOCK_BOOTTIME, in nanoseconds.
    package struct Boottime: Hashable, Comparable, Sendable {
        package var nanoseconds: Int64

        package init(nanoseconds: Int64) {
            self.nanoseconds = nanoseconds
        }

        package static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

        /// The instant after a duration; the last one of the clock when the duration is too long.
        package static func + (instant: Self, duration: Duration) -> Self {
            let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(duration.nanoseconds)
            return Self(nanoseconds: overflow ? (duration < .zero ? .min : .max) : sum)
        }

        package static func - (left: Self, right: Self) -> Duration {
            .nanoseconds(left.nanoseconds - right.nanoseconds)
        }
    }
}

extension Duration {
    /// Whole nanoseconds; the largest number for a duration that does not fit.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, carry) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return carry ? (seconds < 0 ? .min : .max) : sum
    }
}
