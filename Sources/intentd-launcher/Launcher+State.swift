import Glibc
import IntentConfiguration
import IntentLinux
import IntentSandbox
import IntentSystemd
import IntentWire

/// Folders of state: what outlives the runs of an app.
extension Launcher {
    /// Below it are the folders of single users, `APP/UID-ACCOUNT`, or `APP/UID` where no account is known. The folder that
    /// all users of an app share is beside it, by the app's name: an app has no name that begins with a dot.
    private static let usersName = ".users"

    /// All users of the app have one folder: the operator says so, or an earlier version made it for all of them.
    func sharesState(_ app: AppSettings) -> Bool {
        switch app.state {
        case .none: return false
        case .shared: return true
        case .perUser:
            guard let path = stateFolder.map({ "\($0)/\(app.name)" }), access(path, F_OK) == 0 else { return false }
            if saidOfState.insert("shared \(app.name)").inserted {
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

    func stateFolder(of app: AppSettings, for sandbox: Sandbox) -> String? {
        stateFolder(of: app, for: sandbox.owner, user: sandbox.ids?.app)
    }

    /// The folder that outlives the owner's runs; nil where it has none, or it cannot be made.
    ///
    /// - Parameter user: Whose it is to be; nil: the launcher's.
    func stateFolder(of app: AppSettings, for owner: SandboxOwner, user: UInt32?) -> String? {
        guard app.state != .none, let base = stateFolder, let userName = owner.userName else { return nil }
        let path = sharesState(app) ? "\(base)/\(app.name)" : "\(base)/\(Self.usersName)/\(app.name)/\(userName)"
        do {
            try File.makeFolders(path, permissions: 0o700)
            if let user { try OwnedTree.give(path, to: user) }
            return path
        } catch {
            if saidOfState.insert("problem \(path)").inserted {
                journal.write(.warning, "\(app.name): no folder for its state (\(error)), continuing without")
            }
            return nil
        }
    }

    /// The same for a process without a sandbox, which reaches the folder by its path; nil where the way is closed.
    func openStateFolder(of app: AppSettings, for owner: SandboxOwner, user: UInt32?) -> String? {
        guard let base = stateFolder, let path = stateFolder(of: app, for: owner, user: user) else { return nil }
        guard user != nil else { return path }
        var way = path
        while let slash = way.lastIndex(of: "/"), slash != way.startIndex {
            way = String(way[..<slash])
            // The launcher's own folders show no names, and the folders of users below them are closed to all others.
            if way == base || way.hasPrefix(base + "/") { _ = chmod(way, 0o711) }
            if let status = try? File.status(at: way), status.permissions & 0o001 != 0 { continue }
            if saidOfState.insert("closed \(path)").inserted {
                journal.write(
                    .warning,
                    """
                    \(app.name): no folder for its state, continuing without: it runs without a sandbox, and its user may not \
                    search '\(way)'. Run 'chmod o+x \(way)' to permit it.
                    """
                )
            }
            return nil
        }
        return path
    }
}
