/// A path that `[Sandbox]` grants.
package struct PathGrant: Sendable {
    package enum Access: Sendable {
        case reading, writing, connecting, device
    }

    /// The key that contains the path.
    package let key: String
    package let path: String
    package let access: Access

    /// The permissions that apps need for the path itself, as three bits of a file's mode.
    package func permissions(isFolder: Bool) -> UInt32 {
        switch access {
        case .reading: isFolder ? 0o1 : 0o4
        case .writing: isFolder ? 0o3 : 0o2
        case .connecting: 0o2
        case .device: 0o6
        }
    }

    /// The options of setfacl(1) that permit a group to use the path.
    package func aclOptions(group: String, isFolder: Bool) -> String {
        let letters =
            switch access {
            case .reading: "rX"
            case .writing: "rwX"
            case .connecting, .device: "rw"
            }
        let entry = "g:\(group):\(letters)"
        return isFolder ? "-R -m \(entry),d:\(entry)" : "-m \(entry)"
    }
}
