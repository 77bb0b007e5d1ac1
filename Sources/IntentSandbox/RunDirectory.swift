import CIntentLaunch
import Glibc
package import IntentLinux

/// The private, writable directory of one worker.
package final class RunDirectory {
    /// The folder that contains the directory.
    private let folder: String
    package private(set) var name: String
    package var path: String { "\(folder)/\(name)" }
    private let directory: FileDescriptor
    /// The user that writes in the directory.
    package let user: UInt32

    /// Creates the directory, accessible to one user only; nil: the caller's user.
    package init(at path: String, for user: UInt32?) throws(SystemError) {
        try syscall("mkdir", on: path) { mkdir(path, 0o700) }
        (folder, name) = Self.parts(of: path)
        self.user = user ?? getuid()
        do throws(SystemError) {
            directory = try File.openPath(path)
            if let user { try syscall("chown", on: path) { chown(path, user, user) } }
        } catch {
            // This process has probably no free descriptors. No other code knows the directory, and removing it needs
            // no descriptor.
            _ = rmdir(path)
            throw error
        }
    }

    /// Opens an existing directory.
    package init(existing path: String, of user: UInt32?) throws(SystemError) {
        (folder, name) = Self.parts(of: path)
        self.user = user ?? getuid()
        directory = try File.openPath(path)
    }

    /// True if nothing distinguishes the directory from a new one, so that it may serve another run of the app under
    /// another name.
    ///
    /// Creating a directory takes longer the more directories were removed in the last seconds: ext4 skips every inode
    /// that was freed recently.
    package var isAsNew: Bool { intentd_is_as_new(directory.rawValue, user) != 0 }

    /// Renames the directory within its folder, and resets its times. The times would show the next run when this run
    /// read and wrote.
    package func rename(to name: String) throws(SystemError) {
        let before = path
        try syscall("rename", on: before) { Glibc.rename(before, "\(folder)/\(name)") }
        self.name = name
        try syscall("utimensat", on: path) { utimensat(AT_FDCWD, path, nil, AT_SYMLINK_NOFOLLOW) }
    }

    private static func parts(of path: String) -> (folder: String, name: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        return (String(path[..<slash]), String(path[path.utf8.index(after: slash)...]))
    }

    /// Opens a result file by its path below the directory. The path must not contain a link, and the file must be
    /// regular.
    package func open(_ relativePath: String) throws(ResultFileError) -> SharedFileDescriptor {
        let (file, status) = try find(relativePath)
        // A hard link can put another user's file into the directory.
        guard status.kind == .regular, status.owner == user else { throw .irregular(relativePath) }
        return file
    }

    /// Links a result file into another folder of the same file system, which outlives the directory.
    @discardableResult
    package func keep(_ relativePath: String, in folder: borrowing FileDescriptor, as name: String)
        throws(ResultFileError) -> SharedFileDescriptor
    {
        let (file, status) = try find(relativePath)
        guard status.kind == .regular else { throw .irregular(relativePath) }
        if status.owner != user {
            // An earlier intentd kept the file and froze it.
            let kept = try? File.status(at: "/proc/self/fd/\(folder.rawValue)/\(name)")
            guard status.owner == geteuid(), kept?.inode == status.inode, kept?.device == status.device else {
                throw .irregular(relativePath)
            }
            return file
        }
        do throws(SystemError) {
            try File.link(file.rawValue, into: folder.rawValue, as: name)
        } catch {
            throw .unkept(relativePath, error)
        }
        return file
    }

    /// Makes the caller the owner of a kept file: the run's user can then neither open it for writing nor permit that.
    ///
    /// - Returns: False if a process may still write to it, because it has the file open or its user is the caller's.
    package func freeze(_ file: SharedFileDescriptor) -> Bool {
        user != geteuid() && intentd_freeze(file.rawValue) == 1
    }

    private func find(_ relativePath: String) throws(ResultFileError) -> (SharedFileDescriptor, File.Status) {
        do throws(SystemError) {
            let file = SharedFileDescriptor(try File.openBeneath(directory.rawValue, relativePath))
            return (file, try File.status(of: file.rawValue))
        } catch {
            throw .unreachable(relativePath, error)
        }
    }

    /// Removes the directory with its contents. A child process removes a large one, so that the caller does not wait.
    ///
    /// - Returns: The process id of the child, for the caller to reap; nil when the directory is already removed.
    @discardableResult
    package func remove() -> Int32? {
        // Most runs leave the directory empty.
        if rmdir(path) == 0 || intentd_remove_tree(path, 256) == 0 { return nil }
        let child = intentd_remove_tree_in_child(path)
        // If no child can be forked, the directory stays until the next start, which removes all directories in the
        // folder.
        return child > 0 ? child : nil
    }

    /// Removes everything that a killed launcher left in the folder of run directories.
    package static func removeAll(in folder: String) {
        for name in (try? File.names(in: folder)) ?? [] {
            // A directory that cannot be removed uses space until the next start tries again.
            _ = intentd_remove_tree("\(folder)/\(name)", Int.max)
        }
    }
}

/// Why a file that a worker named in its result is refused.
package enum ResultFileError: Error, Equatable, Sendable, CustomStringConvertible {
    case unreachable(String, SystemError)
    case irregular(String)
    case unkept(String, SystemError)

    package var description: String {
        switch self {
        case .unreachable(let path, let error):
            "the result file '\(path.prefix(200))' cannot be opened below the run's directory: \(error.code)"
        case .unkept(let path, let error):
            "the result file '\(path.prefix(200))' cannot be kept: \(error.code)"
        case .irregular(let path):
            "the result '\(path.prefix(200))' is not a regular file of the run"
        }
    }
}
