/// The file operations for reading the configuration. Programs read the disk, and tests provide their own files.
package struct DiskView {
    /// Returns the facts of the file at a path. Returns nil if the file does not exist, and ``FileFacts/unreachable``
    /// if the existence cannot be determined.
    package var facts: (String) -> FileFacts?
    /// Returns the bytes of a file; nil if the file cannot be read.
    package var bytes: (String) -> [UInt8]?
    /// Returns the sorted names in a folder. Returns an empty array if the folder does not exist, and nil if it cannot
    /// be read.
    package var names: (String) -> [String]?
    /// Returns the target of a symbolic link, without resolving it further, or nil if the path is not a link.
    package var link: (String) -> String?

    package init(
        facts: @escaping (String) -> FileFacts?,
        bytes: @escaping (String) -> [UInt8]?,
        names: @escaping (String) -> [String]?,
        link: @escaping (String) -> String? = { _ in nil }
    ) {
        self.facts = facts
        self.bytes = bytes
        self.names = names
        self.link = link
    }
}

/// A file's type, owner and permissions (stat(2)).
package struct FileFacts: Hashable, Sendable {
    package var isRegular: Bool
    package var isFolder: Bool
    package var owner: UInt32
    /// The permission bits (chmod(2)).
    package var permissions: UInt32
    package var device: UInt64 = 0
    package var inode: UInt64 = 0
    package var byteCount: Int64 = 0
    package var modifiedNanoseconds: Int64 = 0

    package init(isRegular: Bool, isFolder: Bool, owner: UInt32, permissions: UInt32) {
        self.isRegular = isRegular
        self.isFolder = isFolder
        self.owner = owner
        self.permissions = permissions
    }

    /// The facts of a path that stat(2) cannot inspect. The path is treated as an unreadable file, because the file may
    /// exist and contain rules.
    package static let unreachable = FileFacts(isRegular: true, isFolder: false, owner: 0, permissions: 0)

    package var isExecutable: Bool { isRegular && permissions & 0o111 != 0 }

    /// Returns an error message if users other than root and `user` can change the file; nil otherwise. If `user` is
    /// nil, the owner is not checked.
    func distrust(by user: UInt32?, path: String) -> String? {
        if let user, owner != 0 && owner != user {
            return "'\(path)' belongs to user \(owner), who could change it. Make root the owner: chown root '\(path)'."
        }
        if permissions & 0o022 != 0 {
            return "users other than its owner can write to '\(path)'. Remove that permission: chmod go-w '\(path)'."
        }
        return nil
    }
}
