/// What the configuration needs to see of the disk; the program that reads it says how.
package struct DiskView {
    /// The facts of what a path leads to; nil when there is nothing, and ``FileFacts/unreachable`` when that cannot be
    /// told.
    package var facts: (String) -> FileFacts?
    /// A file's bytes; nil when it cannot be read.
    package var bytes: (String) -> [UInt8]?
    /// The names in a folder, sorted; empty when there is none, nil when that cannot be told.
    package var names: (String) -> [String]?
    /// Where a link leads, as it is written there; nil for all that is no link.
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

/// What a file is and who may change it, as stat(2) tells.
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

    /// Something may be there that nobody can look at: a file that cannot be read, which is never taken for none.
    package static let unreachable = FileFacts(isRegular: true, isFolder: false, owner: 0, permissions: 0)

    package var isExecutable: Bool { isRegular && permissions & 0o111 != 0 }

    /// Why this must not be trusted, or nil: only root and that user may be able to change it, and where nil is given, its
    /// owner alone.
    func distrust(by user: UInt32?, path: String) -> String? {
        if let user, owner != 0 && owner != user {
            return "'\(path)' belongs to user \(owner), who could change it. Give it to root: chown root '\(path)'."
        }
        if permissions & 0o022 != 0 {
            return "others than its owner can write '\(path)'. Take that right away: chmod go-w '\(path)'."
        }
        return nil
    }
}
