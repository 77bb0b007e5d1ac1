import CSystemd
package import IntentLinux

/// Sockets that systemd made and handed over (sd_listen_fds(3)).
package enum SocketActivation {
    /// The handed sockets, close-on-exec and non-blocking; empty when started otherwise. Call once.
    package static func takeSockets() throws(SystemError) -> [SharedFileDescriptor] {
        let count = try EventLoop.check("sd_listen_fds", sd_listen_fds(1))
        var sockets: [SharedFileDescriptor] = []
        // SD_LISTEN_FDS_START: systemd puts the first at 3.
        for number in 3..<(3 + count) {
            let socket = SharedFileDescriptor(owning: number)
            try socket.setNonblocking()
            sockets.append(socket)
        }
        return sockets
    }
}
