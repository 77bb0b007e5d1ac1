/// Who may run an app's intents, by names or numbers as the operator wrote them.
package struct AccessSettings: Equatable, Sendable {
    /// `AllowUsers=`.
    package private(set) var users: [String] = []
    /// `AllowGroups=`.
    package private(set) var groups: [String] = []
    /// False: everybody who can reach the socket.
    package private(set) var isRestricted = false

    package init() {}

    /// Takes in one assignment; false when its key is none of these.
    ///
    /// - Throws: ``ConfigurationProblem`` for a word that is no name; nothing of the app may run then.
    mutating func take(_ assignment: UnitFile.Assignment) throws(ConfigurationProblem) -> Bool {
        switch assignment.key {
        case "AllowUsers":
            let names = try assignment.plainNames()
            users = names.isEmpty ? [] : users + names
        case "AllowGroups":
            let names = try assignment.plainNames()
            groups = names.isEmpty ? [] : groups + names
        default: return false
        }
        // An empty list allows nobody rather than everybody.
        isRestricted = true
        return true
    }
}
