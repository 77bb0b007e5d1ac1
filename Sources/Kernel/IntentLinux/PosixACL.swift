import CIntentLinux
import Glibc

/// An access control list as the kernel stores it (acl(5), linux/posix_acl_xattr.h).
package struct PosixACL: Sendable {
    private struct Entry: Sendable {
        var tag: UInt16
        var permissions: UInt16
        var id: UInt32
    }

    private let entries: [Entry]
    private let owningGroup: UInt32

    /// Reads a file's list. Fails if the file has no list.
    package init?(of path: String) {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = intentd_access_list(path, &bytes, bytes.count)
        var status = stat()
        // A header of four bytes precedes entries of eight bytes each.
        guard count >= 12, stat(path, &status) == 0 else { return nil }
        owningGroup = status.st_gid
        entries = stride(from: 4, to: count - 7, by: 8).map { start in
            func number(_ offset: Int, _ width: Int) -> UInt32 {
                (0..<width).reduce(0) { $0 | UInt32(bytes[start + offset + $1]) << UInt32($1 * 8) }
            }
            return Entry(tag: UInt16(number(0, 2)), permissions: UInt16(number(2, 2)), id: number(4, 4))
        }
    }

    /// Returns the permissions of a user who is a member of this group and has no separate entry in the list.
    package func permissions(ofGroup group: UInt32) -> UInt32 {
        // The tags are ACL_GROUP_OBJ (0x04), ACL_GROUP (0x08), ACL_MASK (0x10) and ACL_OTHER (0x20).
        let mask = entries.first { $0.tag == 0x10 }?.permissions ?? 0o7
        let groups = entries.filter { $0.tag == 0x08 && $0.id == group || $0.tag == 0x04 && owningGroup == group }
        if groups.isEmpty { return UInt32(entries.first { $0.tag == 0x20 }?.permissions ?? 0) }
        return UInt32(groups.reduce(0) { $0 | $1.permissions } & mask)
    }
}
