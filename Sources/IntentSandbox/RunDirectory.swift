import CIntentLaunch
import Glibc
package import IntentLinux

/// The private, writable directory of one worker, gone after it.
package final class RunDirectory {
    /// That in which it is.
    private let folder: String
    package private(set) var name: String
    package var path: String { "\(folder)/\(name)" }
    private let directory: FileDescriptor
    /// Who writes in it.
    private let user: UInt32

    /// Makes it, for that user alone; nil for the caller's own.
    package init(at path: String, for user: UInt32?) throws(SystemError) {
        try syscall("mkdir", on: path) { mkdir(path, 0o700) }
        (folder, name) = Self.parts(of: path)
        self.user = user ?? getuid()
        do throws(SystemError) {
            directory = try File.openPath(path)
            if let user { try syscall("chown", on: path) { chown(path, user, user) } }
        } catch {
            // Out of descriptors, most likely: nobody else would know of it. Empty, it needs none to go.
            _ = rmdir(path)
            throw error
        }
    }

    /// One that is there already.
    package init(existing path: String, of user: UInt32?) throws(SystemError) {
        (folder, name) = Self.parts(of: path)
        self.user = user ?? getuid()
        directory = try File.openPath(path)
    }

    /// Nothing tells it from one that was just made: it may serve another run of the app, under another name.
    ///
    /// To make and remove one for each run takes longer the more there were in the last seconds: ext4 steps over every
    /// inode that was freed in them.
    package var isAsNew: Bool { intentd_is_as_new(directory.rawValue, user) != 0 }

    /// Has another name in the same folder from now on, and the times of one that was just made: its own would tell the
    /// next run when this one wrote and read.
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

    /// Opens a result file by its path below the directory: a regular file, reached through no link.
    package func open(_ relativePath: String) throws(ResultFileError) -> SharedFileDescriptor {
        let file: SharedFileDescriptor
        let status: File.Status
        do throws(SystemError) {
            file = SharedFileDescriptor(try File.openBeneath(directory.rawValue, relativePath))
            status = try File.status(of: file.rawValue)
        } catch {
            throw .unreachable(relativePath, error)
        }
        // A file of somebody else's can be in it by a hard link.
        guard status.kind == .regular, status.owner == user else { throw .irregular(relativePath) }
        return file
    }

    /// Gives a result file a second name in another folder of the same file system, which outlives the directory.
    @discardableResult
    package func keep(_ relativePath: String, in folder: borrowing FileDescriptor, as name: String)
        throws(ResultFileError) -> SharedFileDescriptor
    {
        let file = try open(relativePath)
        do throws(SystemError) {
            try File.link(file.rawValue, into: folder.rawValue, as: name)
        } catch {
            throw .unkept(relativePath, error)
        }
        return file
    }

    /// Bytes on disk: with files that these processes have open there and that have no name any more, and with result
    /// files whose only names are in the folder where they are kept.
    ///
    /// - Returns: Nil when it cannot be told, which only a run sees to that hides what it writes.
    package func byteCount(with processes: [Int32], keptIn folder: SharedFileDescriptor? = nil) -> Int64? {
        var count: Int64 = 0
        guard intentd_disk_usage(path, Self.entryLimit, &count) == 0 else { return nil }
        if let folder { count += Self.byteCount(ofFilesOnlyIn: folder) }
        // A folder that is gone holds nothing.
        guard let device = try? File.status(of: directory.rawValue).device else { return count }
        return processes.reduce(count) { $0 + intentd_unlinked_usage($1, device) }
    }

    /// A file that is kept is still the worker's to write to, and may have lost the name by which it was found.
    private static func byteCount(ofFilesOnlyIn folder: SharedFileDescriptor) -> Int64 {
        let path = "/proc/self/fd/\(folder.rawValue)"
        // A folder that is gone holds nothing: its files are counted as those without a name.
        let files = ((try? File.names(in: path)) ?? []).compactMap { try? File.status(at: "\(path)/\($0)") }
        let filesByInode = Dictionary(grouping: files, by: \.inode)
        return filesByInode.values.reduce(0) { count, names in
            UInt64(names.count) < names[0].linkCount ? count : count + names[0].storedByteCount
        }
    }

    private static let entryLimit = 1 << 20

    /// Removes it with all that is in it; a large one in a child process, so that the caller goes on.
    ///
    /// - Returns: The child's number, when there is one; its end comes as any child's.
    @discardableResult
    package func remove() -> Int32? {
        // Most runs leave nothing in it.
        if rmdir(path) == 0 || intentd_remove_tree(path, 256) == 0 { return nil }
        let child = intentd_remove_tree_in_child(path)
        // Without a child the directory stays until the next start, which empties the folder of all.
        return child > 0 ? child : nil
    }

    /// Empties the folder of all run directories, of what a launcher that died left there.
    package static func removeAll(in folder: String) {
        for name in (try? File.names(in: folder)) ?? [] {
            // What cannot be removed takes space and is tried again at the next start.
            _ = intentd_remove_tree("\(folder)/\(name)", Int.max)
        }
    }
}

/// Why a file that a worker named as its result is not handed on.
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
            "the result '\(path.prefix(200))' is no regular file of the run's own"
        }
    }
}
