import IntentLinux
import IntentWire

/// The owner of a sandbox: an app as one user runs it.
///
/// No two owners share a sandbox, a fork server, a user id or, unless the operator says so, a folder of state.
struct SandboxOwner: Hashable {
    let app: AppName
    /// Nil for the process that describes the app, which is for no user.
    let user: UInt32?
    /// The name of the user's account: another account that is given the uid is another owner. Nil where the name is not
    /// known, or cannot be part of a file's name.
    let account: String?

    init(app: AppName, user: UInt32?, account: String?) {
        self.app = app
        self.user = user
        self.account = account.flatMap { user != nil && LocalAccounts.isName($0) ? $0 : nil }
    }

    /// The user's name on disk, which no two users ever have: `UID-ACCOUNT`, or `UID` where there is no account.
    var userName: String? {
        user.map { user in account.map { "\(user)-\($0)" } ?? "\(user)" }
    }
}
