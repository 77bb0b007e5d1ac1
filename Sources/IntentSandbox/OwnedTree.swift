import CIntentLaunch
import Glibc
package import IntentLinux

/// Folders in which all files belong to one user.
package enum OwnedTree {
    /// Files and folders that are given to another user in one go, while the launcher waits.
    private static let entryLimit = 1 << 16

    /// Makes the user the owner of the folder and of all below it, unless the folder is theirs already.
    ///
    /// The folder itself comes last: one that was given in part is given again in full.
    ///
    /// - Throws: ``SystemError``: E2BIG where more files are below it than can be given while others wait.
    package static func give(_ path: String, to user: UInt32) throws(SystemError) {
        guard try File.status(at: path).owner != user else { return }
        try syscall("chown", on: path) { intentd_give_tree(path, user, entryLimit) }
    }
}
