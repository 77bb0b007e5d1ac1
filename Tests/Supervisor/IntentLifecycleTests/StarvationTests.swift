import IntentLifecycle
import Testing

@Suite struct StarvationTests {
    private func saw(_ watch: inout StarvationWatch, _ processor: Double, _ memory: Double, _ seconds: Int64)
        -> StarvationWatch.Change?
    {
        watch.saw(.init(processor: processor, memory: memory), at: at(seconds).monotonic)
    }

    @Test func `a daemon is starved if it waits for the processor or for memory, but not if it is busy`() {
        var busy = StarvationWatch()
        #expect(saw(&busy, 10, 0, 0) == nil)
        #expect(!busy.isStarved)
        var waiting = StarvationWatch()
        #expect(saw(&waiting, 60, 0, 0) == .starved)
        #expect(saw(&waiting, 80, 0, 5) == nil)
        var thrashing = StarvationWatch()
        #expect(saw(&thrashing, 0, 30, 0) == .starved)
    }

    @Test func `the starvation ends after 30 s of low pressure, and not before`() {
        var watch = StarvationWatch()
        _ = saw(&watch, 60, 0, 0)
        #expect(saw(&watch, 5, 0, 10) == nil)
        // The pressure is still above half of the limit.
        #expect(saw(&watch, 25, 0, 20) == nil)
        #expect(saw(&watch, 5, 0, 45) == nil)
        #expect(saw(&watch, 5, 0, 50) == .relieved)
        #expect(!watch.isStarved)
        #expect(saw(&watch, 60, 0, 55) == .starved)
    }
}
