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
    mutating func take(_ assignment: UnitFile.Assignment) -> Bool {
        let names = assignment.value.split(whereSeparator: \.isWhitespace).map(String.init)
        switch assignment.key {
        case "AllowUsers": users = names.isEmpty ? [] : users + names
        case "AllowGroups": groups = names.isEmpty ? [] : groups + names
        default: return false
        }
        // An empty list allows nobody rather than everybody.
        isRestricted = true
        return true
    }
}
