import IntentLinux
import IntentWire

/// The owner of a sandbox: a pair of app and user.
///
/// Two owners never share a sandbox, a fork server or a user id. They share a state folder only if the operator
/// configures that.
struct SandboxOwner: Hashable {
    let app: AppName
    /// Nil for the process that describes the app, which serves no user.
    let user: UInt32?
    /// The name of the user's account: if the uid is reassigned to another account, that account is another owner. Nil
    /// if the name is unknown or cannot be part of a file name.
    let account: String?

    init(app: AppName, user: UInt32?, account: String?) {
        self.app = app
        self.user = user
        self.account = account.flatMap { user != nil && LocalAccounts.isName($0) ? $0 : nil }
    }

    /// The user's name on disk, which is never reused for another user: `UID-ACCOUNT`, or `UID` without a known
    /// account.
    var userName: String? {
        user.map { user in account.map { "\(user)-\($0)" } ?? "\(user)" }
    }
}
