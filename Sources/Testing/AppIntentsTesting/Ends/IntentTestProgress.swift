internal import IntentLauncherMessages

/// The progress that a run has reported.
public struct IntentTestProgress: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The number of completed units.
    public let completedUnitCount: Int64
    /// The total number of units; zero or less when it is unknown.
    public let totalUnitCount: Int64
    /// The completed fraction, from 0 to 1; 0 while the total is unknown.
    public let fractionCompleted: Double
    /// The `localizedDescription` of the progress; nil when the run has set none.
    public let title: String?
    /// The `localizedAdditionalDescription` of the progress; nil when the run has set none.
    public let detail: String?

    init(_ report: ProgressReport?) {
        completedUnitCount = report?.completedUnitCount ?? 0
        totalUnitCount = report?.totalUnitCount ?? 0
        fractionCompleted = report?.fraction ?? 0
        title = report?.title
        detail = report?.detail
    }

    /// The progress as text, such as `3 of 50 units`.
    public var description: String {
        let count =
            totalUnitCount > 0 ? "\(completedUnitCount) of \(totalUnitCount) units" : "\(completedUnitCount) units"
        return [count, title, detail].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// An empty mirror. A failed expectation therefore shows only the text.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
