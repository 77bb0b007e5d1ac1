package import IntentLinux

/// A connected SOCK_SEQPACKET socket that sends and receives records with descriptors on a loop, without blocking.
///
/// Use an instance only on the loop's thread. Records that do not fit into the kernel's buffer are queued.
package final class RecordSocket {
    /// The reason why the connection has ended.
    package enum End: Equatable, Sendable, CustomStringConvertible {
        case closed
        /// The peer sent a record that is too large or has too many descriptors.
        case oversize
        case failed(SystemError)

        package var description: String {
            switch self {
            case .closed: "the peer closed the connection"
            case .oversize: "the peer sent a record that exceeds the limit"
            case .failed(let error): "\(error)"
            }
        }
    }

    private let loop: EventLoop
    private let socket: SharedFileDescriptor
    private let buffer: ReceiveBuffer
    private let recordLimit: Int
    private let reception: Reception
    private let ended: (End) -> Void
    /// Wraps the delivery of records that are received together.
    package var batch: (() -> Void) -> Void = { $0() }
    private var source: (any DescriptorSource)?
    private var waiting: [(record: [UInt8], descriptors: [SharedFileDescriptor])] = []
    private var hasEnded = false
    /// Reports the end of the connection after a record could not be sent; nil otherwise.
    private var failure: EventSource?
    /// True once the peer has closed its end and all its records have been received.
    private var isAtEnd = false

    /// The kind of records that are accepted from the peer.
    private enum Reception {
        /// Records with descriptors. The closer closes descriptors that the peer sent, because close(2) can be slow.
        case descriptors(
            limit: Int,
            closer: SharedFileDescriptor.Closer?,
            received: ([UInt8], [SharedFileDescriptor]) -> Void
        )
        /// Records with their sender and without descriptors.
        case named(NamedRecords, received: ([UInt8], NamedRecords.Sender) -> Void)

        /// The maximum number of records received per event, so that a peer with many records does not block other
        /// sources. A named peer, a worker, sends one record, so a second receive would find none.
        var recordsPerEvent: Int {
            switch self {
            case .descriptors: RecordSocket.recordsPerReceive
            case .named: 1
            }
        }
    }

    /// The number of records received at a time.
    private static let recordsPerReceive = 16

    /// Starts receiving. Calls `received` for each record, and `ended` once when the connection ends.
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

    /// Starts receiving from a peer that must not pass descriptors. Calls `receivedFrom` for each record with its
    /// sender. Call this initializer before the peer receives its end of the connection.
    package convenience init(
        _ socket: SharedFileDescriptor,
        on loop: EventLoop,
        recordLimit: Int,
        receivedFrom: @escaping ([UInt8], NamedRecords.Sender) -> Void,
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
        self.loop = loop
        self.socket = socket
        buffer = loop.receiveBuffer
        self.recordLimit = recordLimit
        self.reception = reception
        self.ended = ended
        try socket.setNonblocking()
        source = try loop.descriptor(socket, .readable) { [weak self] in self?.handle($0) }
    }

    deinit {
        // Closing the socket also closes the descriptors in its queue, so let the closer close the socket.
        if !isAtEnd, case .descriptors(_, let closer?, _) = reception { _ = try? socket.duplicate(closer: closer) }
    }

    /// Sends a record, or queues it if the kernel's buffer is full.
    ///
    /// Never calls `received`, and `ended` only without memory, even if the peer has exited: the loop delivers the peer's last records and the
    /// end of the connection later. The sender may therefore be in the middle of a change of its state.
    package func send(_ record: [UInt8], descriptors: [SharedFileDescriptor] = []) {
        guard !hasEnded else { return }
        waiting.append((record, descriptors))
        flush()
    }

    /// Polls the socket together with other sockets from now on. On failure, returns false and continues to poll the
    /// socket separately.
    package func join(_ others: GatheredEvents) -> Bool {
        guard source != nil else { return false }
        let events: PollEvents = waiting.isEmpty ? .readable : [.readable, .writable]
        // Receive one record at a time. A second receive costs as much as the first, and most sockets do not have a
        // second record.
        guard let joined = try? others.descriptor(socket, events, { [weak self] in self?.handle($0, recordLimit: 1) })
        else { return false }
        source = joined
        return true
    }

    /// Receives some of the pending records.
    package func receivePending() { receive(upTo: Self.recordsPerReceive) }

    /// Stops polling the socket. ``drain()`` still receives pending records.
    package func stopPolling() { source = nil }

    /// Stops receiving from and sending to a peer that must not be trusted. Discards all pending records.
    package func abandon() {
        hasEnded = true
        source = nil
        failure = nil
        waiting = []
    }

    /// Receives all pending records from a peer that has exited. After a failed ``send(_:descriptors:)``, receives none.
    package func drain() {
        // The limit is larger than a socket's buffer. It ends the loop if another process continues to write to the
        // socket.
        for _ in 0..<256 {
            guard receive(upTo: Self.recordsPerReceive) else { return }
        }
    }

    private func handle(_ events: PollEvents, recordLimit count: Int? = nil) {
        if events.contains(.writable) { flush() }
        if !events.isDisjoint(with: [.readable, .hungUp, .failed]) {
            receive(upTo: count ?? reception.recordsPerEvent)
        }
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
            waiting = []
            // The peer may have sent records before it exited. The loop delivers them before the end of the connection,
            // because the kernel reports the peer's exit to poll(2), too.
            if !error.code.isBrokenPipe { endLater(error) }
        }
    }

    /// Receives up to `count` records. Returns false if no more records are pending.
    @discardableResult
    private func receive(upTo count: Int) -> Bool {
        var mayBeMore = false
        batch { mayBeMore = receiveRecords(upTo: count) }
        return mayBeMore
    }

    private func receiveRecords(upTo count: Int) -> Bool {
        for _ in 0..<count {
            guard !hasEnded else { return false }
            do throws(SystemError) {
                guard try receiveRecord() else { return false }
            } catch {
                // Continue after this error, which the kernel reports once, before the peer's own records, if the peer
                // exited without reading all records.
                if error.code.isBrokenPipe { continue }
                end(.failed(error))
            }
        }
        return true
    }

    /// Receives one record or the end of the connection. Returns false if neither is pending.
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

    /// Ends the connection at once, and reports it from the loop. Without memory for an event source, reports it at once.
    private func endLater(_ error: SystemError) {
        guard !hasEnded else { return }
        do throws(SystemError) {
            let failure = try loop.deferred { [weak self] in
                self?.failure = nil
                self?.ended(.failed(error))
            }
            try failure.fireOnce()
            self.failure = failure
            hasEnded = true
            source = nil
        } catch {
            // Without a source, the end is reported now, because it would not be reported otherwise.
            end(.failed(error))
        }
    }

    private func end(_ reason: End) {
        guard !hasEnded else { return }
        hasEnded = true
        source = nil
        ended(reason)
    }
}
