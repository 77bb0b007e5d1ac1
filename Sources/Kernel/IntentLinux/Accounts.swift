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
        var count: Int32 = 64
        while true {
            var groups = [gid_t](repeating: 0, count: Int(count))
            if getgrouplist(account, group, &groups, &count) >= 0 { return Set(groups.prefix(Int(count))) }
            // The call has returned the number of groups, at most NGROUPS_MAX.
            guard count > groups.count, count <= 65536 else { return [group] }
        }
    }

    /// Returns the gid for a name or a number, or nil if no group has the name.
    package static func group(_ name: String) -> UInt32? {
        UInt32(name) ?? getgrnam(name)?.pointee.gr_gid
    }
}
