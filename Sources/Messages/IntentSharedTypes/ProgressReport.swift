/// The progress of a run.
public struct ProgressReport: Hashable, Sendable, Codable {
    /// The number of completed units.
    public var completedUnitCount: Int64
    /// The total number of units; zero or negative when the total is unknown.
    public var totalUnitCount: Int64
    /// The completed fraction, from 0 to 1, including child progress; 0 while the total is unknown.
    public private(set) var fraction: Double
    /// The `localizedDescription` of the app's progress.
    public var title: String?
    /// The `localizedAdditionalDescription` of the app's progress.
    public var detail: String?

    /// Creates a progress report.
    ///
    /// - Parameter fraction: Values outside 0 to 1 are clamped, and NaN becomes 0.
    public init(
        completedUnitCount: Int64,
        totalUnitCount: Int64,
        fraction: Double,
        title: String? = nil,
        detail: String? = nil
    ) {
        self.completedUnitCount = completedUnitCount
        self.totalUnitCount = totalUnitCount
        // An app's arithmetic can produce NaN, for example from 0/0. JSON cannot express NaN.
        self.fraction = fraction.isNaN ? 0 : min(max(fraction, 0), 1)
        self.title = title
        self.detail = detail
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            completedUnitCount: try container.decode(Int64.self, forKey: .completedUnitCount),
            totalUnitCount: try container.decode(Int64.self, forKey: .totalUnitCount),
            fraction: try container.decode(Double.self, forKey: .fraction),
            title: try container.decodeIfPresent(String.self, forKey: .title),
            detail: try container.decodeIfPresent(String.self, forKey: .detail)
        )
    }
}
