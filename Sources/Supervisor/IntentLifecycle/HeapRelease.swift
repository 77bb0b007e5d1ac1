/// The rule that determines when free heap memory is returned to the kernel, for example after many simultaneous
/// requests.
package struct HeapRelease: Sendable {
    /// The minimum amount of free memory that is returned, in bytes. A smaller amount is kept for the next requests.
    package static let byteLimit = 16 << 20

    /// The smallest resident size since the last release, in bytes; nil before the first measurement.
    private var residentByteCount: Int?

    package init() {}

    /// Returns true if the process has grown enough since the last release to justify a query of the heap.
    package mutating func hasGrown(residentByteCount now: Int) -> Bool {
        let before = min(residentByteCount ?? now, now)
        residentByteCount = before
        return now - before >= Self.byteLimit
    }

    package func isWorthwhile(freeByteCount: Int) -> Bool { freeByteCount >= Self.byteLimit }

    package mutating func released(residentByteCount: Int) { self.residentByteCount = residentByteCount }
}
