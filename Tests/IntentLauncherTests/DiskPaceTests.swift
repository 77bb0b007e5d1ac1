import IntentWire
import Testing

@testable import IntentLauncher

@Suite struct DiskPaceTests {
    private let mebibyte: UInt64 = 1 << 20

    /// Whether to measure, by how many mebibytes are free at that nanosecond.
    private func isDue(_ pace: inout DiskPace, free: UInt64, at now: Int64 = 0) -> Bool {
        pace.isDue(freeByteCount: free * mebibyte, at: now)
    }

    @Test func `a loss of free space is a reason to measure, and measurements follow until each folder had its turn`() {
        var pace = DiskPace()
        let free: [UInt64] = [1000, 990] + Array(repeating: 900, count: 9)
        let due = free.map { isDue(&pace, free: $0) }
        #expect(due == [false, false] + Array(repeating: true, count: 8) + [false])
    }

    @Test func `a slow writer is found without a loss of free space`() {
        var pace = DiskPace()
        let due = (0..<16).map { _ in isDue(&pace, free: 1000) }
        #expect(due.contains(true))
        #expect(due.first == false)
    }

    @Test func `a measurement is followed by a rest of four times its length`() {
        var pace = DiskPace()
        _ = isDue(&pace, free: 1000)
        pace.rest(after: 100, at: 110)
        let due = [149, 150].map { isDue(&pace, free: 0, at: $0) }
        #expect(due == [false, true])
    }
}
