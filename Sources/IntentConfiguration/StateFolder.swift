/// `State=`: an app's state folder, which outlives its runs.
package enum StateFolder: Equatable, Sendable {
    /// `no`: no state folder.
    case none
    /// `yes`: one folder per user.
    case perUser
    /// `shared`: one folder for all users.
    case shared

    /// - Throws: ``ConfigurationProblem``.
    init(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) {
        if assignment.value == "shared" {
            self = .shared
            return
        }
        do {
            self = try assignment.value.isEmpty || assignment.flag() ? .perUser : .none
        } catch {
            throw assignment.problem("expected yes, no or shared, got '\(assignment.value)'")
        }
    }
}
