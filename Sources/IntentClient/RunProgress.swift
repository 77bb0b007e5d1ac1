internal import IntentWire

/// How far a run is, as the app says.
public struct RunProgress: Hashable, Sendable {
    public var completedUnitCount: Int64
    /// Zero or less: how much there is to do is not known.
    public var totalUnitCount: Int64
    /// 0 to 1; 0 while the total is not known.
    public var fraction: Double
    /// What is being done. An app's text: clean it before a terminal sees it.
    public var title: String?
    /// More of it.
    public var detail: String?

    /// Makes a report.
    public init(
        completedUnitCount: Int64,
        totalUnitCount: Int64,
        fraction: Double,
        title: String? = nil,
        detail: String? = nil
    ) {
        self.completedUnitCount = completedUnitCount
        self.totalUnitCount = totalUnitCount
        self.fraction = fraction
        self.title = title
        self.detail = detail
    }
}

extension RunProgress {
    init(_ report: ProgressReport) {
        self.init(
            completedUnitCount: report.completedUnitCount,
            totalUnitCount: report.totalUnitCount,
            fraction: report.fraction,
            title: report.title,
            detail: report.detail
        )
    }
}
