/// Decides when to return the heap's free memory to the kernel, which is after a flood of requests.
package struct HeapRelease: Sendable {
    /// Free memory below this size is kept for the next requests.
    package static let byteLimit = 16 << 20

    /// The resident size after the last release.
    private var residentByteCount: Int?

    package init() {}

    /// True when the process has grown enough since the last release that querying the heap is worthwhile.
    package mutating func hasGrown(residentByteCount now: Int) -> Bool {
        let before = min(residentByteCount ?? now, now)
        residentByteCount = before
        return now - before >= Self.byteLimit
    }

    package func isWorthwhile(freeByteCount: Int) -> Bool { freeByteCount >= Self.byteLimit }

    package mutating func released(residentByteCount: Int) { self.residentByteCount = residentByteCount }
}
