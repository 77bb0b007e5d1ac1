import IntentClient
import IntentCommandLine
import Testing
import intentctl

private func progress(_ completed: Int64, of total: Int64 = 20, _ title: String? = nil) -> ProgressReport {
    ProgressReport(
        completedUnitCount: completed,
        totalUnitCount: total,
        fraction: total > 0 ? Double(completed) / Double(total) : 0,
        title: title
    )
}

@Suite struct ProgressMeterTests {
    @Test func `the bar shows percentage, counts, rate and remaining time`() {
        var meter = ProgressMeter()
        meter.report(progress(0), at: .zero)
        meter.report(progress(5, "Resizing"), at: .seconds(1))
        #expect(meter.bar(columns: 80) == "[#####---------------] 25%  5/20  5.0/s  ETA 3 s  Resizing")
        #expect(meter.plain == "progress: 25%  5/20  5.0/s  ETA 3 s  Resizing")
    }

    @Test(arguments: [1, 10, 20, 40, 80, 200])
    func `a line never reaches the last column`(_ columns: Int) {
        var meter = ProgressMeter()
        meter.report(progress(5, String(repeating: "long 汤 ", count: 40)), at: .zero)
        #expect(DisplayWidth.of(meter.bar(columns: columns)) <= max(1, columns - 1))
    }

    @Test func `no bar and no remaining time are shown without a total`() {
        var meter = ProgressMeter()
        meter.report(progress(0, of: 0), at: .zero)
        meter.report(progress(30, of: 0), at: .seconds(2))
        #expect(meter.bar(columns: 80) == "30 done  15.0/s")
    }

    @Test func `progress that decreases restarts the rate`() {
        var meter = ProgressMeter()
        meter.report(progress(10), at: .zero)
        meter.report(progress(2), at: .seconds(1))
        #expect(meter.plain == "progress: 10%  2/20")
    }

    @Test func `the steps of a shortcut have no rate and no remaining time`() {
        var meter = ProgressMeter(.steps)
        meter.report(progress(0), at: .zero)
        meter.report(progress(5, "pack"), at: .seconds(1))
        #expect(meter.plain == "progress: 25%  5/20  pack")
    }

    @Test func `invalid progress from an app does not break the line`() {
        var meter = ProgressMeter()
        meter.report(
            ProgressReport(completedUnitCount: .min, totalUnitCount: .max, fraction: .nan, title: "\u{1B}[31m"),
            at: .zero
        )
        meter.report(
            ProgressReport(completedUnitCount: .max, totalUnitCount: .max, fraction: .infinity),
            at: .seconds(1)
        )
        #expect(meter.bar(columns: 200).contains("0%"))
        meter.report(
            ProgressReport(completedUnitCount: .min, totalUnitCount: .max, fraction: 7),
            at: .seconds(2)
        )
        #expect(meter.bar(columns: 200).contains("100%"))
    }
}
