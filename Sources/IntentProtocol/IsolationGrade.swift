/// A grade of isolation: the minimum that a run requires, or the actual grade of a worker.
public enum IsolationGrade: String, CaseIterable, Comparable, Hashable, Sendable, Codable {
    /// The app's code runs like any other program of its user.
    case none
    /// Some protections are in place, but the host lacks others.
    case reduced
    /// Every protection is in place.
    case full

    /// Orders grades from the weakest to the strongest.
    public static func < (left: IsolationGrade, right: IsolationGrade) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .none: 0
        case .reduced: 1
        case .full: 2
        }
    }
}
