import Glibc

/// Looks up users and groups (getpwnam(3), getgrnam(3)).
package enum Accounts {
    /// Returns the uid for a name or a number, or nil if no user has the name.
    package static func user(_ name: String) -> UInt32? {
        UInt32(name) ?? getpwnam(name)?.pointee.pw_uid
    }

    /// Returns the groups of an account. Returns an empty set if the account does not exist.
    package static func groups(of account: String) -> Set<UInt32> {
        guard let group = getpwnam(account)?.pointee.pw_gid else { return [] }
        // Provide room for NGROUPS_MAX groups, the maximum on Linux.
        var groups = [gid_t](repeating: 0, count: 65536)
        var count = Int32(groups.count)
        guard getgrouplist(account, group, &groups, &count) >= 0 else { return [group] }
        return Set(groups.prefix(Int(count)))
    }

    /// Returns the gid for a name or a number, or nil if no group has the name.
    package static func group(_ name: String) -> UInt32? {
        UInt32(name) ?? getgrnam(name)?.pointee.gr_gid
    }
}
