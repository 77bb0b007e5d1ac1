import Glibc
import IntentLinux

/// A TCP socket that blocks ten minutes in close(2), waiting for a peer that does not read (SO_LINGER of socket(7)).
enum LingeringSocket {
    /// Listens on the loopback interface without accepting or reading.
    final class Peer {
        fileprivate let listener: SharedFileDescriptor
        fileprivate var address: sockaddr_in

        init() throws {
            let listener = SharedFileDescriptor(
                owning: try syscall("socket") { socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }
            )
            // A small buffer fills quickly.
            var room: Int32 = 4096
            setsockopt(listener.rawValue, SOL_SOCKET, SO_RCVBUF, &room, socklen_t(MemoryLayout<Int32>.size))
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            try Self.generic(&address) { pointer in
                try syscall("bind") { bind(listener.rawValue, pointer, size) }
                try syscall("listen") { listen(listener.rawValue, 64) }
                try syscall("getsockname") { getsockname(listener.rawValue, pointer, &size) }
            }
            self.listener = listener
            self.address = address
        }

        fileprivate static func generic(
            _ address: inout sockaddr_in,
            _ body: (UnsafeMutablePointer<sockaddr>) throws -> Void
        ) rethrows {
            try withUnsafeMutablePointer(to: &address) { pointer in
                try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { try body($0) }
            }
        }
    }

    /// A connected socket with unsent data that the peer never reads.
    static func connected(to peer: Peer) throws -> SharedFileDescriptor {
        let made = SharedFileDescriptor(
            owning: try syscall("socket") { socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }
        )
        try Peer.generic(&peer.address) { pointer in
            try syscall("connect") { connect(made.rawValue, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
        try made.setNonblocking()
        let bytes = [UInt8](repeating: 0x55, count: 1 << 16)
        while send(made.rawValue, bytes, bytes.count, Int32(MSG_NOSIGNAL)) > 0 {}
        // Blocking again, as most sockets are. A non-blocking socket lingers, too.
        let flags = fcntl(made.rawValue, F_GETFL)
        try syscall("fcntl") { fcntl(made.rawValue, F_SETFL, flags & ~O_NONBLOCK) }
        var patience = linger(l_onoff: 1, l_linger: 600)
        try syscall("setsockopt") {
            setsockopt(made.rawValue, SOL_SOCKET, SO_LINGER, &patience, socklen_t(MemoryLayout<linger>.size))
        }
        return made
    }
}
