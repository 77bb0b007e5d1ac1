import CIntentLaunch
import Glibc
package import IntentLinux

/// Folders in which all files belong to one user.
package enum OwnedTree {
    /// How many files and folders may change their owner in one call, while the launcher waits.
    private static let entryLimit = 1 << 16

    /// Makes the user the owner of the folder and of everything below it, unless the user owns the folder already.
    ///
    /// The folder itself comes last: after an interruption the next call begins again.
    ///
    /// - Throws: ``SystemError``: E2BIG if the folder has more files than can change their owner while other runs wait.
    package static func give(_ path: String, to user: UInt32) throws(SystemError) {
        guard try File.status(at: path).owner != user else { return }
        try syscall("chown", on: path) { intentd_give_tree(path, user, entryLimit) }
    }
}
