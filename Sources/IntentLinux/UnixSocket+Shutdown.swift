import CIntentLinux
import Glibc

extension UnixSocket {
    /// Shuts down both directions of a connection without closing its descriptor. A receive that blocks on another thread
    /// returns.
    package static func shutDown(_ socket: Int32) {
        // This fails only if the peer has already closed the connection.
        _ = shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Closes a socket of records that is no longer watched, if it is empty. A record in it may have descriptors, and
    /// closing them can block as long as their file systems do.
    ///
    /// - Returns: False if the socket is not empty and therefore still open.
    package static func closeIfEmpty(_ socket: Int32) -> Bool {
        // From now on the socket receives nothing.
        shutDown(socket)
        guard intentd_name_senders(socket) == 0 else { return false }
        var byte: UInt8 = 0
        var sender: Int32 = -1
        var truncated: Int32 = 0
        let count = intentd_receive_named(socket, &byte, 1, &sender, &truncated, Waiting.neverTaking.flags)
        // At end of file there is no sender. An empty record has a sender.
        guard count == 0, sender == -1, truncated == 0 else { return false }
        _ = close(socket)
        return true
    }
}
