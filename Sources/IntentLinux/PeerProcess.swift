import CIntentLinux
import Glibc

/// The process that made a connection, by a descriptor that stands for it alone: its number may be another's one day.
package struct PeerProcess: Sendable {
    private let descriptor: SharedFileDescriptor
    private let recordedNumber: Int32

    /// Nil when it is gone, and the kernel knows nothing of it any more.
    package init?(of socket: Int32) throws(SystemError) {
        recordedNumber = try UnixSocket.peer(of: socket).process
        let pidfd = intentd_peer_pidfd(socket, recordedNumber)
        guard pidfd >= 0 else { return nil }
        descriptor = SharedFileDescriptor(owning: pidfd)
    }

    /// Its number as long as it lives; nil after that.
    package var number: Int32? {
        var source = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        // A pidfd is readable from the end of its process on.
        return poll(&source, 1, 0) == 0 ? recordedNumber : nil
    }
}
