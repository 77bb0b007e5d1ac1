/// The users who may answer a run's confirmation questions.
package struct ConfirmSettings: Equatable, Sendable {
    /// True if the caller must not answer (`Confirm=other`).
    package private(set) var isByOther = false
    /// The groups with members, other than the caller, who may answer (`ConfirmGroups=`); nil if every user who may run
    /// the intent may answer.
    package private(set) var groups: [String]?

    /// Applies an assignment. Returns false for a key other than `Confirm=` and `ConfirmGroups=`.
    ///
    /// - Throws: ``ConfigurationProblem`` for an invalid value. An invalid `Confirm=` has the effect of `other`, so
    ///   that a mistyped rule is not ignored.
    mutating func apply(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) -> Bool {
        switch AccessKey(rawValue: assignment.key) {
        case .confirm:
            isByOther = true
            switch assignment.value {
            case "other": break
            case "asker", "": isByOther = false
            default:
                throw assignment.problem("expected 'asker' or 'other', got '\(assignment.excerpt)'; using 'other'")
            }
        case .confirmGroups:
            isByOther = true
            groups = groups ?? []
            let names = try assignment.plainNames()
            // An empty value clears the list. No user may then confirm.
            groups = names.isEmpty ? [] : (groups ?? []) + names
        case .allowUsers, .allowGroups, nil: return false
        }
        return true
    }
}
