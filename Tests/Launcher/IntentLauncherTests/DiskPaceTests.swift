import IntentLauncherMessages
import Testing

@testable import IntentLauncher

@Suite struct DiskPaceTests {
    private let mebibyte: UInt64 = 1 << 20

    /// Returns true if a measurement is due while this many mebibytes are free at this nanosecond.
    private func isDue(_ pace: inout DiskPace, free: UInt64, at now: Int64 = 0) -> Bool {
        pace.isDue(freeByteCount: free * mebibyte, at: now)
    }

    @Test func `a loss of free space triggers measurements until every folder was measured`() {
        var pace = DiskPace()
        let free: [UInt64] = [1000, 990] + Array(repeating: 900, count: 9)
        let due = free.map { isDue(&pace, free: $0) }
        #expect(due == [false, false] + Array(repeating: true, count: 8) + [false])
    }

    @Test func `a slow writer is detected without a loss of free space`() {
        var pace = DiskPace()
        let due = (0..<16).map { _ in isDue(&pace, free: 1000) }
        #expect(due.contains(true))
        #expect(due.first == false)
    }

    @Test func `after a measurement, no measurement is due for four times its duration`() {
        var pace = DiskPace()
        _ = isDue(&pace, free: 1000)
        pace.pause(after: 100, at: 110)
        let due = [149, 150].map { isDue(&pace, free: 0, at: $0) }
        #expect(due == [false, true])
    }
}
