/// The user who requested a run and therefore owns it.
///
/// A uid alone does not identify a caller. If an account is deleted and its uid is assigned to a new account, the new
/// account is a different caller.
package enum Caller: Hashable, Sendable {
    /// A user of this machine, with the uid from SO_PEERCRED and the account name from /etc/passwd. The account name is
    /// empty if no account has the uid.
    case local(user: UInt32, account: String = "")

    /// The uid of the caller's processes on this machine.
    package var uid: UInt32 {
        switch self {
        case .local(let user, _): user
        }
    }

    /// The name of the caller's account; empty when no account has the uid.
    package var account: String {
        switch self {
        case .local(_, let account): account
        }
    }

    package var isRoot: Bool { uid == 0 }
}
