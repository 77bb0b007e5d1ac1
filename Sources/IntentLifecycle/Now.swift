/// The time of an event, on both clocks. Pure code never asks a clock: every event brings this.
package struct Now: Equatable, Sendable {
    /// CLOCK_MONOTONIC: runs are measured on it, so that sleep of the machine does not count against them.
    package var monotonic: Monotonic
    /// CLOCK_BOOTTIME: people are measured on it, who do not stand still while the machine sleeps.
    package var boottime: Boottime

    package init(monotonic: Monotonic, boottime: Boottime) {
        self.monotonic = monotonic
        self.boottime = boottime
    }

    /// An instant, with the clock that it is on.
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

        /// The instant after a duration; one too far away for the clock is the last that it knows.
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

        /// The instant after a duration; one too far away for the clock is the last that it knows.
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
