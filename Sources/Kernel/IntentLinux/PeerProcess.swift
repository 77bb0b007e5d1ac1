import CIntentLinux
import Glibc

/// The peer process of a connection. A pidfd identifies the process, because its process id may be reused.
package struct PeerProcess: Sendable {
    let descriptor: SharedFileDescriptor
    let recordedNumber: Int32

    /// Opens a pidfd for the process that connected. Fails if the process has already been reaped.
    ///
    /// - Throws: ``SystemError`` if the kernel supports SO_PEERPIDFD but the call fails, for example at the descriptor
    ///   limit. The process id is used only on kernels before Linux 6.5, which lack SO_PEERPIDFD.
    package init?(of socket: Int32) throws(SystemError) {
        let process = try UnixSocket.peer(of: socket).process
        recordedNumber = process
        do throws(SystemError) {
            let pidfd = try syscall("getsockopt", on: "SO_PEERPIDFD") { intentd_peer_pidfd(socket) }
            descriptor = SharedFileDescriptor(owning: pidfd)
        } catch  where error.code.rawValue == ENOPROTOOPT {
            guard let pidfd = try Self.nilIfExited({ intentd_pidfd_open(process) }) else { return nil }
            descriptor = SharedFileDescriptor(owning: pidfd)
        } catch  where Self.meansExited(error) {
            return nil
        }
    }

    /// Makes a pidfd_open(2) call. Returns nil if the process has already been reaped.
    static func nilIfExited(_ call: () -> Int32) throws(SystemError) -> Int32? {
        do throws(SystemError) {
            return try syscall("pidfd_open", call)
        } catch  where meansExited(error) {
            return nil
        }
    }

    /// Returns true for the errors that mean that the process was reaped: ESRCH, or EINVAL on some kernels.
    private static func meansExited(_ error: SystemError) -> Bool { [ESRCH, EINVAL].contains(error.code.rawValue) }

    /// The process id; nil once the process has exited.
    package var number: Int32? {
        var source = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        // A pidfd becomes readable when its process exits.
        return poll(&source, 1, 0) == 0 ? recordedNumber : nil
    }
}
