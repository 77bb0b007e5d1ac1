import CIntentLaunch
import Glibc
package import IntentLinux

/// Directory trees in which all files belong to one user.
package enum OwnedTree {
    /// The maximum number of files and folders that one call changes. It is limited because the launcher blocks during
    /// the call.
    private static let entryLimit = 1 << 16

    /// Changes the owner of a folder and of everything below it, unless the user already owns the folder.
    ///
    /// The folder itself is changed last, so that the next call completes an interrupted call.
    ///
    /// - Throws: ``SystemError``. The code is E2BIG if the tree contains more files and folders than the limit.
    package static func changeOwner(of path: String, to user: UInt32) throws(SystemError) {
        guard try File.status(at: path).owner != user else { return }
        try syscall("chown", on: path) { intentd_give_tree(path, user, entryLimit) }
    }
}
