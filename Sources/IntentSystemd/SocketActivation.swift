import CSystemd
import Glibc
package import IntentLinux

/// Sockets that systemd has created and passed (sd_listen_fds_with_names(3)).
package enum SocketActivation {
    package struct Handed: Sendable {
        /// `FileDescriptorName=` of its socket unit.
        package var name: String
        package var socket: SharedFileDescriptor

        /// The reason why the socket cannot be used for clients; nil if it can.
        package var problem: String? {
            guard isForClients else {
                return "its name is '\(name)', expected 'clients' (FileDescriptorName=)"
            }
            guard sd_is_socket_unix(socket.rawValue, Int32(SOCK_STREAM.rawValue), 1, nil, 0) > 0 else {
                return "expected a listening Unix stream socket, which tells the users of its clients"
            }
            return nil
        }

        /// True for the name `clients`, and for sockets without a name: systemd then uses the unit's name, and
        /// systemd-socket-activate(1) none.
        private var isForClients: Bool { name == "clients" || name == "unknown" || name.hasSuffix(".socket") }
    }

    /// The passed sockets, close-on-exec and non-blocking; empty without socket activation. Call once.
    ///
    /// The environment still names them, for a program that replaces this one in the same process.
    package static func receiveSockets() throws(SystemError) -> [Handed] {
        var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = try EventLoop.check("sd_listen_fds_with_names", sd_listen_fds_with_names(0, &names))
        defer {
            for index in 0..<Int(count) { free(names?[index]) }
            free(names)
        }
        var sockets: [Handed] = []
        // SD_LISTEN_FDS_START: systemd puts the first at 3.
        for index in 0..<count {
            let socket = SharedFileDescriptor(owning: 3 + index)
            try socket.setNonblocking()
            let name = names?[Int(index)].map { String(cString: $0) } ?? "unknown"
            sockets.append(Handed(name: name, socket: socket))
        }
        return sockets
    }
}
