import IntentLauncherMessages
import IntentLinux

/// The account, the host of a fleet or the realm that pays for the sandboxes of a user.
struct SandboxPayer: Hashable {
    /// Nil for the users of a fleet, for the callers of realms, and for what belongs to no user.
    private(set) var account: Account?
    /// The host of a user of a fleet, or the realm of a caller; nil for local users, because no account has a name with '@'.
    private(set) var host: String?

    /// - Parameter userName: The user as in ``SandboxOwner/userName``; nil for no user.
    init(_ userName: String?, _ subordinates: SubordinateIDs) {
        let parts = (userName ?? "").split(scalar: "-", maxSplits: 1)
        guard let first = parts.first, let user = UInt32(first) else { return }
        let account = parts.count > 1 ? String(parts[1]) : ""
        let names = account.split(scalar: "@", maxSplits: 1)
        if names.count > 1 {
            host = String(names[1])
        } else {
            self.account = subordinates.account(of: .local(user: user, account: account))
        }
    }
}
