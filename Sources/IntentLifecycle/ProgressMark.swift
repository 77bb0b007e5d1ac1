package import IntentWire

/// The furthest that a run's progress has been, which decides what counts as advance.
///
/// Completed units or the fraction must grow beyond all that was reported before: text alone, repeats
/// and going back buy no time.
package struct ProgressMark: Equatable, Sendable {
    private var completedUnitCount: Int64 = 0
    private var fraction: Double = 0

    package init() {}

    /// Takes a report in, and says whether it is an advance.
    package mutating func advances(with report: ProgressReport) -> Bool {
        // A fraction that is no number compares false with everything, and so never advances.
        let isAdvance = report.completedUnitCount > completedUnitCount || report.fraction > fraction
        completedUnitCount = max(completedUnitCount, report.completedUnitCount)
        if report.fraction > fraction { fraction = report.fraction }
        return isAdvance
    }
}
