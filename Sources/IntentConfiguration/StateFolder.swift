/// `State=`: the folder of an app that outlives its runs.
package enum StateFolder: Equatable, Sendable {
    /// `no`: it has none.
    case none
    /// `yes`: each user's runs have one of their own.
    case perUser
    /// `shared`: the runs of all users have one in common.
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
