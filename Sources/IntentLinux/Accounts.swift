import Glibc

/// Users and groups by name (getpwnam(3), getgrnam(3)) or number.
package enum Accounts {
    /// Nil when there is no such user.
    package static func user(_ name: String) -> UInt32? {
        UInt32(name) ?? getpwnam(name)?.pointee.pw_uid
    }

    /// The groups of an account; empty when there is no such account.
    package static func groups(of account: String) -> Set<UInt32> {
        guard let group = getpwnam(account)?.pointee.pw_gid else { return [] }
        // NGROUPS_MAX: Linux does not permit more groups.
        var groups = [gid_t](repeating: 0, count: 65536)
        var count = Int32(groups.count)
        guard getgrouplist(account, group, &groups, &count) >= 0 else { return [group] }
        return Set(groups.prefix(Int(count)))
    }

    /// Nil when there is no such group.
    package static func group(_ name: String) -> UInt32? {
        UInt32(name) ?? getgrnam(name)?.pointee.gr_gid
    }
}
