package import IntentWire

/// The furthest progress of a run, which decides whether a report is an advance.
///
/// Completed units or the fraction must exceed everything reported before: text alone, repeats and steps back buy no
/// time.
package struct ProgressMark: Equatable, Sendable {
    package private(set) var completedUnitCount: Int64
    package private(set) var fraction: Double

    package init(completedUnitCount: Int64 = 0, fraction: Double = 0) {
        self.completedUnitCount = completedUnitCount
        self.fraction = fraction
    }

    /// Records a report, and returns whether it is an advance.
    package mutating func advances(with report: ProgressReport) -> Bool {
        // NaN compares false with everything, so it never advances.
        let isAdvance = report.completedUnitCount > completedUnitCount || report.fraction > fraction
        completedUnitCount = max(completedUnitCount, report.completedUnitCount)
        if report.fraction > fraction { fraction = report.fraction }
        return isAdvance
    }
}
