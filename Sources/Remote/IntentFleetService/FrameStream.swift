import IntentLinux
import IntentSystemd
import IntentWire

/// A non-blocking connection that carries frames. Does not interpret their payloads.
///
/// Use an instance only on the loop's thread.
final class FrameStream {
    /// The maximum number of unsent bytes. A peer that reads too slowly is disconnected.
    private static let backlogLimit = 3 << 19
    /// The maximum payload of a local user's request, in bytes. A run's values are limited to 64 KiB.
    private static let requestLimit = 256 << 10
    private static let receiveByteCount = 64 << 10

    /// How to handle descriptors that a peer passes with its frames.
    enum Files {
        /// Descriptors are stored for ``FrameStream/takeFiles(_:)``. A peer that leaves more descriptors unused than a
        /// frame can carry is disconnected. The peer is a local user's client, so its frames are small.
        case ofClient
        /// Descriptors are closed, because results stay on the host that created them.
        case closed
        /// Descriptors are stored for ``FrameStream/takeFiles(_:)``.
        case kept
    }

    private let socket: SharedFileDescriptor
    private let buffer: ReceiveBuffer
    private let files: Files
    private let closer: SharedFileDescriptor.Closer
    private var received: ([UInt8]) -> Void
    private var ended: (String) -> Void
    private var source: EventSource?
    private var decoder: FrameDecoder
    private var outgoing: [UInt8] = []
    private var sentCount = 0
    /// The files to pass with a byte of `outgoing`, by the byte's index.
    private var attachments: [(index: Int, files: [SharedFileDescriptor])] = []
    private var keptFiles: [SharedFileDescriptor] = []
    private var watchesWriting = false
    private var hasEnded = false

    init(
        _ socket: SharedFileDescriptor,
        files: Files,
        closer: @escaping SharedFileDescriptor.Closer = FileDescriptor.closeAtOnce,
        on loop: EventLoop,
        received: @escaping ([UInt8]) -> Void,
        ended: @escaping (String) -> Void
    ) throws(SystemError) {
        self.socket = socket
        self.files = files
        self.closer = closer
        decoder = FrameDecoder(payloadLimit: files == .ofClient ? Self.requestLimit : Frame.clientPayloadLimit)
        self.received = received
        self.ended = ended
        buffer = loop.receiveBuffer
        try socket.setNonblocking()
        source = try loop.descriptor(socket, .readable) { [weak self] events in self?.ready(events) }
    }

    /// Queues a message, and sends as much as the socket accepts. The files are attached to its first byte.
    func send(_ message: some Encodable, files: [SharedFileDescriptor] = []) {
        guard !hasEnded else { return }
        if !files.isEmpty { attachments.append((outgoing.count, files)) }
        do {
            outgoing += try Frame.encode(WireCoding.encode(message), limit: Frame.clientPayloadLimit)
        } catch {
            return end("a message cannot be sent: \(error)")
        }
        flush()
    }

    /// Replaces the functions that receive messages and the connection's end.
    func redirect(received: @escaping ([UInt8]) -> Void, ended: @escaping (String) -> Void) {
        self.received = received
        self.ended = ended
    }

    /// Closes the connection without calling `ended`.
    func close() {
        hasEnded = true
        source = nil
    }

    /// Returns and removes the first files that have arrived with messages.
    func takeFiles(_ count: Int = .max) -> [SharedFileDescriptor] {
        defer { keptFiles.removeFirst(min(count, keptFiles.count)) }
        return Array(keptFiles.prefix(count))
    }

    private func ready(_ events: PollEvents) {
        if events.contains(.writable) { flush() }
        guard !hasEnded, !events.isDisjoint(with: [.readable, .hungUp, .failed]) else { return }
        receive()
    }

    private func receive() {
        do throws(SystemError) {
            switch try UnixSocket.receive(
                from: socket.rawValue,
                upTo: Self.receiveByteCount,
                descriptorLimit: files == .ofClient ? Frame.descriptorLimit : UnixSocket.mostDescriptors,
                closer: closer,
                waiting: .never,
                by: buffer
            ) {
            case .wouldBlock: return
            case .end: return end("the peer closed the connection")
            case .truncated: return end("the peer passed too many files")
            case .message(let bytes, let descriptors):
                if files != .closed { keptFiles += descriptors }
                guard files != .ofClient || keptFiles.count <= Frame.descriptorLimit else {
                    return end("the peer passed too many files")
                }
                decoder.append(bytes)
            }
        } catch {
            return end("\(error)")
        }
        do throws(FrameError) {
            while !hasEnded, let payload = try decoder.next() { received(payload) }
        } catch {
            end("\(error)")
        }
    }

    private func flush() {
        do throws(SystemError) {
            while sentCount < outgoing.count {
                let attached = attachments.first.flatMap { $0.index == sentCount ? $0.files : nil } ?? []
                let end = attachments.first { $0.index > sentCount }?.index ?? outgoing.count
                guard
                    let count = try UnixSocket.send(
                        outgoing[sentCount..<end],
                        descriptors: attached,
                        on: socket.rawValue,
                        waiting: .never
                    )
                else { break }
                if !attached.isEmpty { attachments.removeFirst() }
                sentCount += count
            }
            if sentCount == outgoing.count || sentCount > 1 << 20 {
                outgoing.removeFirst(sentCount)
                attachments = attachments.map { ($0.index - sentCount, $0.files) }
                sentCount = 0
            }
            guard outgoing.count - sentCount <= Self.backlogLimit else { return end("the peer reads too slowly") }
            if watchesWriting == outgoing.isEmpty {
                watchesWriting = !outgoing.isEmpty
                try source?.watch(watchesWriting ? [.readable, .writable] : .readable)
            }
        } catch {
            end("\(error)")
        }
    }

    private func end(_ reason: String) {
        guard !hasEnded else { return }
        close()
        ended(reason)
    }
}
