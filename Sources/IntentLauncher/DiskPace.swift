import IntentLinux
import IntentWire

/// Decides when to measure what each run has written. Walking all folders is slow; asking the file system for its free
/// space is fast.
struct DiskPace {
    private var lastFreeByteCount: UInt64 = 0
    private var passedCount = 0
    /// An occasional measurement, even if free space has not shrunk, finds slow writers.
    private static let passedLimit = 8
    /// Folders per measurement. The number is small, because the exits of processes are handled only after the
    /// measurement.
    static let slotsPerLook = 32
    /// The last slot that was measured.
    private var lastSlot: UInt64 = 0
    /// When the next measurement may begin: measurements use a limited part of the machine's time.
    private var notBefore: Int64 = 0
    private static let restPerLook: Int64 = 4
    /// The loss of free space that is worth a measurement.
    private static let worthwhileByteCount: UInt64 = 16 << 20

    /// - Parameter start: When the measurement that has ended began, on CLOCK_MONOTONIC.
    mutating func rest(after start: Int64, at now: Int64 = ClockReading.monotonicNanoseconds()) {
        notBefore = now + Self.restPerLook * (now - start)
    }

    /// Notes how much space is free, and returns true when that is a reason to measure.
    mutating func isDue(freeByteCount: UInt64, at now: Int64 = ClockReading.monotonicNanoseconds()) -> Bool {
        guard now >= notBefore else { return false }
        let hasShrunk = freeByteCount &+ Self.worthwhileByteCount < lastFreeByteCount
        if freeByteCount > lastFreeByteCount || hasShrunk { lastFreeByteCount = freeByteCount }
        // Once free space has shrunk, measurements follow one another until every folder has been measured.
        passedCount = hasShrunk ? Self.passedLimit : (passedCount + 1) % (2 * Self.passedLimit)
        return hasShrunk || passedCount >= Self.passedLimit
    }

    /// The slots to measure now. The slots after the last one measured come first.
    ///
    /// - Parameter ordered: All slots that can be measured, by number.
    mutating func next(of ordered: [Slot]) -> ArraySlice<Slot> {
        let rotated = ordered.filter { $0.id.number > lastSlot } + ordered.filter { $0.id.number <= lastSlot }
        let chosen = rotated.prefix(Self.slotsPerLook)
        if let last = chosen.last { lastSlot = last.id.number }
        return chosen
    }
}
