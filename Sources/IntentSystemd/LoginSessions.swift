import CSystemd
import Glibc

/// Who is logged in, as systemd-logind knows (sd-login(3)).
package enum LoginSessions {
    /// True when the user has a session at this machine's own seat that is the active one there. False where there is no
    /// logind, which knows of nobody.
    package static func hasActiveLocalSession(user: UInt32) -> Bool {
        var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = sd_uid_get_sessions(user, 1, &names)
        guard count > 0, let names else { return false }
        defer {
            for place in 0..<Int(count) { free(names[place]) }
            free(names)
        }
        return (0..<Int(count)).contains { place in
            guard let name = names[place] else { return false }
            // One without a seat, as of a scheduled job, always counts as active.
            return sd_session_is_active(name) > 0 && sd_session_is_remote(name) == 0 && isAtSeat(name)
        }
    }

    private static func isAtSeat(_ session: UnsafeMutablePointer<CChar>) -> Bool {
        var seat: UnsafeMutablePointer<CChar>?
        defer { free(seat) }
        return sd_session_get_seat(session, &seat) >= 0
    }
}
