package import IntentLauncherMessages

/// The furthest progress of a run. A report advances the run only if its completed units or its fraction exceed this
/// mark. A report that repeats the progress, lowers it, or only changes its description does not extend the deadline.
/// After a report of complete work, a lower report begins a new phase, with a new mark.
package struct ProgressMark: Equatable, Sendable {
    package private(set) var completedUnitCount: Int64 = 0
    package private(set) var fraction: Double = 0

    /// Records a report. Returns true if the report advances the run.
    package mutating func advances(with report: ProgressReport) -> Bool {
        if fraction >= 1, report.fraction < 1 {
            completedUnitCount = report.completedUnitCount
            fraction = report.fraction
            return true
        }
        let isAdvance = report.completedUnitCount > completedUnitCount || report.fraction > fraction
        completedUnitCount = max(completedUnitCount, report.completedUnitCount)
        fraction = max(fraction, report.fraction)
        return isAdvance
    }
}
