import Glibc

extension UnixSocket {
    /// Ends a connection both ways without closing its descriptor: a receive that waits on another thread returns.
    package static func shutDown(_ socket: Int32) {
        // Fails only when the peer is gone already, which is what is wanted.
        _ = shutdown(socket, Int32(SHUT_RDWR))
    }
}
