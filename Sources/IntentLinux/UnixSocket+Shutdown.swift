import CIntentLinux
import Glibc

extension UnixSocket {
    /// Ends a connection both ways without closing its descriptor: a receive that waits on another thread returns.
    package static func shutDown(_ socket: Int32) {
        // Fails only when the peer has closed its end, which is the desired state.
        _ = shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Closes a socket of records that nothing watches any longer, unless it is not empty: a record in it may have
    /// descriptors, and closing those can block for as long as their file systems take.
    ///
    /// - Returns: False when the socket is still open.
    package static func closeIfEmpty(_ socket: Int32) -> Bool {
        // From now on the socket receives nothing.
        shutDown(socket)
        guard intentd_name_senders(socket) == 0 else { return false }
        var byte: UInt8 = 0
        var sender: Int32 = -1
        var truncated: Int32 = 0
        let count = intentd_receive_named(socket, &byte, 1, &sender, &truncated, Waiting.neverTaking.flags)
        // An empty record has a sender too.
        guard count == 0, sender == -1, truncated == 0 else { return false }
        _ = close(socket)
        return true
    }
}
