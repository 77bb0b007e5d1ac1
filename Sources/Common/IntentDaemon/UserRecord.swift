import Glibc
package import IntentLinux

/// A user's file in which a private daemon records what the user's next private daemon need not determine again.
///
/// Only the user can write the file and its folder. A record can disappear or change at any time, and a daemon that
/// cannot read or write it continues without it.
package struct UserRecord: Sendable {
    private let folder: String
    private let name: String

    /// - Parameter path: The absolute path of the file.
    package init(at path: String) {
        let parts = path.split(scalar: "/")
        folder = "/" + parts.dropLast().joined(separator: "/")
        name = parts.last.map { String($0) } ?? ""
    }

    /// Returns the contents; nil if there are more than `limit` bytes.
    ///
    /// Also returns nil for a file that another user owns, can write or can replace, and for a symbolic link.
    package func read(limit: Int) -> [UInt8]? {
        do throws(SystemError) {
            let folder = try openFolder()
            let file = try File.open(name, in: folder.rawValue)
            let status = try File.status(of: file.rawValue)
            guard status.kind == .regular, status.linkCount == 1, Self.isOwn(status) else { return nil }
            return try File.readAll(file.rawValue, limit: limit)
        } catch {
            return nil
        }
    }

    /// Writes the record. Replaces an earlier record in one step.
    ///
    /// - Throws: ``SystemError``.
    package func write(_ bytes: [UInt8]) throws(SystemError) {
        try File.makeFolders(folder, permissions: 0o700)
        let opened = try openFolder()
        let temporary = ".\(name)-\(UInt64.random(in: 0 ... .max))"
        let file = try File.create(temporary, in: opened.rawValue, permissions: 0o600)
        do throws(SystemError) {
            try File.write(file.rawValue, bytes[...])
            try File.rename(temporary, to: name, in: opened.rawValue)
        } catch {
            _ = unlinkat(opened.rawValue, temporary, 0)
            throw error
        }
    }

    /// Removes the record.
    ///
    /// - Throws: ``SystemError``.
    package func remove() throws(SystemError) {
        let opened = try openFolder()
        try File.remove(name, in: opened.rawValue)
    }

    /// Removes the oldest files of the folder, so that at most `count` files are left.
    ///
    /// - Throws: ``SystemError``.
    package func removeOldest(keeping count: Int) throws(SystemError) {
        let opened = try openFolder()
        var files: [(name: String, modified: Int64)] = []
        for name in try File.names(in: folder) {
            // Another daemon of the user may have removed the file.
            guard let status = try? File.status(at: "\(folder)/\(name)") else { continue }
            files.append((name, status.modifiedNanoseconds))
        }
        for file in files.sorted(by: { $0.modified < $1.modified }).dropLast(count) {
            try File.remove(file.name, in: opened.rawValue)
        }
    }

    /// Opens the folder, which only this user may be able to write.
    private func openFolder() throws(SystemError) -> FileDescriptor {
        let file = try File.open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        guard Self.isOwn(try File.status(of: file.rawValue)) else {
            throw SystemError("open", on: folder, code: Errno(rawValue: EPERM))
        }
        return file
    }

    /// True if this user owns a file or folder and no other user can write it. The permissions of the
    /// group limit an access control list (acl(5)).
    private static func isOwn(_ status: File.Status) -> Bool {
        status.owner == geteuid() && status.permissions & 0o022 == 0
    }
}
