package import IntentWire

/// The furthest that a run's progress has been, which decides what counts as advance.
///
/// Completed units or the fraction must grow beyond all that was reported before: text alone, repeats
/// and going back buy no time.
package struct ProgressMark: Equatable, Sendable {
    package private(set) var completedUnitCount: Int64
    package private(set) var fraction: Double

    package init(completedUnitCount: Int64 = 0, fraction: Double = 0) {
        self.completedUnitCount = completedUnitCount
        self.fraction = fraction
    }

    /// Takes a report in, and says whether it is an advance.
    package mutating func advances(with report: ProgressReport) -> Bool {
        // A fraction that is no number compares false with everything, and so never advances.
        let isAdvance = report.completedUnitCount > completedUnitCount || report.fraction > fraction
        completedUnitCount = max(completedUnitCount, report.completedUnitCount)
        if report.fraction > fraction { fraction = report.fraction }
        return isAdvance
    }
}
