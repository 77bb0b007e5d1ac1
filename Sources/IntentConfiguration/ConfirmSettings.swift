/// The users who may answer a run's confirmations, as the operator wrote them.
package struct ConfirmSettings: Equatable, Sendable {
    /// `Confirm=other`: the caller must not confirm.
    package private(set) var isByOther = false
    /// `ConfirmGroups=`: only members of these groups other than the caller may confirm; nil for every user who may run the
    /// intent.
    package private(set) var groups: [String]?

    package init() {}

    /// Applies an assignment. Returns false if the key is not a key of these settings.
    ///
    /// - Throws: ``ConfigurationProblem`` for an invalid value. `Confirm=` then counts as `other`, because a mistyped rule
    ///   must not be ignored.
    mutating func apply(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) -> Bool {
        switch AccessKey(rawValue: assignment.key) {
        case .confirm:
            isByOther = true
            switch assignment.value {
            case "other": break
            case "asker", "": isByOther = false
            default: throw assignment.problem("'\(assignment.value)' is not 'asker' or 'other', and counts as 'other'")
            }
        case .confirmGroups:
            isByOther = true
            groups = groups ?? []
            let names = try assignment.plainNames()
            // An empty value clears the list, and no user may confirm.
            groups = names.isEmpty ? [] : (groups ?? []) + names
        case .allowUsers, .allowGroups, nil: return false
        }
        return true
    }
}
