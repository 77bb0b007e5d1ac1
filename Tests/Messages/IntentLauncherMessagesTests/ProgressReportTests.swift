import IntentLauncherMessages
import Testing

@Suite struct ProgressReportTests {
    @Test(arguments: [
        (Double.nan, 0), (.infinity, 1), (-.infinity, 0), (-0.5, 0), (1.5, 1), (0.25, 0.25), (.signalingNaN, 0),
    ])
    func `a fraction is between 0 and 1 for every value from the app`(_ fraction: Double, _ expected: Double) throws {
        let report = ProgressReport(completedUnitCount: .min, totalUnitCount: .max, fraction: fraction)
        #expect(report.fraction == expected)
        #expect(try WireCoding.decode(ProgressReport.self, from: WireCoding.encode(report)) == report)
    }

    @Test func `a fraction out of range in a worker's report is clamped`() throws {
        let json = #"{"progress":{"completedUnitCount":1,"fraction":-7e9,"totalUnitCount":0},"type":"progress"}"#
        #expect(
            try WireCoding.decode(WorkerReport.self, from: Array(json.utf8))
                == .progress(ProgressReport(completedUnitCount: 1, totalUnitCount: 0, fraction: 0))
        )
    }
}
