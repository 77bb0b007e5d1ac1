/// How a worker is isolated, as the launcher found by trying each protection.
public struct Isolation: Hashable, Sendable, Codable {
    /// The grade that follows from the parts.
    public var grade: IsolationGrade
    /// The protections that hold, each in a few words for people.
    public var parts: [String]
    /// The protections that this host does not provide, each with the reason.
    public var missing: [String]

    /// Creates a description.
    public init(grade: IsolationGrade, parts: [String], missing: [String] = []) {
        self.grade = grade
        self.parts = parts
        self.missing = missing
    }
}
