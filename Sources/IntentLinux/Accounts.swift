import Glibc

/// Users and groups by name (getpwnam(3), getgrnam(3)) or number.
package enum Accounts {
    /// Nil when there is no such user.
    package static func user(_ name: String) -> UInt32? {
        UInt32(name) ?? getpwnam(name)?.pointee.pw_uid
    }

    /// Nil when there is no such group.
    package static func group(_ name: String) -> UInt32? {
        UInt32(name) ?? getgrnam(name)?.pointee.gr_gid
    }
}
