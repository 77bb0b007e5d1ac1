import IntentLifecycle
import Testing

@Suite struct ReportPaceTests {
    /// Counts this many reports within a second. Returns true if the rate was high at the last one.
    private func second(_ number: Int64, of count: Int, into pace: inout ReportPace) -> Bool {
        (0..<count).reduce(false) { _, _ in pace.reported(at: at(number)) }
    }

    @Test func `an instant beyond the clock's range is its first or last instant`() {
        let (first, last) = (Now.Monotonic(nanoseconds: .min), Now.Monotonic(nanoseconds: .max))
        #expect(last + .seconds(1) == last && first + .seconds(-1) == first)
        #expect(Now.Monotonic(nanoseconds: 1) + .seconds(Int64.max) == last)
        #expect(Now.Monotonic(nanoseconds: -2) + .seconds(Int64.min) == first)
    }

    @Test func `a few reports per second are a low rate, and very many are a high rate within the first second`() {
        var few = ReportPace()
        for number in 0..<5 { #expect(!second(Int64(number), of: ReportPace.limit - 1, into: &few)) }
        var many = ReportPace()
        #expect(second(0, of: ReportPace.limit, into: &many))
    }

    @Test func `the rate stays high while the previous second had many reports`() {
        var pace = ReportPace()
        #expect(second(0, of: ReportPace.limit, into: &pace))
        #expect(second(1, of: 1, into: &pace))
        #expect(!second(2, of: 1, into: &pace))
    }

    @Test func `the rate is low after a pause`() {
        var pace = ReportPace()
        #expect(second(0, of: ReportPace.limit, into: &pace))
        #expect(!second(60, of: 1, into: &pace))
    }
}
