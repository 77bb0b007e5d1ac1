import CIntentLinux
import Glibc

/// Receives records from a peer that must not pass descriptors. The kernel reports the sender's process id with each
/// record.
///
/// Descriptors are refused because closing a descriptor can block for as long as its file system blocks. With
/// SO_PASSRIGHTS disabled, the peer's attempts to send descriptors fail. On kernels without this option, a record with
/// descriptors is not received, but remains in the socket.
package struct NamedRecords: Sendable {
    /// The result of receiving one record.
    package enum Received: Equatable, Sendable {
        /// A record, and the process id of its sender.
        case record([UInt8], sender: Int32)
        /// The record exceeds the limit or contains descriptors. The caller must not receive from the socket again.
        case refused
        /// No record has arrived yet.
        case wouldBlock
        /// The peer has closed the connection.
        case end
    }

    private let socket: SharedFileDescriptor
    private let isRefusedByKernel: Bool

    /// Configures the socket. Call the initializer before the peer receives its end of the connection.
    ///
    /// - Parameter asksKernel: False to test the fallback for older kernels.
    package init(_ socket: SharedFileDescriptor, asksKernel: Bool = true) throws(SystemError) {
        self.socket = socket
        try syscall("setsockopt", on: "SO_PASSCRED") { intentd_name_senders(socket.rawValue) }
        isRefusedByKernel = asksKernel && intentd_refuse_descriptors(socket.rawValue) == 0
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
        var sender: Int32 = -1
        var truncated: Int32 = 0
        let received = try buffer.fill(upTo: byteCount, "recvmsg") { start in
            intentd_receive_named(socket.rawValue, start, byteCount, &sender, &truncated, waiting.flags)
        }
        guard let record = received else { return .wouldBlock }
        if sender < 0 { return .end }
        return truncated != 0 ? .refused : .record(record, sender: sender)
    }
}
