import CIntentLinux
import Glibc

/// Receives records from a peer that must not pass descriptors. The kernel reports the sender's process id with each
/// record.
///
/// Descriptors are refused because closing a descriptor can block for as long as its file system blocks. With
/// SO_PASSRIGHTS disabled, the peer's attempts to send descriptors fail. On kernels without this option, a record with
/// descriptors is not received, but remains in the socket.
package struct NamedRecords: Sendable {
    /// The process that sent a record, as the kernel reported it.
    package struct Sender: Sendable {
        package let process: Int32
        /// A pidfd for the process; nil if the kernel attached none to the record.
        package let pidfd: SharedFileDescriptor?
    }

    /// The result of receiving one record.
    package enum Received: Sendable {
        /// A record, and its sender.
        case record([UInt8], Sender)
        /// The record exceeds the limit or contains descriptors. The caller must not receive from the socket again.
        case refused
        /// No record has arrived yet.
        case wouldBlock
        /// The peer has closed the connection.
        case end
    }

    private let socket: SharedFileDescriptor
    private let isRefusedByKernel: Bool
    /// True if the kernel attaches a pidfd to each record.
    private let hasPidfds: Bool

    /// Configures the socket. Call the initializer before the peer receives its end of the connection.
    ///
    /// - Parameter asksKernel: False to test the fallback for older kernels.
    package init(_ socket: SharedFileDescriptor, asksKernel: Bool = true) throws(SystemError) {
        self.socket = socket
        try syscall("setsockopt", on: "SO_PASSCRED") { intentd_name_senders(socket.rawValue) }
        isRefusedByKernel = asksKernel && intentd_refuse_descriptors(socket.rawValue) == 0
        // Room for a pidfd is also room for a descriptor from the peer, so the kernel must refuse these first.
        hasPidfds = isRefusedByKernel && intentd_pass_pidfds(socket.rawValue) == 0
    }

    package func receive(upTo byteCount: Int, by buffer: ReceiveBuffer) throws(SystemError) -> Received {
        if !isRefusedByKernel {
            let peeked = try receive(upTo: byteCount, .peeking, by: buffer)
            guard case .record = peeked else { return peeked }
        }
        return try receive(upTo: byteCount, .never, by: buffer)
    }

    private func receive(
        upTo byteCount: Int,
        _ waiting: UnixSocket.Waiting,
        by buffer: ReceiveBuffer
    ) throws(SystemError) -> Received {
        var process: Int32 = -1
        var pidfd: Int32 = -1
        var truncated: Int32 = 0
        let received = try buffer.fill(upTo: byteCount, "recvmsg") { start in
            withUnsafeMutablePointer(to: &pidfd) { pidfd in
                let room = hasPidfds ? pidfd : nil
                return intentd_receive_named(
                    socket.rawValue,
                    start,
                    byteCount,
                    &process,
                    room,
                    &truncated,
                    waiting.flags
                )
            }
        }
        let sender = Sender(process: process, pidfd: pidfd < 0 ? nil : SharedFileDescriptor(owning: pidfd))
        guard let record = received else { return .wouldBlock }
        if process < 0 { return .end }
        return truncated != 0 ? .refused : .record(record, sender)
    }
}
