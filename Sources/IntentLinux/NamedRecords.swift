import CIntentLinux
import Glibc

/// Receives records from a peer that may pass no descriptors. The kernel names the process that sent each record.
///
/// close(2) of a received descriptor can block as long as its file system does. With SO_PASSRIGHTS disabled, the kernel
/// fails the peer's attempts to send descriptors. Kernels without this option leave a record with descriptors unread in
/// the socket.
package struct NamedRecords: Sendable {
    /// The result of one receive.
    package enum Received: Equatable, Sendable {
        /// A record, with the pid of its sender.
        case record([UInt8], sender: Int32)
        /// The record is over the limit or has descriptors. The caller must not receive from the socket again.
        case refused
        case wouldBlock
        case end
    }

    private let socket: SharedFileDescriptor
    private let isRefusedByKernel: Bool

    /// Must be created before the peer has its end of the socket.
    ///
    /// - Parameter asksKernel: False in tests of the fallback for older kernels.
    package init(_ socket: SharedFileDescriptor, asksKernel: Bool = true) throws(SystemError) {
        self.socket = socket
        try syscall("setsockopt", on: "SO_PASSCRED") { intentd_name_senders(socket.rawValue) }
        isRefusedByKernel = asksKernel && intentd_refuse_descriptors(socket.rawValue) == 0
    }

    package func receive(upTo byteCount: Int, by buffer: ReceiveBuffer) throws(SystemError) -> Received {
        if !isRefusedByKernel {
            let look = try receive(upTo: byteCount, .neverTaking, by: buffer)
            guard case .record = look else { return look }
        }
        return try receive(upTo: byteCount, .never, by: buffer)
    }

    private func receive(
        upTo byteCount: Int,
        _ waiting: UnixSocket.Waiting,
        by buffer: ReceiveBuffer
    ) throws(SystemError) -> Received {
        var sender: Int32 = -1
        var truncated: Int32 = 0
        do throws(SystemError) {
            let record = try buffer.fill(upTo: byteCount) { start throws(SystemError) in
                try syscall("recvmsg") {
                    intentd_receive_named(socket.rawValue, start, byteCount, &sender, &truncated, waiting.flags)
                }
            }
            if sender < 0 { return .end }
            return truncated != 0 ? .refused : .record(record, sender: sender)
        } catch {
            if error.code.rawValue == EAGAIN { return .wouldBlock }
            throw error
        }
    }
}
