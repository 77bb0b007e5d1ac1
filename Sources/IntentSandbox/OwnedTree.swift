import CIntentLaunch
import Glibc
package import IntentLinux

/// Folders in which all files belong to one user.
package enum OwnedTree {
    /// The maximum number of files and folders to change in one call, because the launcher waits meanwhile.
    private static let entryLimit = 1 << 16

    /// Makes the user the owner of the folder and of everything below it, unless the user owns the folder already.
    ///
    /// The folder itself is changed last, so that the next call repeats a call that was interrupted.
    ///
    /// - Throws: ``SystemError``: E2BIG if the folder has too many files to change while other runs wait.
    package static func give(_ path: String, to user: UInt32) throws(SystemError) {
        guard try File.status(at: path).owner != user else { return }
        try syscall("chown", on: path) { intentd_give_tree(path, user, entryLimit) }
    }
}
