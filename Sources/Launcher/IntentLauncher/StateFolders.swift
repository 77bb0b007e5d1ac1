import Glibc
import IntentConfiguration
import IntentLauncherMessages
import IntentLinux
import IntentSandbox
import IntentSystemd

/// Apps' state folders, which outlive runs.
///
/// A user's folder is `.users/APP/UID-ACCOUNT`, or `.users/APP/UID` if the account is unknown. A folder that all users
/// of an app share is `APP`. These names cannot clash, because an app's name never begins with a dot.
final class StateFolders {
    private static let usersName = ".users"

    /// The folder that contains all state folders; nil if apps have no state.
    let base: String?
    private let journal: Journal
    /// The keys of the messages logged so far. Each message is logged only once.
    private var logged: Set<String> = []
    /// The maximum number of messages, so that neither the set nor the journal grows with every user of an app.
    private static let messageLimit = 1024

    init(at base: String?, journal: Journal) {
        self.base = base
        self.journal = journal
    }

    private func isFirst(_ message: String) -> Bool {
        logged.count < Self.messageLimit && logged.insert(message).inserted
    }

    /// Creates the sandbox owner's state folder and returns its path. Returns nil if the app keeps no state, or if the
    /// folder cannot be created.
    ///
    /// - Parameter user: The uid that owns the folder on the disk; nil for the launcher's user.
    func folder(of app: AppSettings, for owner: SandboxOwner, user: UInt32?) -> String? {
        guard app.unit.state != .none, let base, let userName = owner.userName else { return nil }
        let path =
            app.unit.state == .shared ? "\(base)/\(app.name)" : "\(base)/\(Self.usersName)/\(app.name)/\(userName)"
        do {
            try File.makeFolders(path, permissions: 0o700)
            if let user { try OwnedTree.changeOwner(of: path, to: user) }
            return path
        } catch {
            if isFirst("problem \(path)") {
                journal.write(
                    .warning,
                    "\(app.name): cannot create the state folder (\(error)); continuing without it"
                )
            }
            return nil
        }
    }

    /// Creates the state folder for a process without a sandbox. Such a process opens the folder by its path on the
    /// host. Returns nil if the process's user lacks search permission for a parent folder.
    func unsandboxedFolder(of app: AppSettings, for owner: SandboxOwner, user: UInt32?) -> String? {
        guard let base, let path = folder(of: app, for: owner, user: user) else { return nil }
        guard user != nil else { return path }
        var parent = path
        while let slash = parent.utf8.lastIndex(of: UInt8(ascii: "/")), slash != parent.startIndex {
            parent = String(parent[parent.startIndex..<slash])
            // Grant search permission to all users. They still cannot list names, and each user's own folder has mode
            // 0700.
            if parent == base || parent.hasPrefix(utf8: base + "/") { _ = chmod(parent, 0o711) }
            if let status = try? File.status(at: parent), status.permissions & 0o001 != 0 { continue }
            if isFirst("closed \(path)") {
                journal.write(
                    .warning,
                    """
                    \(app.name): cannot use the state folder, continuing without state: the app runs without a \
                    sandbox, and its user has no search permission for '\(parent)'. Run 'chmod o+x \(parent)' to \
                    grant it.
                    """
                )
            }
            return nil
        }
        return path
    }
}
