/// The file operations that reading the configuration needs, provided by the program.
package struct DiskView {
    /// Returns the facts of the file at a path; nil if it does not exist, and ``FileFacts/unreachable`` if that cannot
    /// be determined.
    package var facts: (String) -> FileFacts?
    /// A file's bytes; nil if it cannot be read.
    package var bytes: (String) -> [UInt8]?
    /// The names in a folder, sorted; empty if it does not exist, nil if it cannot be read.
    package var names: (String) -> [String]?
    /// The unresolved target of a symbolic link; nil for other files.
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
    /// The bits of chmod(2).
    package var permissions: UInt32
    package var device: UInt64
    package var inode: UInt64
    package var byteCount: Int64
    package var modifiedNanoseconds: Int64

    package init(
        isRegular: Bool,
        isFolder: Bool,
        owner: UInt32,
        permissions: UInt32,
        device: UInt64 = 0,
        inode: UInt64 = 0,
        byteCount: Int64 = 0,
        modifiedNanoseconds: Int64 = 0
    ) {
        self.isRegular = isRegular
        self.isFolder = isFolder
        self.owner = owner
        self.permissions = permissions
        self.device = device
        self.inode = inode
        self.byteCount = byteCount
        self.modifiedNanoseconds = modifiedNanoseconds
    }

    /// The facts of a path that cannot be inspected. It counts as an unreadable file, never as a missing one.
    package static let unreachable = FileFacts(isRegular: true, isFolder: false, owner: 0, permissions: 0)

    package var isExecutable: Bool { isRegular && permissions & 0o111 != 0 }

    /// Why the file must not be trusted; nil if only root and `user` can change it. The owner is not checked if `user`
    /// is nil.
    func distrust(by user: UInt32?, path: String) -> String? {
        if let user, owner != 0 && owner != user {
            return "'\(path)' belongs to user \(owner), who could change it. Give it to root: chown root '\(path)'."
        }
        if permissions & 0o022 != 0 {
            return "users other than its owner can write '\(path)'. Remove that permission: chmod go-w '\(path)'."
        }
        return nil
    }
}
