package import IntentLinux

/// A connected SOCK_SEQPACKET socket on a loop: records with descriptors, both ways, never waiting.
///
/// Belongs to the loop's thread. What does not fit the kernel's buffer waits here, in order.
package final class RecordSocket {
    /// Why no more records come.
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
    /// Does what it is given, in which records are received that came together.
    package var together: (() -> Void) -> Void = { $0() }
    private var source: (any DescriptorSource)?
    private var waiting: [(record: [UInt8], descriptors: [SharedFileDescriptor])] = []
    private var hasEnded = false
    /// The peer's end is closed, and all that it sent was taken.
    private var isAtEnd = false

    /// What is taken from the peer.
    private enum Reception {
        /// The closer closes what the peer handed over, where closing can be slow.
        case descriptors(
            limit: Int,
            closer: SharedFileDescriptor.Closer?,
            received: ([UInt8], [SharedFileDescriptor]) -> Void
        )
        /// Records alone, with the process that sent each.
        case named(NamedRecords, received: ([UInt8], Int32) -> Void)
    }

    /// How many records one event takes in, so that a peer who floods leaves the loop to others in between.
    private static let recordsPerEvent = 16

    /// Starts to listen: `received` gets each record, and `ended` the end, once.
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

    /// The same for a peer that may hand over no descriptors; `receivedFrom` gets each record with the number of the
    /// process that sent it. To be made before the peer has its end.
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
        // Descriptors may still be on their way in it, and go with it.
        if !isAtEnd, case .descriptors(_, let closer?, _) = reception { _ = try? socket.duplicate(closer: closer) }
    }

    package func send(_ record: [UInt8], descriptors: [SharedFileDescriptor] = []) {
        guard !hasEnded else { return }
        waiting.append((record, descriptors))
        flush()
    }

    /// Listens together with others from now on; false when it cannot, and listens as it did.
    package func join(_ others: GatheredEvents) -> Bool {
        guard source != nil else { return false }
        let events: PollEvents = waiting.isEmpty ? .readable : [.readable, .writable]
        // One record at a time: to ask for another takes as long as to receive one, and most have none.
        guard let joined = try? others.descriptor(socket, events, { [weak self] in self?.handle($0, recordLimit: 1) })
        else { return false }
        source = joined
        return true
    }

    /// Takes in some of what has come and was not told of yet.
    package func catchUp() { receive(upTo: Self.recordsPerEvent) }

    /// Listens no more; ``drain()`` still takes in what has come.
    package func rest() { source = nil }

    /// Takes in and sends nothing any more, for when the peer is not to be believed: what is in the socket is closed with it.
    package func abandon() {
        hasEnded = true
        source = nil
        waiting = []
    }

    /// Takes in everything that has come, for when the peer is known to be gone.
    package func drain() {
        // More than a socket's buffer holds; a peer whose socket somebody else writes to does not keep us longer.
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
            // A peer that is gone may have said something before: its words come first, then its end.
            waiting = []
            if error.code.isBrokenPipe { drain() } else { end(.failed(error)) }
        }
    }

    /// Takes in up to that many records; false when there are no more for now.
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
                // The peer left without hearing all that it was told. That is said once, and before what it said itself.
                if error.code.isBrokenPipe { continue }
                end(.failed(error))
            }
        }
        return true
    }

    /// Takes in one record, or the end; false when there is neither for now.
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
