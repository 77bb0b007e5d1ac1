/// What isolates a worker, as found by trying.
package struct Isolation: Hashable, Sendable, Codable {
    package var grade: IsolationGrade
    /// The protections that hold, each in a few words.
    package var parts: [String]
    /// The protections that this host does not give, each with the reason.
    package var missing: [String]

    package init(grade: IsolationGrade, parts: [String], missing: [String] = []) {
        self.grade = grade
        self.parts = parts
        self.missing = missing
    }
}
