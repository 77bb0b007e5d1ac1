package import IntentLinux

/// A connected SOCK_SEQPACKET socket on a loop that sends and receives records with descriptors without blocking.
///
/// Belongs to the loop's thread. Records that do not fit into the kernel's buffer are queued.
package final class RecordSocket {
    /// The reason why the connection has ended.
    package enum End: Equatable, Sendable, CustomStringConvertible {
        case closed
        /// The peer sent a record or descriptors beyond the limits.
        case oversize
        case failed(SystemError)

        package var description: String {
            switch self {
            case .closed: "the other side closed the connection"
            case .oversize: "the other side sent a record over the limit"
            case .failed(let error): "\(error)"
            }
        }
    }

    private let socket: SharedFileDescriptor
    private let buffer: ReceiveBuffer
    private let recordLimit: Int
    private let reception: Reception
    private let ended: (End) -> Void
    /// Wraps the delivery of records that are received together.
    package var together: (() -> Void) -> Void = { $0() }
    private var source: (any DescriptorSource)?
    private var waiting: [(record: [UInt8], descriptors: [SharedFileDescriptor])] = []
    private var hasEnded = false
    /// The peer has closed its end, and all its records were received.
    private var isAtEnd = false

    /// The kind of records that are accepted from the peer.
    private enum Reception {
        /// Records with descriptors. The closer closes descriptors of the peer, which can be slow.
        case descriptors(
            limit: Int,
            closer: SharedFileDescriptor.Closer?,
            received: ([UInt8], [SharedFileDescriptor]) -> Void
        )
        /// Records without descriptors, with the pid of the sender.
        case named(NamedRecords, received: ([UInt8], Int32) -> Void)
    }

    /// The number of records received per event, so that a flooding peer does not block other sources.
    private static let recordsPerEvent = 16

    /// Starts to receive. `received` gets each record; `ended` is called once at the end.
    package convenience init(
        _ socket: SharedFileDescriptor,
        on loop: EventLoop,
        recordLimit: Int,
        descriptorLimit: Int,
        closer: SharedFileDescriptor.Closer? = nil,
        received: @escaping ([UInt8], [SharedFileDescriptor]) -> Void,
        ended: @escaping (End) -> Void
    ) throws(SystemError) {
        let reception = Reception.descriptors(limit: descriptorLimit, closer: closer, received: received)
        try self.init(socket, on: loop, recordLimit: recordLimit, reception, ended: ended)
    }

    /// Starts to receive from a peer that may not pass descriptors. `receivedFrom` gets each record with the sender's pid.
    /// Create it before the peer gets its end.
    package convenience init(
        _ socket: SharedFileDescriptor,
        on loop: EventLoop,
        recordLimit: Int,
        receivedFrom: @escaping ([UInt8], Int32) -> Void,
        ended: @escaping (End) -> Void
    ) throws(SystemError) {
        let reception = Reception.named(try NamedRecords(socket), received: receivedFrom)
        try self.init(socket, on: loop, recordLimit: recordLimit, reception, ended: ended)
    }

    private init(
        _ socket: SharedFileDescriptor,
        on loop: EventLoop,
        recordLimit: Int,
        _ reception: Reception,
        ended: @escaping (End) -> Void
    ) throws(SystemError) {
        self.socket = socket
        buffer = loop.receiveBuffer
        self.recordLimit = recordLimit
        self.reception = reception
        self.ended = ended
        try socket.setNonblocking()
        source = try loop.descriptor(socket, .readable) { [weak self] in self?.handle($0) }
    }

    deinit {
        // Descriptors may be in flight in the socket, and are closed with it.
        if !isAtEnd, case .descriptors(_, let closer?, _) = reception { _ = try? socket.duplicate(closer: closer) }
    }

    package func send(_ record: [UInt8], descriptors: [SharedFileDescriptor] = []) {
        guard !hasEnded else { return }
        waiting.append((record, descriptors))
        flush()
    }

    /// Polls the socket together with others from now on. Returns false if that fails; the socket is then polled as before.
    package func join(_ others: GatheredEvents) -> Bool {
        guard source != nil else { return false }
        let events: PollEvents = waiting.isEmpty ? .readable : [.readable, .writable]
        // Receives one record at a time, because another receive costs as much as a record and most sockets have no more.
        guard let joined = try? others.descriptor(socket, events, { [weak self] in self?.handle($0, recordLimit: 1) })
        else { return false }
        source = joined
        return true
    }

    /// Receives some of the pending records.
    package func catchUp() { receive(upTo: Self.recordsPerEvent) }

    /// Stops listening. ``drain()`` still receives pending records.
    package func rest() { source = nil }

    /// Stops receiving and sending, for a peer that must not be trusted. Pending records are discarded with the socket.
    package func abandon() {
        hasEnded = true
        source = nil
        waiting = []
    }

    /// Receives all pending records, after the peer has exited.
    package func drain() {
        // The bound exceeds a socket's buffer. It limits the loop if another process still writes to the socket.
        for _ in 0..<256 {
            guard receive(upTo: Self.recordsPerEvent) else { return }
        }
    }

    private func handle(_ events: PollEvents, recordLimit count: Int = recordsPerEvent) {
        if events.contains(.writable) { flush() }
        if !events.isDisjoint(with: [.readable, .hungUp, .failed]) { receive(upTo: count) }
    }

    private func flush() {
        do throws(SystemError) {
            while let next = waiting.first {
                let sent = try UnixSocket.send(
                    next.record[...],
                    descriptors: next.descriptors,
                    on: socket.rawValue,
                    waiting: .never
                )
                guard sent != nil else { break }
                waiting.removeFirst()
            }
            try source?.watch(waiting.isEmpty ? .readable : [.readable, .writable])
        } catch {
            // The peer may have sent records before it exited, which are delivered before the end.
            waiting = []
            if error.code.isBrokenPipe { drain() } else { end(.failed(error)) }
        }
    }

    /// Receives up to `count` records. Returns false if there are no more for now.
    @discardableResult
    private func receive(upTo count: Int) -> Bool {
        var mayBeMore = false
        together { mayBeMore = receiveRecords(upTo: count) }
        return mayBeMore
    }

    private func receiveRecords(upTo count: Int) -> Bool {
        for _ in 0..<count {
            guard !hasEnded else { return false }
            do throws(SystemError) {
                guard try receiveRecord() else { return false }
            } catch {
                // The peer exited with unread records. The kernel reports this error once, before the peer's own records.
                if error.code.isBrokenPipe { continue }
                end(.failed(error))
            }
        }
        return true
    }

    /// Receives one record or the end. Returns false if there is neither for now.
    private func receiveRecord() throws(SystemError) -> Bool {
        switch reception {
        case .descriptors(let limit, let closer, let received):
            switch try UnixSocket.receive(
                from: socket.rawValue,
                upTo: recordLimit,
                descriptorLimit: limit,
                closer: closer,
                waiting: .never,
                by: buffer
            ) {
            case .message(let record, let descriptors): received(record, descriptors)
            case .wouldBlock: return false
            case .end: endOfRecords()
            case .truncated: end(.oversize)
            }
        case .named(let records, let received):
            switch try records.receive(upTo: recordLimit, by: buffer) {
            case .record(let record, let sender): received(record, sender)
            case .wouldBlock: return false
            case .end: endOfRecords()
            case .refused: end(.oversize)
            }
        }
        return true
    }

    private func endOfRecords() {
        isAtEnd = true
        end(.closed)
    }

    private func end(_ reason: End) {
        guard !hasEnded else { return }
        hasEnded = true
        source = nil
        ended(reason)
    }
}
