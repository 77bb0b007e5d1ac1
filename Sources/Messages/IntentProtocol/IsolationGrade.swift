/// The minimum isolation grade that a run requires, or the grade that a worker has.
public enum IsolationGrade: String, CaseIterable, Comparable, Hashable, Sendable, Codable {
    /// The app's code runs without restrictions, like any other program of the user.
    case none
    /// Some protections are active, but the host does not support all of them.
    case reduced
    /// Every protection is active.
    case full

    /// Returns true if the left grade is weaker than the right grade.
    public static func < (left: IsolationGrade, right: IsolationGrade) -> Bool { left.rank < right.rank }

    private var rank: Int {
        switch self {
        case .none: 0
        case .reduced: 1
        case .full: 2
        }
    }
}
