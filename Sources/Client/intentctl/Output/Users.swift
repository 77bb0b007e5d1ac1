import Glibc

/// Looks up users of this machine by uid.
enum Users {
    /// Returns the name of a user, or the uid as a string if the user has no account.
    static func name(_ number: UInt32) -> String {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        guard getpwuid_r(number, &entry, &buffer, buffer.count, &found) == 0, found != nil, let name = entry.pw_name
        else { return "\(number)" }
        return String(foreign: name)
    }

    /// The real uid of this process.
    static var own: UInt32 { getuid() }
}
