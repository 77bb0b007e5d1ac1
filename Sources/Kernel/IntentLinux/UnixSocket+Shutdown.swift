import CIntentLinux
import Glibc

extension UnixSocket {
    /// Shuts down both directions of a connection without closing its descriptor. If another thread is blocked in a
    /// receive, that call returns.
    package static func shutDown(_ socket: Int32) {
        // Ignore a failure, because the call fails only if the peer has already closed the connection.
        _ = shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Shuts down a SOCK_SEQPACKET socket, and closes it if its queue is empty. A queued record may contain
    /// descriptors, and closing them can block for as long as their file systems block.
    ///
    /// - Returns: False if the socket is still open because its queue is not empty.
    package static func closeIfEmpty(_ socket: Int32) -> Bool {
        // Prevent the peer from sending more records.
        shutDown(socket)
        guard intentd_name_senders(socket) == 0 else { return false }
        var byte: UInt8 = 0
        var sender: Int32 = -1
        var truncated: Int32 = 0
        let count = intentd_receive_named(socket, &byte, 1, &sender, nil, &truncated, Waiting.peeking.flags)
        // At end of file, the kernel reports no sender. Even an empty record has a sender.
        guard count == 0, sender == -1, truncated == 0 else { return false }
        _ = close(socket)
        return true
    }
}
