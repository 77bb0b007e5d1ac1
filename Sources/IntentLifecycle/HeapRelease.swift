/// When free memory of the heap goes back to the kernel: after a flood has left much of it.
package struct HeapRelease: Sendable {
    /// Less than this stays for the next requests.
    package static let byteLimit = 16 << 20

    /// What was resident after the last release.
    private var residentByteCount: Int?

    package init() {}

    /// True when the process has grown so much since the last release that it is worth asking the heap what is free.
    package mutating func hasGrown(residentByteCount now: Int) -> Bool {
        let before = min(residentByteCount ?? now, now)
        residentByteCount = before
        return now - before >= Self.byteLimit
    }

    package func isWorthwhile(freeByteCount: Int) -> Bool { freeByteCount >= Self.byteLimit }

    package mutating func released(residentByteCount: Int) { self.residentByteCount = residentByteCount }
}
