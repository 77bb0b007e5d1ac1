/// The time of an event, on three clocks. Pure code reads no clock: every event carries its time.
package struct Now: Equatable, Sendable {
    /// CLOCK_MONOTONIC, for the limits of runs. This clock stops while the machine sleeps.
    package var monotonic: Monotonic
    /// CLOCK_BOOTTIME, for the deadlines that users see. This clock also advances while the machine sleeps.
    package var boottime: Boottime
    /// CLOCK_REALTIME in nanoseconds, for times that must survive a reboot. The clock can be set.
    package var wall: Int64

    /// - Parameter wall: Nil in tests in which the clock shows the time since the boot.
    package init(monotonic: Monotonic, boottime: Boottime, wall: Int64? = nil) {
        self.monotonic = monotonic
        self.boottime = boottime
        self.wall = wall ?? boottime.nanoseconds
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

        /// Adds a duration. If the sum overflows, the result is the first or last instant that the clock can represent.
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

        /// Adds a duration. If the sum overflows, the result is the first or last instant that the clock can represent.
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
    /// The duration in whole nanoseconds, clamped to the range of `Int64`.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        if overflow { return seconds < 0 ? .min : .max }
        let (sum, carry) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return carry ? (seconds < 0 ? .min : .max) : sum
    }
}
