import CIntentLinux
import Glibc

/// Creates folders, and creates, opens and removes files in an open folder.
extension File {
    /// Creates a folder and its missing parents. The permissions apply only to the folders that are created.
    package static func makeFolders(_ path: String, permissions: UInt32) throws(SystemError) {
        var made = ""
        for part in path.split(scalar: "/") {
            made += "/\(part)"
            // Ignore EEXIST. If the existing folder cannot be searched, creating the next component or using the folder
            // fails.
            try syscall("mkdir", on: made, nilOn: EEXIST) { mkdir(made, permissions) }
        }
    }

    /// Creates a folder that only this process's user can access. The folder's path is unique and starts with the
    /// prefix (mkdtemp(3)).
    package static func makeTemporaryFolder(_ pathPrefix: String) throws(SystemError) -> String {
        var template = Array("\(pathPrefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw SystemError("mkdtemp", on: pathPrefix, code: Errno(rawValue: errno))
        }
        return String(foreign: template)
    }

    /// Creates a hard link in a folder to an open file (linkat(2)). Replaces an existing file with the same name.
    package static func link(_ file: Int32, into folder: Int32, as name: String) throws(SystemError) {
        try remove(name, in: folder)
        try syscall("linkat", on: name) { intentd_link(file, folder, name) }
    }

    /// Creates a hard link to a file in the same folder (linkat(2)).
    package static func link(_ name: String, as other: String, in folder: Int32) throws(SystemError) {
        try syscall("linkat", on: other) { linkat(folder, name, folder, other, 0) }
    }

    /// Renames a file within its folder (renameat(2)). Replaces an existing file with the new name.
    package static func rename(_ name: String, to other: String, in folder: Int32) throws(SystemError) {
        try syscall("renameat", on: other) { renameat(folder, name, folder, other) }
    }

    /// Opens a subfolder of a folder without following links.
    package static func openFolder(_ name: String, in folder: Int32) throws(SystemError) -> FileDescriptor {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        return FileDescriptor(owning: try syscall("openat", on: name) { openat(folder, name, flags) })
    }

    /// Opens a file in a folder for reading, without following links and without blocking.
    package static func open(_ name: String, in folder: Int32) throws(SystemError) -> FileDescriptor {
        let flags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC
        return FileDescriptor(owning: try syscall("openat", on: name) { openat(folder, name, flags) })
    }

    /// Creates a new file in a folder, and opens it for reading and writing.
    package static func create(_ name: String, in folder: Int32, permissions: UInt32) throws(SystemError)
        -> FileDescriptor
    {
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        return FileDescriptor(owning: try syscall("openat", on: name) { openat(folder, name, flags, permissions) })
    }

    /// Makes this process's user the owner of a file or folder, and shares it with the group of `folder`. The group
    /// receives the permissions that it has for `folder`, so that its members can read a file, or add and remove files
    /// in a folder.
    ///
    /// Do not call this function for files that belong to other members of the group, who have already shared these
    /// files.
    package static func share(_ descriptor: Int32, as folder: Int32) throws(SystemError) {
        let (status, shared) = (try status(of: descriptor), try status(of: folder))
        let more = shared.permissions & (status.kind == .directory ? 0o070 : 0o040)
        guard more != 0 else { return }
        if status.group != shared.group || status.owner != getuid() {
            try syscall("fchown") { fchown(descriptor, getuid(), shared.group) }
        }
        try syscall("fchmod") { fchmod(descriptor, status.permissions | more) }
    }

    /// Removes a file in a folder. Does nothing if the file does not exist.
    package static func remove(_ name: String, in folder: Int32) throws(SystemError) {
        try syscall("unlinkat", on: name, nilOn: ENOENT) { unlinkat(folder, name, 0) }
    }

    /// Creates a subfolder of a folder, unless the subfolder exists.
    package static func makeFolder(_ name: String, in folder: Int32, permissions: UInt32) throws(SystemError) {
        try syscall("mkdirat", on: name, nilOn: EEXIST) { mkdirat(folder, name, permissions) }
    }

    /// Opens a file below a directory for reading, without following links, leaving the directory's tree or blocking.
    package static func openBeneath(_ directory: Int32, _ path: String) throws(SystemError) -> FileDescriptor {
        FileDescriptor(
            owning: try syscall("openat2", on: path) { intentd_open_beneath(directory, path) }
        )
    }
}
