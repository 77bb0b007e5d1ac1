/// A run's progress, as its `progress` reports it.
public struct ProgressReport: Hashable, Sendable, Codable {
    /// The units that are completed.
    public var completedUnitCount: Int64
    /// The units in all; zero or less when the total is unknown.
    public var totalUnitCount: Int64
    /// The completed part, children included: 0 to 1, and 0 while the total is unknown.
    public private(set) var fraction: Double
    /// `localizedDescription`.
    public var title: String?
    /// `localizedAdditionalDescription`.
    public var detail: String?

    /// Creates a report.
    ///
    /// - Parameter fraction: Values outside 0 to 1 are clamped; one that is not a number becomes 0.
    public init(
        completedUnitCount: Int64,
        totalUnitCount: Int64,
        fraction: Double,
        title: String? = nil,
        detail: String? = nil
    ) {
        self.completedUnitCount = completedUnitCount
        self.totalUnitCount = totalUnitCount
        // An app's arithmetic may give anything, such as 0/0, for which JSON has no word.
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
