import Testing

@testable import IntentLauncher

@Suite struct UsageScheduleTests {
    private static let second: Int64 = 1_000_000_000

    /// The ages, in seconds, at which a run is measured if the launcher checks four times a second.
    private static func ages(until end: Int64) -> [Double] {
        var schedule = UsageSchedule(start: 5)
        return stride(from: 0, through: end * second, by: Int(second / 4)).filter { isSampled(&schedule, at: 5 + $0) }
            .map { Double($0) / Double(second) }
    }

    /// Takes a sample if one is due.
    private static func isSampled(_ schedule: inout UsageSchedule, at now: Int64) -> Bool {
        guard schedule.isDue(at: now) else { return false }
        schedule.sampled(at: now)
        return true
    }

    @Test func `a run that ends within its first second is not measured`() {
        #expect(Self.ages(until: 0) == [])
        #expect(Self.ages(until: 1) == [1])
    }

    @Test func `samples are a second apart at first, and then a quarter of the run's age`() {
        let ages = Self.ages(until: 3600)
        #expect(ages.prefix(5) == [1, 2, 3, 4, 5])
        for (age, next) in zip(ages, ages.dropFirst()) where age > 4 {
            #expect(next - age >= age / 4 && next - age <= age / 4 + 0.5)
        }
    }

    @Test(arguments: [(Int64(60), 10...20), (3600, 30...40), (86_400, 40...60)])
    func `a run of any duration has enough samples for a chart, and few`(seconds: Int64, counts: ClosedRange<Int>) {
        #expect(counts.contains(Self.ages(until: seconds).count))
    }

    @Test func `a check that comes late causes one sample, not several`() {
        var schedule = UsageSchedule(start: 0)
        let due = [100, 101, 125].map { Self.isSampled(&schedule, at: $0 * Self.second) }
        #expect(due == [true, false, true])
    }
}
