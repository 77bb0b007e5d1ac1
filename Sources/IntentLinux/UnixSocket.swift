import CIntentLinux
import Glibc

/// Sockets of the family AF_UNIX, and the descriptors passed through them (unix(7)).
package enum UnixSocket {
    package enum Kind: Sendable {
        case stream
        /// Records keep their boundaries.
        case sequencedPacket
        /// Records without a connection. connect(2) sets where they are sent.
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

        /// - Parameter closer: Closes the first end.
        package consuming func shared(
            closer: SharedFileDescriptor.Closer? = nil
        ) -> (first: SharedFileDescriptor, second: SharedFileDescriptor) {
            (
                SharedFileDescriptor(owning: first.release(), closer: closer),
                SharedFileDescriptor(owning: second.release())
            )
        }
    }

    /// The process at the other end, as the kernel recorded it at connect(2).
    package struct Peer: Equatable, Sendable {
        package var user: UInt32
        package var group: UInt32
        package var process: Int32
    }

    /// The result of one receive.
    package enum Received: Sendable {
        case message([UInt8], descriptors: [SharedFileDescriptor])
        /// The record or the number of its descriptors exceeded the limit. All of it was discarded.
        case truncated
        case wouldBlock
        case end
    }

    /// Listens at a path, and replaces the socket of a process that has exited.
    ///
    /// - Throws: EADDRINUSE if something other than a socket is at the path. It is not removed.
    package static func listen(_ kind: Kind, at path: String, permissions: UInt32) throws(SystemError) -> FileDescriptor
    {
        // If the status cannot be read, bind(2) reports the reason.
        if (try? File.status(at: path))?.kind == .socket { _ = unlink(path) }
        let socket = FileDescriptor(owning: try syscall("socket") { intentd_socket(kind.number) })
        try syscall("bind", on: path) { intentd_listen(socket.rawValue, path, permissions) }
        return socket
    }

    package static func connect(_ kind: Kind, to path: String) throws(SystemError) -> FileDescriptor {
        let socket = FileDescriptor(owning: try syscall("socket") { intentd_socket(kind.number) })
        try syscall("connect", on: path) { intentd_connect(socket.rawValue, path) }
        return socket
    }

    /// Listens at a name of the abstract name space, which no file and no permission protects: check the user of each peer
    /// with ``peer(of:)``. The name disappears with the last holder of the descriptor.
    package static func listen(_ kind: Kind, atAbstractName name: String) throws(SystemError) -> FileDescriptor {
        let socket = FileDescriptor(owning: try syscall("socket") { intentd_socket(kind.number) })
        try syscall("bind", on: "@\(name)") { intentd_listen_abstract(socket.rawValue, name) }
        return socket
    }

    package static func connect(_ kind: Kind, toAbstractName name: String) throws(SystemError) -> FileDescriptor {
        let socket = FileDescriptor(owning: try syscall("socket") { intentd_socket(kind.number) })
        try syscall("connect", on: "@\(name)") { intentd_connect_abstract(socket.rawValue, name) }
        return socket
    }

    /// The next waiting connection, non-blocking; nil when no connection waits.
    package static func accept(on listener: Int32) throws(SystemError) -> FileDescriptor? {
        do {
            return FileDescriptor(owning: try syscall("accept4") { intentd_accept(listener) })
        } catch {
            switch error.code.rawValue {
            // The peer may have disconnected already. The caller accepts the next connection later.
            case EAGAIN, ECONNABORTED: return nil
            default: throw error
            }
        }
    }

    /// The peer's groups, including the primary group.
    package static func peerGroups(of socket: Int32) throws(SystemError) -> Set<UInt32> {
        let peer = try peer(of: socket)
        var groups = [UInt32](repeating: 0, count: 64)
        var count: Int32
        do {
            count = try peerGroups(of: socket, into: &groups)
        } catch {
            guard error.code.rawValue == ERANGE else { throw error }
            // NGROUPS_MAX: a process cannot have more groups.
            groups = [UInt32](repeating: 0, count: 65_536)
            count = try peerGroups(of: socket, into: &groups)
        }
        return Set(groups.prefix(Int(count))).union([peer.group])
    }

    private static func peerGroups(of socket: Int32, into groups: inout [UInt32]) throws(SystemError) -> Int32 {
        let room = groups.count
        return try syscall("getsockopt", on: "SO_PEERGROUPS") { intentd_peer_groups(socket, &groups, room) }
    }

    package static func peer(of socket: Int32) throws(SystemError) -> Peer {
        var user: UInt32 = 0
        var group: UInt32 = 0
        var process: Int32 = 0
        try syscall("getsockopt") { intentd_peer(socket, &user, &group, &process) }
        return Peer(user: user, group: group, process: process)
    }

    /// Sends as much as the socket accepts. The descriptors go with the first byte.
    ///
    /// - Returns: The number of bytes sent; nil when the socket is full (`MSG_DONTWAIT` or O_NONBLOCK).
    package static func send(
        _ bytes: ArraySlice<UInt8>,
        descriptors: [SharedFileDescriptor] = [],
        on socket: Int32,
        waiting: Waiting = .untilSent
    ) throws(SystemError) -> Int? {
        let numbers = descriptors.map(\.rawValue)
        do {
            return try withExtendedLifetime(descriptors) { () throws(SystemError) -> Int in
                try syscall("sendmsg") {
                    bytes.withUnsafeBytes {
                        intentd_send(socket, $0.baseAddress, $0.count, numbers, numbers.count, waiting.flags)
                    }
                }
            }
        } catch {
            if error.code.rawValue == EAGAIN { return nil }
            throw error
        }
    }

    /// Receives one record, or the available bytes of a stream.
    ///
    /// - Parameter buffer: A buffer that is large enough; nil to allocate one.
    package static func receive(
        from socket: Int32,
        upTo byteCount: Int,
        descriptorLimit: Int,
        closer: SharedFileDescriptor.Closer? = nil,
        waiting: Waiting = .untilSent,
        by buffer: ReceiveBuffer? = nil
    ) throws(SystemError) -> Received {
        let buffer = buffer ?? ReceiveBuffer(byteCount: byteCount)
        // No message has more than ``mostDescriptors``, so the kernel has room to pass all of them.
        var numbers = InlineArray<253, Int32>(repeating: -1)
        var descriptorCount = 0
        var truncated: Int32 = 0
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try buffer.fill(upTo: byteCount) { start throws(SystemError) in
                try syscall("recvmsg") {
                    var pointers = numbers.mutableSpan
                    return pointers.withUnsafeMutableBufferPointer { pointers in
                        guard let pointer = pointers.baseAddress else { preconditionFailure("there are 253 pointers") }
                        return intentd_receive(
                            socket,
                            start,
                            byteCount,
                            pointer,
                            &descriptorCount,
                            &truncated,
                            waiting.flags
                        )
                    }
                }
            }
        } catch {
            if error.code.rawValue == EAGAIN { return .wouldBlock }
            throw error
        }
        let descriptors = (0..<descriptorCount).map { SharedFileDescriptor(owning: numbers[$0], closer: closer) }
        if truncated != 0 || descriptors.count > descriptorLimit { return .truncated }
        if bytes.isEmpty && descriptors.isEmpty { return .end }
        return .message(bytes, descriptors: descriptors)
    }

    /// The maximum number of descriptors in a message: SCM_MAX_FD of the kernel.
    package static let mostDescriptors = 253

    /// Receives one record into the caller's memory. The caller owns the descriptors. Returns 0 bytes at end of file.
    ///
    /// - Parameter descriptors: Room for ``mostDescriptors``.
    package static func receive(
        into record: UnsafeMutableRawBufferPointer,
        _ descriptors: UnsafeMutableBufferPointer<Int32>,
        from socket: Int32
    ) throws(SystemError) -> (byteCount: Int, descriptorCount: Int, isTruncated: Bool) {
        guard let bytes = record.baseAddress, let numbers = descriptors.baseAddress,
            descriptors.count >= mostDescriptors
        else { preconditionFailure("the buffer is too small for a record with its descriptors") }
        var descriptorCount = 0
        var truncated: Int32 = 0
        let byteCount = try syscall("recvmsg") {
            intentd_receive(socket, bytes, record.count, numbers, &descriptorCount, &truncated, 0)
        }
        return (byteCount, descriptorCount, truncated != 0)
    }

    /// Sends one record without allocating anything.
    package static func send(_ record: UnsafeRawBufferPointer, on socket: Int32) throws(SystemError) {
        try syscall("sendmsg") { intentd_send(socket, record.baseAddress, record.count, nil, 0, 0) }
    }

    /// The length of the next record on a socket of records, without receiving it; nil when no record waits. Does not
    /// block.
    package static func nextRecordByteCount(on socket: Int32, waiting: Waiting) throws(SystemError) -> Int? {
        do throws(SystemError) {
            let flags = waiting.flags | Int32(MSG_PEEK | MSG_TRUNC)
            return Int(try syscall("recv") { recv(socket, nil, 0, flags) })
        } catch {
            if error.code.rawValue == EAGAIN { return nil }
            throw error
        }
    }

    /// Returns the bytes of all messages that are queued on a SOCK_SEQPACKET socket, with duplicates of their
    /// descriptors, and leaves the messages in the queue (`MSG_PEEK`, and SO_PEEK_OFF of socket(7)).
    package static func messagesWaiting(
        on socket: Int32,
        closer: SharedFileDescriptor.Closer? = nil
    ) throws(SystemError) -> (bytes: [UInt8], descriptors: [SharedFileDescriptor]) {
        // Start at the first message: an earlier call may have moved the offset.
        try syscall("setsockopt", on: "SO_PEEK_OFF") { intentd_set_peek_offset(socket, 0) }
        var bytes: [UInt8] = []
        var descriptors: [SharedFileDescriptor] = []
        while case .message(let more, let part) = try receive(
            from: socket,
            // A socket cannot contain more (SO_SNDBUF of socket(7)).
            upTo: 512 << 10,
            descriptorLimit: mostDescriptors,
            closer: closer,
            waiting: .neverTaking
        ) {
            bytes += more
            descriptors += part
        }
        return (bytes, descriptors)
    }

    /// Whether a call on a blocking socket may wait.
    package enum Waiting: Sendable {
        case untilSent
        case never
        /// Does not wait, and leaves the record on the socket (MSG_PEEK).
        case neverTaking

        var flags: Int32 {
            switch self {
            case .untilSent: 0
            case .never: Int32(MSG_DONTWAIT)
            case .neverTaking: Int32(MSG_DONTWAIT | MSG_PEEK)
            }
        }
    }
}
