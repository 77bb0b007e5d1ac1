/// The users and groups that may run an app's intents, by name or number. Names are not resolved to numbers here.
package struct AccessSettings: Equatable, Sendable {
    /// The users who may run the intents (`AllowUsers=`).
    package private(set) var users: [String] = []
    /// The groups that may run the intents (`AllowGroups=`).
    package private(set) var groups: [String] = []
    /// True if only these users and groups may run the intents; false if every user who can connect may run them.
    package private(set) var isRestricted = false

    /// Applies an assignment. Returns false for a key other than `AllowUsers=` and `AllowGroups=`.
    ///
    /// - Throws: ``ConfigurationProblem`` for a word that is not a valid name. In that case, the app must not run.
    mutating func apply(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) -> Bool {
        switch AccessKey(rawValue: assignment.key) {
        case .allowUsers:
            let names = try assignment.plainNames()
            users = names.isEmpty ? [] : users + names
        case .allowGroups:
            let names = try assignment.plainNames()
            groups = names.isEmpty ? [] : groups + names
        case .confirm, .confirmGroups, nil: return false
        }
        // An empty list permits no user. It does not lift the restriction.
        isRestricted = true
        return true
    }
}
