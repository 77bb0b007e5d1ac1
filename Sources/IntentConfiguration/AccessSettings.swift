/// The users and groups that may run an app's intents, by name or number as the operator wrote them.
package struct AccessSettings: Equatable, Sendable {
    /// `AllowUsers=`.
    package private(set) var users: [String] = []
    /// `AllowGroups=`.
    package private(set) var groups: [String] = []
    /// False if every user who can connect may run the intents.
    package private(set) var isRestricted = false

    package init() {}

    /// Applies an assignment. Returns false if the key is not a key of these settings.
    ///
    /// - Throws: ``ConfigurationProblem`` for a word that is not a name. The app must not run then.
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
        // An empty list permits no user, not every user.
        isRestricted = true
        return true
    }
}
