import IntentSharedTypes
import IntentWorker
import Testing

@Suite struct ProgressPacerTests {
    private let millisecond: Int64 = 1_000_000

    private func report(_ completed: Int64) -> ProgressReport {
        ProgressReport(completedUnitCount: completed, totalUnitCount: 100, fraction: Double(completed) / 100)
    }

    @Test func `no report is due until something has changed`() {
        var pacer = ProgressPacer()
        pacer.update(isChanged: false, hasUnfinishedChildren: false, at: 0)
        #expect(!pacer.isDue(at: 0))
        #expect(pacer.nextDelay(at: 0) == nil)
    }

    @Test func `the first change is due at once, and the next after 50 ms`() {
        var pacer = ProgressPacer()
        pacer.update(isChanged: true, hasUnfinishedChildren: false, at: 0)
        #expect(pacer.isDue(at: 0))
        #expect(pacer.reportToSend(report(1), at: 0) == report(1))
        pacer.sent(report(1))
        pacer.update(isChanged: true, hasUnfinishedChildren: false, at: 10 * millisecond)
        #expect(!pacer.isDue(at: 10 * millisecond))
        #expect(pacer.nextDelay(at: 10 * millisecond) == 40 * millisecond)
        #expect(pacer.isDue(at: 50 * millisecond))
    }

    @Test func `the same report is not sent twice, and arms no timer`() {
        var pacer = ProgressPacer()
        pacer.sent(report(1))
        pacer.update(isChanged: true, hasUnfinishedChildren: false, at: 0)
        #expect(pacer.reportToSend(report(1), at: 0) == nil)
        #expect(pacer.nextDelay(at: 0) == nil)
    }

    @Test func `a report that did not fit into the socket is still due`() {
        var pacer = ProgressPacer()
        pacer.update(isChanged: true, hasUnfinishedChildren: false, at: 0)
        _ = pacer.reportToSend(report(1), at: 0)
        pacer.notSent()
        #expect(pacer.isDue(at: 50 * millisecond))
    }

    @Test func `children are sampled every 200 ms, and once more after the last has finished`() {
        var pacer = ProgressPacer()
        pacer.update(isChanged: true, hasUnfinishedChildren: true, at: 0)
        _ = pacer.reportToSend(report(1), at: 0)
        #expect(pacer.nextDelay(at: 0) == 200 * millisecond)
        pacer.update(isChanged: false, hasUnfinishedChildren: false, at: 200 * millisecond)
        #expect(pacer.isDue(at: 200 * millisecond))
        _ = pacer.reportToSend(report(2), at: 200 * millisecond)
        #expect(pacer.nextDelay(at: 200 * millisecond) == nil)
    }
}
