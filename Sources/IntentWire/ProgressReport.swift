/// How far a run is, as its `progress` says.
package struct ProgressReport: Hashable, Sendable, Codable {
    package var completedUnitCount: Int64
    /// Zero or less: how much there is to do is not known.
    package var totalUnitCount: Int64
    /// 0 to 1, children counted; 0 while the total is not known.
    package var fraction: Double
    /// `localizedDescription`.
    package var title: String?
    /// `localizedAdditionalDescription`.
    package var detail: String?

    package init(
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
