internal import Glibc
internal import IntentLinux

/// The location of an `intentd` socket.
public enum SocketLocation: Hashable, Sendable {
    /// The path in `$INTENTD_SOCKET` or, if the variable is not set, the system daemon's socket.
    case automatic
    /// The system daemon's socket: `/run/intentd/intentd.sock`.
    case system
    /// The socket of the calling user's daemon: `$XDG_RUNTIME_DIR/intentd/intentd.sock`.
    case user
    /// The socket with the given path.
    case path(String)

    /// Returns the path of the socket.
    ///
    /// - Parameter environment: The environment variables; nil for the environment of the current process.
    /// - Throws: ``IntentClientError`` with code `noDaemon` when the location is ``user`` and `$XDG_RUNTIME_DIR` is not
    ///   set.
    public func path(environment: [String: String]? = nil) throws(IntentClientError) -> String {
        func variable(_ name: String) -> String? {
            let value = if let environment { environment[name] } else { getenv(name).map { String(foreign: $0) } }
            return value.flatMap { $0.isEmpty ? nil : $0 }
        }
        let system = "/run/intentd/intentd.sock"
        switch self {
        case .path(let path):
            return path
        case .system:
            return system
        case .automatic:
            return variable("INTENTD_SOCKET") ?? system
        case .user:
            guard let folder = variable("XDG_RUNTIME_DIR") else {
                throw IntentClientError(
                    .noDaemon,
                    "cannot find the user's socket: XDG_RUNTIME_DIR is not set",
                    hint: "use a login session, set XDG_RUNTIME_DIR, or specify the path of the socket"
                )
            }
            return folder + "/intentd/intentd.sock"
        }
    }
}
