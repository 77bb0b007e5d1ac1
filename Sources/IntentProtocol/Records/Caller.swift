/// The user who requested a run, and who owns it.
///
/// A uid alone does not identify a caller: if an account is deleted and its uid is assigned to another account, the new
/// account is a different caller.
package enum Caller: Hashable, Sendable {
    /// A user of this machine: the uid from SO_PEERCRED, and the account's name in /etc/passwd, which is empty if no
    /// account has the uid.
    case local(user: UInt32, account: String = "")

    /// The uid of the caller's processes on this machine.
    package var uid: UInt32 {
        switch self {
        case .local(let user, _): user
        }
    }

    /// The name of the caller's account; empty when only the uid is known.
    package var account: String {
        switch self {
        case .local(_, let account): account
        }
    }

    package var isRoot: Bool { uid == 0 }
}
