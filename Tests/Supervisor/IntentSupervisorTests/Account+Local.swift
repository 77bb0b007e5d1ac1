import IntentLauncherMessages

extension Account {
    /// The account of a user with a uid that is not subordinate to another account.
    static func local(user: UInt32, account: String = "") -> Account {
        SubordinateIDs().account(of: .local(user: user, account: account))
    }
}
