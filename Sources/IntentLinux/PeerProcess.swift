import CIntentLinux
import Glibc

/// The process that made a connection, identified by a pidfd, because its process id may be reused.
package struct PeerProcess: Sendable {
    let descriptor: SharedFileDescriptor
    let recordedNumber: Int32

    /// Nil when the process has exited and was reaped.
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
            guard let pidfd = try Self.unlessGone({ intentd_pidfd_open(process) }) else { return nil }
            descriptor = SharedFileDescriptor(owning: pidfd)
        } catch  where Self.meansGone(error) {
            return nil
        }
    }

    static func unlessGone(_ call: () -> Int32) throws(SystemError) -> Int32? {
        do throws(SystemError) {
            return try syscall("pidfd_open", call)
        } catch  where meansGone(error) {
            return nil
        }
    }

    /// True for ESRCH, or EINVAL from kernels that return it for a process that was reaped.
    private static func meansGone(_ error: SystemError) -> Bool { [ESRCH, EINVAL].contains(error.code.rawValue) }

    /// The process id while the process is alive; nil after that.
    package var number: Int32? {
        var source = pollfd(fd: descriptor.rawValue, events: Int16(POLLIN), revents: 0)
        // A pidfd is readable once its process has ended.
        return poll(&source, 1, 0) == 0 ? recordedNumber : nil
    }
}
