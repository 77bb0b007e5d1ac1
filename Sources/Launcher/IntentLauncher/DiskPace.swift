import IntentLauncherMessages
import IntentLinux

/// Decides when to measure the disk usage of runs. Reading all run folders is slow, so a measurement starts when the
/// free space of the file system, which can be read quickly, has decreased.
struct DiskPace {
    private var lastFreeByteCount: UInt64 = 0
    /// The number of the current check in a cycle of 2 × ``passedLimit`` checks. Measurements are due in the second
    /// half of each cycle.
    private var passedCount = 0
    /// The number of checks after which a measurement is due even if the free space has not decreased, to detect runs
    /// that write slowly.
    private static let passedLimit = 8
    /// The maximum number of run folders in one measurement.
    static let slotsPerMeasurement = 32
    /// The number of the slot that was measured last.
    private var lastSlot: UInt64 = 0
    /// The earliest start of the next measurement, on CLOCK_MONOTONIC.
    private var notBefore: Int64 = 0
    /// The minimum pause after a measurement, as a multiple of its duration, so that a measurement is in progress for
    /// at most a fifth of the time.
    private static let pauseFactor: Int64 = 4
    /// The decrease of free space, in bytes, that triggers a measurement.
    private static let decreaseMinimum: UInt64 = 16 << 20

    /// Delays the next measurement in proportion to the duration of the last measurement.
    ///
    /// - Parameter start: The start of the last measurement, on CLOCK_MONOTONIC.
    mutating func pause(after start: Int64, at now: Int64 = ClockReading.monotonicNanoseconds()) {
        notBefore = now + Self.pauseFactor * (now - start)
    }

    /// Records the free space, and returns true if a measurement is due.
    mutating func isDue(freeByteCount: UInt64, at now: Int64 = ClockReading.monotonicNanoseconds()) -> Bool {
        guard now >= notBefore else { return false }
        let hasShrunk = freeByteCount &+ Self.decreaseMinimum < lastFreeByteCount
        if freeByteCount > lastFreeByteCount || hasShrunk { lastFreeByteCount = freeByteCount }
        // After the free space has decreased, measurements are due at the next checks too, so that every folder is
        // measured.
        passedCount = hasShrunk ? Self.passedLimit : (passedCount + 1) % (2 * Self.passedLimit)
        return hasShrunk || passedCount >= Self.passedLimit
    }

    /// Returns the slots to measure now, beginning after the last measured slot.
    ///
    /// - Parameter ordered: All slots to measure, ordered by number.
    mutating func next(of ordered: [Slot]) -> ArraySlice<Slot> {
        let rotated = ordered.filter { $0.id.number > lastSlot } + ordered.filter { $0.id.number <= lastSlot }
        let chosen = rotated.prefix(Self.slotsPerMeasurement)
        if let last = chosen.last { lastSlot = last.id.number }
        return chosen
    }
}
