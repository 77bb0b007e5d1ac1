/// Whether an app has a state folder, which outlives its runs, and whether users share the folder (`State=`).
package enum StateFolder: Equatable, Sendable {
    /// The app has no state folder (`no`).
    case none
    /// Each user has a separate folder (`yes`).
    case perUser
    /// All users share one folder (`shared`).
    case shared

    /// Parses the value of an assignment.
    ///
    /// - Throws: ``ConfigurationProblem`` for an invalid value.
    init(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) {
        if assignment.value == "shared" {
            self = .shared
            return
        }
        do {
            self = try assignment.value.isEmpty || assignment.flag() ? .perUser : .none
        } catch {
            throw assignment.problem("expected yes, no or shared, got '\(assignment.excerpt)'")
        }
    }
}
