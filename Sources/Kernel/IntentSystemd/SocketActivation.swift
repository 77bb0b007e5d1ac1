import CIntentSystemd
import Glibc
package import IntentLinux

/// Sockets that systemd has created and passed (sd_listen_fds_with_names(3)).
package enum SocketActivation {
    /// A socket that systemd has passed.
    package struct PassedSocket: Sendable {
        /// `FileDescriptorName=` of the socket unit.
        package var name: String
        package var socket: SharedFileDescriptor

        /// The reason why the socket cannot be used for clients; nil if the socket is suitable.
        package var problem: String? {
            guard isForClients else {
                return "its name is '\(name)', expected 'clients' (FileDescriptorName=)"
            }
            guard sd_is_socket_unix(socket.rawValue, Int32(SOCK_STREAM.rawValue), 1, nil, 0) > 0 else {
                return "expected a listening Unix stream socket, because it must identify the users of its clients"
            }
            return nil
        }

        /// True for the name `clients` and for sockets without a configured name. Without a configured name, systemd
        /// passes the unit's name, and systemd-socket-activate(1) passes no name.
        private var isForClients: Bool { name == "clients" || name == "unknown" || name.hasSuffix(utf8: ".socket") }
    }

    /// Returns the passed sockets, which are close-on-exec and non-blocking. Returns an empty array without socket
    /// activation. This function must be called only once.
    ///
    /// The environment variables remain set for a program that replaces this program in the same process.
    package static func receiveSockets() throws(SystemError) -> [PassedSocket] {
        var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = try EventLoop.check("sd_listen_fds_with_names", sd_listen_fds_with_names(0, &names))
        defer {
            for index in 0..<Int(count) { free(names?[index]) }
            free(names)
        }
        return try (0..<count).map { index throws(SystemError) in
            // systemd passes the first socket as descriptor 3 (SD_LISTEN_FDS_START).
            let socket = SharedFileDescriptor(owning: 3 + index)
            try socket.setNonblocking()
            let name = names?[Int(index)].map { String(foreign: $0) } ?? "unknown"
            return PassedSocket(name: name, socket: socket)
        }
    }
}
