import IntentProtocol

/// The name of a local user in the fleet.
package enum FleetUser {
    /// Returns `ACCOUNT@REALM`. Returns `uid.UID@REALM` for a user without an account, or with an account name that
    /// contains characters that the fleet does not permit.
    package static func name(user: UInt32, account: String, realm: String) -> String {
        isPermitted(account) ? "\(account)@\(realm)" : "uid.\(user)@\(realm)"
    }

    private static func isPermitted(_ account: String) -> Bool {
        // An account name that starts with 'uid.' could be mistaken for a user without an account.
        guard (1...64).contains(account.utf8.count), !account.hasPrefix(utf8: "uid."), !account.hasPrefix(utf8: ".")
        else { return false }
        return account.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", ".", "_", "-", "+", "$": true
            default: false
            }
        }
    }
}
