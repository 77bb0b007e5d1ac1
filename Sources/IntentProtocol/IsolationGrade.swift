/// How much of the isolation of a run the host gives: what a run must at least have, and what it had.
public enum IsolationGrade: String, CaseIterable, Comparable, Hashable, Sendable, Codable {
    /// The app's code runs as any other program of its user.
    case none
    /// Some protections hold, and others the host does not give.
    case reduced
    /// Every protection holds.
    case full

    /// From the weakest to the strongest.
    public static func < (left: IsolationGrade, right: IsolationGrade) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .none: 0
        case .reduced: 1
        case .full: 2
        }
    }
}
