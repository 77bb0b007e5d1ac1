/// The caller of a run, who is its owner.
///
/// A uid alone does not name a caller: one that was deleted and given to another account is another caller.
package enum Caller: Hashable, Sendable {
    /// A user of this machine as SO_PEERCRED gives it, with the name that /etc/passwd has for it; empty where it has none.
    case local(user: UInt32, account: String = "")

    /// The uid that its processes have here.
    package var uid: UInt32 {
        switch self {
        case .local(let user, _): user
        }
    }

    /// The name of its account; empty where it is known by its uid alone.
    package var account: String {
        switch self {
        case .local(_, let account): account
        }
    }

    package var isRoot: Bool { uid == 0 }
}
