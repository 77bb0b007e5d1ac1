import CIntentLinux
import Glibc

/// Creates and uses Unix sockets, including the descriptors passed over them (unix(7)).
package enum UnixSocket {
    package enum Kind: Sendable {
        /// A connection that transfers a sequence of bytes.
        case stream
        /// A connection that transfers separate records.
        case sequencedPacket
        /// A socket that sends records without a connection, to the address set by connect(2).
        case datagram

        var number: Int32 {
            switch self {
            case .stream: Int32(SOCK_STREAM.rawValue)
            case .sequencedPacket: Int32(SOCK_SEQPACKET.rawValue)
            case .datagram: Int32(SOCK_DGRAM.rawValue)
            }
        }
    }

    /// A pair of connected sockets.
    package struct Pair: ~Copyable {
        package let first: FileDescriptor
        package let second: FileDescriptor

        package init(_ kind: Kind) throws(SystemError) {
            var ends: [Int32] = [-1, -1]
            try syscall("socketpair") { intentd_socketpair(kind.number, &ends) }
            first = FileDescriptor(owning: ends[0])
            second = FileDescriptor(owning: ends[1])
        }

        /// Makes both sockets reference-counted.
        ///
        /// - Parameter closer: A function that closes the first socket; nil to call close(2).
        package consuming func shared(
            closer: SharedFileDescriptor.Closer? = nil
        ) -> (first: SharedFileDescriptor, second: SharedFileDescriptor) {
            (
                SharedFileDescriptor(owning: first.release(), closer: closer),
                SharedFileDescriptor(owning: second.release())
            )
        }
    }

    /// The credentials of a connection's peer, as the kernel recorded them during connect(2).
    package struct Peer: Equatable, Sendable {
        package var user: UInt32
        package var group: UInt32
        package var process: Int32
    }

    /// The result of one receive operation.
    package enum Received: Sendable {
        case message([UInt8], descriptors: [SharedFileDescriptor])
        /// The record or the number of its descriptors exceeded the limit, so the record was discarded.
        case truncated
        /// No message has arrived yet.
        case wouldBlock
        /// The peer has closed the connection.
        case end
    }

    /// Creates a listening socket at a path. Replaces an existing socket at the path, which may belong to a process
    /// that has exited.
    ///
    /// - Throws: EADDRINUSE if the path exists but is not a socket. The existing file is kept.
    package static func listen(_ kind: Kind, at path: String, permissions: UInt32) throws(SystemError) -> FileDescriptor
    {
        // If the status cannot be read, the bind(2) call below reports the reason.
        if (try? File.status(at: path))?.kind == .socket { _ = unlink(path) }
        return try make(kind, "bind", path) { intentd_listen($0, path, permissions) }
    }

    /// Creates a socket that receives records at a path, which must not exist.
    package static func bind(_ kind: Kind, at path: String) throws(SystemError) -> FileDescriptor {
        try make(kind, "bind", path) { intentd_bind($0, path) }
    }

    package static func connect(_ kind: Kind, to path: String) throws(SystemError) -> FileDescriptor {
        try make(kind, "connect", path) { intentd_connect($0, path) }
    }

    /// Creates a socket, and makes a system call that gives it an address or connects it.
    private static func make(
        _ kind: Kind,
        _ operation: String,
        _ path: String,
        _ call: (Int32) -> Int32
    ) throws(SystemError) -> FileDescriptor {
        let socket = FileDescriptor(owning: try syscall("socket") { intentd_socket(kind.number) })
        try syscall(operation, on: path) { call(socket.rawValue) }
        return socket
    }

    /// Accepts the next waiting connection as a non-blocking socket. Returns nil if no connection is waiting.
    package static func accept(on listener: Int32) throws(SystemError) -> FileDescriptor? {
        do throws(SystemError) {
            return FileDescriptor(owning: try syscall("accept4") { intentd_accept(listener) })
        } catch  where [EAGAIN, ECONNABORTED].contains(error.code.rawValue) {
            // ECONNABORTED means that the peer has already disconnected. The caller accepts the next connection later.
            return nil
        }
    }

    /// Returns the peer's groups, including the primary group.
    package static func peerGroups(of socket: Int32) throws(SystemError) -> Set<UInt32> {
        let peer = try peer(of: socket)
        // The second attempt has room for NGROUPS_MAX groups, the maximum that a process can have.
        for room in [64, 65_536] {
            var groups = [UInt32](repeating: 0, count: room)
            let count = try syscall("getsockopt", on: "SO_PEERGROUPS", nilOn: ERANGE) {
                intentd_peer_groups(socket, &groups, room)
            }
            if let count { return Set(groups.prefix(Int(count))).union([peer.group]) }
        }
        throw SystemError("getsockopt", on: "SO_PEERGROUPS", code: Errno(rawValue: ERANGE))
    }

    package static func peer(of socket: Int32) throws(SystemError) -> Peer {
        var user: UInt32 = 0
        var group: UInt32 = 0
        var process: Int32 = 0
        try syscall("getsockopt") { intentd_peer(socket, &user, &group, &process) }
        return Peer(user: user, group: group, process: process)
    }

    /// Sends as many bytes as the socket accepts. The descriptors are attached to the first byte.
    ///
    /// - Returns: The number of bytes sent, or nil if the socket is full and the call may not block.
    package static func send(
        _ bytes: ArraySlice<UInt8>,
        descriptors: [SharedFileDescriptor] = [],
        on socket: Int32,
        waiting: Waiting = .untilSent
    ) throws(SystemError) -> Int? {
        let numbers = descriptors.map(\.rawValue)
        return try withExtendedLifetime(descriptors) { () throws(SystemError) -> Int? in
            try syscall("sendmsg", nilOn: EAGAIN) {
                bytes.withUnsafeBytes {
                    intentd_send(socket, $0.baseAddress, $0.count, numbers, numbers.count, waiting.flags)
                }
            }
        }
    }

    /// Receives one record, or the available bytes of a stream.
    ///
    /// - Parameters:
    ///   - closer: A function that closes the received descriptors; nil to call close(2).
    ///   - buffer: A buffer of at least `byteCount` bytes; nil to allocate one.
    package static func receive(
        from socket: Int32,
        upTo byteCount: Int,
        descriptorLimit: Int,
        closer: SharedFileDescriptor.Closer? = nil,
        waiting: Waiting = .untilSent,
        by buffer: ReceiveBuffer? = nil
    ) throws(SystemError) -> Received {
        let buffer = buffer ?? ReceiveBuffer(byteCount: byteCount)
        // There is always room for all descriptors, because no message has more than ``mostDescriptors``.
        var numbers = InlineArray<253, Int32>(repeating: -1)
        var descriptorCount = 0
        var truncated: Int32 = 0
        let received = try buffer.fill(upTo: byteCount, "recvmsg") { start in
            var pointers = numbers.mutableSpan
            return pointers.withUnsafeMutableBufferPointer { pointers in
                guard let pointer = pointers.baseAddress else {
                    preconditionFailure("the buffer of 253 descriptors is empty")
                }
                return intentd_receive(socket, start, byteCount, pointer, &descriptorCount, &truncated, waiting.flags)
            }
        }
        guard let bytes = received else { return .wouldBlock }
        let descriptors = (0..<descriptorCount).map { SharedFileDescriptor(owning: numbers[$0], closer: closer) }
        if truncated != 0 || descriptors.count > descriptorLimit { return .truncated }
        if bytes.isEmpty && descriptors.isEmpty { return .end }
        return .message(bytes, descriptors: descriptors)
    }

    /// The maximum number of descriptors in a message: the kernel's SCM_MAX_FD.
    package static let mostDescriptors = 253

    /// Receives one record into the caller's memory. Returns 0 bytes at end of file. The caller owns the received
    /// descriptors.
    ///
    /// - Parameter descriptors: A buffer with room for ``mostDescriptors`` descriptors.
    package static func receive(
        into record: UnsafeMutableRawBufferPointer,
        _ descriptors: UnsafeMutableBufferPointer<Int32>,
        from socket: Int32
    ) throws(SystemError) -> (byteCount: Int, descriptorCount: Int, isTruncated: Bool) {
        guard let bytes = record.baseAddress, let numbers = descriptors.baseAddress,
            descriptors.count >= mostDescriptors
        else { preconditionFailure("a buffer is empty or has no room for \(mostDescriptors) descriptors") }
        var descriptorCount = 0
        var truncated: Int32 = 0
        let byteCount = try syscall("recvmsg") {
            intentd_receive(socket, bytes, record.count, numbers, &descriptorCount, &truncated, 0)
        }
        return (byteCount, descriptorCount, truncated != 0)
    }

    /// Sends one record without allocating memory.
    package static func send(_ record: UnsafeRawBufferPointer, on socket: Int32) throws(SystemError) {
        try syscall("sendmsg") { intentd_send(socket, record.baseAddress, record.count, nil, 0, 0) }
    }

    /// Returns the length of the next record in the queue without receiving the record, or nil if the queue is empty
    /// and the call may not block.
    package static func nextRecordByteCount(on socket: Int32, waiting: Waiting) throws(SystemError) -> Int? {
        let flags = waiting.flags | Int32(MSG_PEEK | MSG_TRUNC)
        return try syscall("recv", nilOn: EAGAIN) { recv(socket, nil, 0, flags) }
    }

    /// Returns the bytes of all messages that are queued on a SOCK_SEQPACKET socket, with duplicates of their
    /// descriptors, and leaves the messages in the queue (`MSG_PEEK`, and SO_PEEK_OFF of socket(7)).
    package static func messagesWaiting(
        on socket: Int32,
        closer: SharedFileDescriptor.Closer? = nil
    ) throws(SystemError) -> (bytes: [UInt8], descriptors: [SharedFileDescriptor]) {
        // Reset the offset to the first message, because an earlier call may have advanced it.
        try syscall("setsockopt", on: "SO_PEEK_OFF") { intentd_set_peek_offset(socket, 0) }
        var bytes: [UInt8] = []
        var descriptors: [SharedFileDescriptor] = []
        while case .message(let more, let part) = try receive(
            from: socket,
            // No message can be larger (SO_SNDBUF of socket(7)).
            upTo: 512 << 10,
            descriptorLimit: mostDescriptors,
            closer: closer,
            waiting: .peeking
        ) {
            bytes += more
            descriptors += part
        }
        return (bytes, descriptors)
    }

    /// The blocking behaviour of a call on a socket.
    package enum Waiting: Sendable {
        /// The call blocks until it can send or receive.
        case untilSent
        /// The call does not block.
        case never
        /// The call does not block, and leaves the record in the queue (MSG_PEEK).
        case peeking

        var flags: Int32 {
            switch self {
            case .untilSent: 0
            case .never: Int32(MSG_DONTWAIT)
            case .peeking: Int32(MSG_DONTWAIT | MSG_PEEK)
            }
        }
    }
}
