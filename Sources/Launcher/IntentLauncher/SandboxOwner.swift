import IntentLauncherMessages
import IntentLinux

/// The owner of a sandbox: a pair of an app and a user, or an intent with hosts of its own for a user.
///
/// Two owners never share a sandbox or a fork server. They share a state folder and user ids only if all users of the
/// app share its state folder, or if both are intents of one app for one user.
struct SandboxOwner: Hashable {
    let app: AppName
    /// The user's uid; nil for the process that describes the app's intents, which runs for no user.
    let user: UInt32?
    /// The name of the user's account. It distinguishes the owner from another account to which the uid is reassigned.
    /// Nil if the name is unknown or cannot be part of a file name.
    let account: String?
    /// The intent with hosts of its own (`AllowHosts=` in `[Intent NAME]`); nil for all other intents of the app.
    let intent: String?

    init(app: AppName, user: UInt32?, account: String?, intent: String? = nil) {
        self.app = app
        self.user = user
        self.intent = intent
        self.account = account.flatMap { user != nil && LocalAccounts.isName($0) ? $0 : nil }
    }

    init(of request: LaunchRequest) {
        self.init(app: request.app, user: request.user, account: request.account, intent: request.intent)
    }

    /// The app and the user.
    var pair: SandboxOwner { SandboxOwner(app: app, user: user, account: account) }

    /// The user as part of a file name: `UID-ACCOUNT`, or `UID` if the account is unknown.
    var userName: String? {
        user.map { user in account.map { "\(user)-\($0)" } ?? "\(user)" }
    }
}
