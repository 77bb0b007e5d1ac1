/// Who may answer when a run asks whether to go on, as the operator wrote it.
package struct ConfirmSettings: Equatable, Sendable {
    /// `Confirm=other`: not who asked for the run.
    package private(set) var isByOther = false
    /// `ConfirmGroups=`: only their members, and not who asked for the run; nil: whoever else may run the intent.
    package private(set) var groups: [String]?

    package init() {}

    /// Takes in one assignment; false when its key is none of these.
    ///
    /// - Throws: ``ConfigurationProblem`` for a word that is none; it then counts as `other`: a mistyped rule must not
    ///   be no rule.
    mutating func take(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) -> Bool {
        switch assignment.key {
        case "Confirm":
            isByOther = true
            switch assignment.value {
            case "other": break
            case "asker", "": isByOther = false
            default: throw assignment.problem("'\(assignment.value)' is not asker or other, and counts as other")
            }
        case "ConfirmGroups":
            isByOther = true
            groups = groups ?? []
            let names = try assignment.plainNames()
            // An empty list begins anew, and then nobody is in it.
            groups = names.isEmpty ? [] : (groups ?? []) + names
        default: return false
        }
        return true
    }
}
