import Glibc
import IntentConfiguration
import IntentLinux
import IntentSandbox
import IntentSystemd
import IntentWire

/// The folders of apps that outlive their runs.
///
/// A user's folder is `.users/APP/UID-ACCOUNT`, or `.users/APP/UID` if the account is unknown. A folder that all users
/// of an app share is `APP`. These names cannot clash, because no app's name begins with a dot.
final class StateFolders {
    private static let usersName = ".users"

    /// Nil if the launcher keeps no state.
    let base: String?
    private let journal: Journal
    /// Keys of messages that were logged. Each message is logged only once.
    private var logged: Set<String> = []

    init(at base: String?, journal: Journal) {
        self.base = base
        self.journal = journal
    }

    /// True if all users of the app share one folder, because the operator configured it or an earlier version created
    /// it.
    func isShared(by app: AppSettings) -> Bool {
        switch app.state {
        case .none: return false
        case .shared: return true
        case .perUser:
            guard let path = base.map({ "\($0)/\(app.name)" }), access(path, F_OK) == 0 else { return false }
            if logged.insert("shared \(app.name)").inserted {
                journal.write(
                    .notice,
                    """
                    \(app.name): its users share the folder '\(path)', which an earlier version made for all of them. \
                    Write State=shared into [App] of \(app.name).conf to keep it so, or move the folder away: then each \
                    user gets a folder of their own.
                    """
                )
            }
            return true
        }
    }

    /// Creates the owner's folder; nil if the app keeps no state, or if the folder cannot be created.
    ///
    /// - Parameter user: The folder's owner; nil: the launcher's user.
    func folder(of app: AppSettings, for owner: SandboxOwner, user: UInt32?) -> String? {
        guard app.state != .none, let base, let userName = owner.userName else { return nil }
        let path = isShared(by: app) ? "\(base)/\(app.name)" : "\(base)/\(Self.usersName)/\(app.name)/\(userName)"
        do {
            try File.makeFolders(path, permissions: 0o700)
            if let user { try OwnedTree.give(path, to: user) }
            return path
        } catch {
            if logged.insert("problem \(path)").inserted {
                journal.write(
                    .warning,
                    "\(app.name): cannot create its state folder (\(error)); continuing without it"
                )
            }
            return nil
        }
    }

    /// Creates the owner's folder for a process without a sandbox, which opens it by its path; nil if that user lacks
    /// search permission for a parent folder.
    func openFolder(of app: AppSettings, for owner: SandboxOwner, user: UInt32?) -> String? {
        guard let base, let path = folder(of: app, for: owner, user: user) else { return nil }
        guard user != nil else { return path }
        var parent = path
        while let slash = parent.lastIndex(of: "/"), slash != parent.startIndex {
            parent = String(parent[..<slash])
            // Search permission does not allow listing names, and other users cannot enter the users' own folders.
            if parent == base || parent.hasPrefix(base + "/") { _ = chmod(parent, 0o711) }
            if let status = try? File.status(at: parent), status.permissions & 0o001 != 0 { continue }
            if logged.insert("closed \(path)").inserted {
                journal.write(
                    .warning,
                    """
                    \(app.name): cannot use its state folder, continuing without state: the app runs without a sandbox, \
                    and its user may not search '\(parent)'. Run 'chmod o+x \(parent)' to permit it.
                    """
                )
            }
            return nil
        }
        return path
    }
}
