import IntentSupervisor
import Testing

@Suite struct JournalQuotaTests {
    private func text(_ count: Int) -> String { String(repeating: "line\n", count: count) }

    @Test func `lines are admitted one by one, and empty lines are dropped`() {
        var quota = JournalQuota(at: 0)
        var account = JournalQuota.allowanceOfAccount(at: 0)
        let (dropped, lines) = quota.admit("a\n\nb\r\nc", within: &account, at: 0)
        #expect(dropped == 0)
        #expect(lines == ["a", "b", "c"])
    }

    @Test func `lines above the burst are dropped, and counted before the next admitted line`() {
        var quota = JournalQuota(at: 0)
        var account = JournalQuota.allowanceOfAccount(at: 0)
        #expect(quota.admit(text(1100), within: &account, at: 0).lines.count == 1000)
        #expect(quota.droppedCount == 100)
        #expect(quota.admit(text(1), within: &account, at: 1_000_000).lines == [])
        let (dropped, lines) = quota.admit(text(1), within: &account, at: 1_000_000_000)
        #expect(dropped == 101)
        #expect(lines == ["line"])
        #expect(quota.droppedCount == 0)
    }

    @Test func `the rate per second is admitted continuously, however the lines arrive`() {
        var quota = JournalQuota(at: 0)
        var account = JournalQuota.allowanceOfAccount(at: 0)
        _ = quota.admit(text(1000), within: &account, at: 0)
        // One line every 5 ms for 10 s. One line of four is admitted.
        var count = 0
        for step in 1...2000 {
            count += quota.admit(text(1), within: &account, at: Int64(step) * 5_000_000).lines.count
        }
        #expect(count == 500)
    }

    @Test func `an idle hour earns at most the burst`() {
        var quota = JournalQuota(at: 0)
        var account = JournalQuota.allowanceOfAccount(at: 0)
        _ = quota.admit(text(1000), within: &account, at: 0)
        #expect(quota.admit(text(5000), within: &account, at: 7_200_000_000_000).lines.count == 1000)
    }

    @Test func `a long line is split without losing bytes or splitting a character`() {
        var quota = JournalQuota(at: 0)
        var account = JournalQuota.allowanceOfAccount(at: 0)
        let line = String(repeating: "x", count: 3999) + String(repeating: "ü€😀", count: 1500)
        let lines = quota.admit(line, within: &account, at: 0).lines
        #expect(lines.count == 5)
        #expect(lines.allSatisfy { $0.utf8.count <= 4000 })
        #expect(lines.joined() == line)
    }
}
