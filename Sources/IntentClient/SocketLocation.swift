internal import FoundationEssentials

/// The socket of the `intentd` to connect to.
public enum SocketLocation: Hashable, Sendable {
    /// The socket that `$INTENTD_SOCKET` names, else the system's.
    case automatic
    /// The system's daemon: `/run/intentd/intentd.sock`.
    case system
    /// The calling user's own daemon: `$XDG_RUNTIME_DIR/intentd/intentd.sock`.
    case user
    /// A socket by its path.
    case path(String)

    /// The socket's path.
    ///
    /// - Parameter environment: The environment to read; nil: this process's own.
    /// - Throws: ``IntentClientError`` with code `noDaemon` when the user's socket is requested and `$XDG_RUNTIME_DIR`
    ///   is not set.
    public func path(environment: [String: String]? = nil) throws(IntentClientError) -> String {
        let environment = environment ?? ProcessInfo.processInfo.environment
        let system = "/run/intentd/intentd.sock"
        switch self {
        case .path(let path):
            return path
        case .system:
            return system
        case .automatic:
            guard let path = environment["INTENTD_SOCKET"], !path.isEmpty else { return system }
            return path
        case .user:
            guard let folder = environment["XDG_RUNTIME_DIR"], !folder.isEmpty else {
                throw IntentClientError(
                    .noDaemon,
                    "cannot find the user's socket: XDG_RUNTIME_DIR is not set",
                    hint: "log in with a session, set XDG_RUNTIME_DIR, or name the socket's path."
                )
            }
            return folder + "/intentd/intentd.sock"
        }
    }
}
