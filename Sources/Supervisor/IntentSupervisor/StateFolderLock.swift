import Glibc
import IntentLinux

/// The exclusive use of a state folder by this process, until it ends.
///
/// A second intentd would adopt the runs of the first, and remove their folders. The lock belongs to the open folder
/// (flock(2)), so it works on a file system that is read-only, and a program that this process executes takes it again.
final class StateFolderLock {
    private let folder: FileDescriptor

    /// Creates the folder, unless it exists, and locks it.
    ///
    /// - Returns: Nil if the folder cannot be used. The history then reports the reason, and no run begins.
    /// - Throws: ``InUse`` if another process has locked the folder.
    init?(_ path: String) throws(InUse) {
        let absolute = path.hasPrefix(utf8: "/") ? path : "\(File.currentFolder ?? "")/\(path)"
        do throws(SystemError) {
            try File.makeFolders(absolute, permissions: 0o700)
            folder = try File.open(absolute, O_RDONLY | O_DIRECTORY)
        } catch {
            return nil
        }
        if flock(folder.rawValue, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            throw InUse(folder: path, process: Self.holder(of: folder))
        }
    }

    /// Returns the process that has locked a folder; nil if the kernel does not name it (`/proc/locks` in proc(5)).
    private static func holder(of folder: borrowing FileDescriptor) -> Int32? {
        guard let inode = try? File.status(of: folder.rawValue).inode,
            let locks = try? File.lines(at: "/proc/locks")
        else { return nil }
        for line in locks {
            // 1: FLOCK ADVISORY WRITE PROCESS MAJOR:MINOR:INODE 0 EOF
            let words = line.split(scalar: " ")
            guard words.count > 5, words[1] == "FLOCK", let number = words[5].split(scalar: ":").last else { continue }
            if UInt64(number) == inode { return Int32(words[4]) }
        }
        return nil
    }

    struct InUse: Error, CustomStringConvertible {
        let folder: String
        let process: Int32?

        var description: String {
            let holder = process.map { "the process \($0)" } ?? "another intentd"
            return "\(holder) uses the state folder '\(folder)': stop it, or choose another --state"
        }
    }
}
