/// What isolates a worker, as found by trying.
public struct Isolation: Hashable, Sendable, Codable {
    public var grade: IsolationGrade
    /// The protections that hold, each in a few words.
    public var parts: [String]
    /// The protections that this host does not give, each with the reason.
    public var missing: [String]

    public init(grade: IsolationGrade, parts: [String], missing: [String] = []) {
        self.grade = grade
        self.parts = parts
        self.missing = missing
    }
}
