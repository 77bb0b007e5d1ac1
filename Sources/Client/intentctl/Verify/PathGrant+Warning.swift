import Glibc
import IntentConfiguration
import IntentLinux

/// The check that apps can use a granted path. An app's user id owns no file on the host, so
/// the path must permit access to all other users, or to the group of the apps.
extension PathGrant {
    /// The group to which every app belongs: the service's group or, without the service, the group of the caller's own
    /// daemon.
    private static var group: (number: UInt32, name: String) {
        if let service = Accounts.group("intentd-workers") { return (service, "intentd-workers") }
        let own = getegid()
        return (own, getgrgid(own).map { String(foreign: $0.pointee.gr_name) } ?? "\(own)")
    }

    /// A warning if apps cannot use the path, with the command that grants the permission; nil if apps can use the
    /// path.
    var warning: AppVerdict.Problem? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            return .init(
                "\(key)=: '\(path)' cannot be found: \(Errno(rawValue: errno))",
                hint: "create it, or remove it from \(key)="
            )
        }
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        let needed = permissions(isFolder: isFolder)
        let group = Self.group
        let permitted =
            PosixACL(of: path)?.permissions(ofGroup: group.number)
            ?? (status.st_gid == group.number ? (status.st_mode >> 3) & 0o7 : status.st_mode & 0o7)
        guard permitted & needed != needed else { return nil }
        let options = aclOptions(group: group.name, isFolder: isFolder)
        return .init(
            "\(key)=: apps cannot use '\(path)', because they have their own user ids and the group '\(group.name)'",
            hint: "to permit it: sudo setfacl \(options) \(ShellWord.quote(path))"
        )
    }
}
