import CIntentSystemd
import Glibc

/// The login sessions that systemd-logind tracks (sd-login(3)).
package enum LoginSessions {
    /// Returns true if the user has an active session at a seat of this host. Returns false without logind.
    package static func hasActiveLocalSession(user: UInt32) -> Bool {
        var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = sd_uid_get_sessions(user, 1, &names)
        guard count > 0, let names else { return false }
        defer {
            for index in 0..<Int(count) { free(names[index]) }
            free(names)
        }
        return (0..<Int(count)).contains { index in
            guard let name = names[index] else { return false }
            // Require a seat, because a session without a seat, for example the session of a scheduled job, always
            // counts as active.
            return sd_session_is_active(name) > 0 && sd_session_is_remote(name) == 0 && isAtSeat(name)
        }
    }

    private static func isAtSeat(_ session: UnsafeMutablePointer<CChar>) -> Bool {
        var seat: UnsafeMutablePointer<CChar>?
        defer { free(seat) }
        return sd_session_get_seat(session, &seat) >= 0
    }
}
