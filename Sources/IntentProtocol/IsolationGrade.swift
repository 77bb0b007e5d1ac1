/// How much isolation the host provides: what a run requires at least, and what it had.
public enum IsolationGrade: String, CaseIterable, Comparable, Hashable, Sendable, Codable {
    /// The app's code runs like any other program of its user.
    case none
    /// Some protections hold, and the host does not provide the others.
    case reduced
    /// Every protection holds.
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
