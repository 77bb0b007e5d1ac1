import IntentLinux
import IntentWire

/// Decides when to measure what each run has written. Reading all folders is slow, but asking the file system for its
/// free space is fast.
struct DiskPace {
    private var lastFreeByteCount: UInt64 = 0
    private var passedCount = 0
    /// After this many checks, measure even if free space has not shrunk, to find slow writers.
    private static let passedLimit = 8
    /// The maximum number of folders to measure at once. It is small, because exits of processes are handled only after
    /// the measurement.
    static let slotsPerLook = 32
    /// The last measured slot.
    private var lastSlot: UInt64 = 0
    /// The earliest start of the next measurement: measurements may use only a part of the machine's time.
    private var notBefore: Int64 = 0
    private static let restPerLook: Int64 = 4
    /// The minimum loss of free space that triggers a measurement.
    private static let worthwhileByteCount: UInt64 = 16 << 20

    /// - Parameter start: The start of the measurement that has just ended, on CLOCK_MONOTONIC.
    mutating func rest(after start: Int64, at now: Int64 = ClockReading.monotonicNanoseconds()) {
        notBefore = now + Self.restPerLook * (now - start)
    }

    /// Records the free space. Returns true if it is time to measure.
    mutating func isDue(freeByteCount: UInt64, at now: Int64 = ClockReading.monotonicNanoseconds()) -> Bool {
        guard now >= notBefore else { return false }
        let hasShrunk = freeByteCount &+ Self.worthwhileByteCount < lastFreeByteCount
        if freeByteCount > lastFreeByteCount || hasShrunk { lastFreeByteCount = freeByteCount }
        // Once free space has shrunk, continue measuring until every folder has been measured.
        passedCount = hasShrunk ? Self.passedLimit : (passedCount + 1) % (2 * Self.passedLimit)
        return hasShrunk || passedCount >= Self.passedLimit
    }

    /// Returns the slots to measure now, beginning after the last measured slot.
    ///
    /// - Parameter ordered: All slots that can be measured, by number.
    mutating func next(of ordered: [Slot]) -> ArraySlice<Slot> {
        let rotated = ordered.filter { $0.id.number > lastSlot } + ordered.filter { $0.id.number <= lastSlot }
        let chosen = rotated.prefix(Self.slotsPerLook)
        if let last = chosen.last { lastSlot = last.id.number }
        return chosen
    }
}
