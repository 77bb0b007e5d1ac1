import CIntentLaunch
import Glibc
package import IntentLinux

/// The private, writable folder of one worker.
package final class RunFolder {
    /// The folder that contains the run folder.
    private let folder: String
    package private(set) var name: String
    package var path: String { "\(folder)/\(name)" }
    private let directory: FileDescriptor
    /// The uid that owns the run folder: the uid of the run's processes.
    package let user: UInt32

    /// Creates the run folder, which only its owner can access.
    ///
    /// - Parameter user: The uid that owns the run folder; nil for the caller's uid.
    package init(at path: String, for user: UInt32?) throws(SystemError) {
        try syscall("mkdir", on: path) { mkdir(path, 0o700) }
        (folder, name) = Self.parts(of: path)
        self.user = user ?? getuid()
        do throws(SystemError) {
            directory = try File.openPath(path)
            if let user { try syscall("chown", on: path) { chown(path, user, user) } }
        } catch {
            // Remove the new run folder. This works even if this process has reached its descriptor limit.
            _ = rmdir(path)
            throw error
        }
    }

    /// Creates symbolic links in the folder, by their names in it. They belong to the run, because some programs, such as
    /// rsync 3.5, follow only links of root and of their own user.
    package func addLinks(_ links: [String: String]) throws(SystemError) {
        for (name, target) in links.sorted(by: { $0.key < $1.key }) {
            try syscall("symlink", on: "\(path)/\(name)") { symlinkat(target, directory.rawValue, name) }
            guard user != getuid() else { continue }
            try syscall("chown", on: "\(path)/\(name)") {
                fchownat(directory.rawValue, name, user, user, AT_SYMLINK_NOFOLLOW)
            }
        }
    }

    /// Opens an existing run folder.
    package init(existing path: String, of user: UInt32?) throws(SystemError) {
        (folder, name) = Self.parts(of: path)
        self.user = user ?? getuid()
        directory = try File.openPath(path)
    }

    /// True if the run folder is indistinguishable from a new folder, and can therefore be renamed and reused for
    /// another run of the app.
    ///
    /// Directories are reused because the time to create a directory grows with the number of directories removed in
    /// the last few seconds: ext4 skips every inode that was freed recently.
    package var isPristine: Bool { intentd_is_as_new(directory.rawValue, user) != 0 }

    /// Renames the run folder within its folder, and resets its timestamps. Otherwise, the timestamps would tell the
    /// next run when the previous run accessed the directory.
    package func rename(to name: String) throws(SystemError) {
        let before = path
        try syscall("rename", on: before) { Glibc.rename(before, "\(folder)/\(name)") }
        self.name = name
        try syscall("utimensat", on: path) { utimensat(AT_FDCWD, path, nil, AT_SYMLINK_NOFOLLOW) }
    }

    private static func parts(of path: String) -> (folder: String, name: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        return (String(path[path.startIndex..<slash]), String(path[path.utf8.index(after: slash)..<path.endIndex]))
    }

    /// Opens a result file by its path relative to the run folder. The path must not contain symbolic links, and the
    /// file must be a regular file that belongs to the run's user.
    package func open(_ relativePath: String) throws(ResultFileError) -> SharedFileDescriptor {
        let (file, status) = try find(relativePath)
        // Check the owner, because the file may be a hard link to another user's file.
        guard status.kind == .regular, status.owner == user else { throw .irregular(relativePath) }
        return file
    }

    /// Links a result file into a folder that outlives the run folder. Both folders must be on the same file system.
    @discardableResult
    package func keep(_ relativePath: String, in folder: borrowing FileDescriptor, as name: String)
        throws(ResultFileError) -> SharedFileDescriptor
    {
        let (file, status) = try find(relativePath)
        guard status.kind == .regular else { throw .irregular(relativePath) }
        if status.owner != user {
            // Accept a file that belongs to the launcher only if the launcher linked and froze it at the request of an
            // earlier intentd.
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

    /// Makes the caller the owner of a result file, so that the run's user can neither open the file for writing nor
    /// change its mode.
    ///
    /// - Returns: False if a process may still write to the file, because the process already has the file open or has
    ///   the caller's uid.
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

    /// Removes the run folder with its contents. A child process removes a large directory, so that the caller does not
    /// block.
    ///
    /// - Returns: The process id of the child, for the caller to reap. Nil if the run folder is already removed.
    @discardableResult
    package func remove() -> Int32? {
        // Try rmdir(2) first, because most runs leave the run folder empty.
        if rmdir(path) == 0 || intentd_remove_tree(path, 256) == 0 { return nil }
        let child = intentd_remove_tree_in_child(path)
        // If no child can be forked, the run folder remains until the launcher starts again and removes all directories
        // in the folder.
        return child > 0 ? child : nil
    }

    /// Removes everything in a folder that contains run folders.
    package static func removeAll(in folder: String) {
        for name in (try? File.names(in: folder)) ?? [] {
            // A run folder that cannot be removed remains until the launcher starts again and retries.
            _ = intentd_remove_tree("\(folder)/\(name)", Int.max)
        }
    }
}

/// The reason why a worker's result file is refused.
package enum ResultFileError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The path cannot be opened.
    case unreachable(String, SystemError)
    /// The path does not refer to a regular file of the run.
    case irregular(String)
    /// The file cannot be linked into the results folder.
    case unkept(String, SystemError)

    package var description: String {
        switch self {
        case .unreachable(let path, let error):
            "cannot open the result file '\(path.prefix(scalars: 200))' in the run's folder: \(error.code)"
        case .unkept(let path, let error):
            "cannot store the result file '\(path.prefix(scalars: 200))': \(error.code)"
        case .irregular(let path):
            "the result '\(path.prefix(scalars: 200))' is not a regular file of the run"
        }
    }
}
