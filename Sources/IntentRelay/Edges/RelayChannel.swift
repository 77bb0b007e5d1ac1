import IntentClient
import IntentLinux
import IntentProtocol
import IntentWire

/// A socket that speaks the client protocol: to intentd at the relay, to the client at the user's end.
struct RelayChannel {
    /// A frame that waits for the socket.
    private struct Write {
        var bytes: [UInt8]
        var written = 0
        var files: [SharedFileDescriptor]
        var payloadByteCount: Int
    }

    /// A received frame. Its files are being prepared.
    struct Received {
        var payload: [UInt8]
        var files: [SharedFileDescriptor]
        /// The files before this index can be sent.
        var index = 0
        /// Receives the contents of the pipe at `index`.
        var spool: SpoolFile?
    }

    let socket: SharedFileDescriptor
    /// What the socket sends: messages of intentd, or requests of a client.
    private enum Frames {
        case messages(IncomingFrames)
        case requests(RequestFrames)
    }

    private var frames: Frames
    private var writes: [Write] = []
    /// The frame that is being prepared. The next one is not looked at before.
    var received: Received?
    /// Why the next request cannot be passed on: one of its files, which were sent before it, is missing.
    var problem: ErrorReport?
    /// The peer has closed the channel: it ends when everything is written.
    var isClosedByPeer = false
    /// The socket has ended: nothing more is read from it.
    var hasEnded = false

    init(_ socket: SharedFileDescriptor, of role: RelayInbox.Role) {
        self.socket = socket
        frames =
            switch role {
            case .relay: .messages(IncomingFrames())
            case .user: .requests(RequestFrames())
            }
    }

    var hasOutput: Bool { !writes.isEmpty }

    mutating func queue(_ payload: [UInt8], _ files: [SharedFileDescriptor]) throws(FrameError) {
        let bytes = try Frame.encode(payload, limit: Frame.clientPayloadLimit)
        writes.append(Write(bytes: bytes, files: files, payloadByteCount: payload.count))
    }

    /// Writes what the socket accepts.
    ///
    /// - Returns: The bytes of payloads that were written whole.
    mutating func write() throws(SystemError) -> Int {
        var passedOn = 0
        while let first = writes.first {
            let files = first.written == 0 ? first.files : []
            let rest = first.bytes[first.written...]
            guard let count = try UnixSocket.send(rest, descriptors: files, on: socket.rawValue, waiting: .never) else {
                return passedOn
            }
            writes[0].written += count
            if writes[0].written == first.bytes.count {
                passedOn += first.payloadByteCount
                writes.removeFirst()
            }
        }
        return passedOn
    }

    /// Receives bytes and descriptors. Returns false at the end of the stream.
    mutating func receive() throws -> Bool {
        switch try UnixSocket.receive(
            from: socket.rawValue,
            upTo: 64 << 10,
            descriptorLimit: Frame.descriptorLimit,
            waiting: .never
        ) {
        case .message(let bytes, let descriptors):
            switch frames {
            case .messages(var messages):
                messages.append(bytes, descriptors)
                frames = .messages(messages)
            case .requests(var requests):
                requests.append(bytes, descriptors)
                frames = .requests(requests)
            }
            return true
        case .wouldBlock: return true
        case .end, .truncated: return false
        }
    }

    /// Begins with the next received frame, if it is complete and no other is being prepared.
    mutating func nextFrame() throws {
        guard received == nil else { return }
        let frame: (payload: [UInt8], files: [SharedFileDescriptor])?
        switch frames {
        case .messages(var messages):
            frame = try messages.next()
            frames = .messages(messages)
        case .requests(var requests):
            frame = try requests.next()
            frames = .requests(requests)
        }
        received = frame.map { Received(payload: $0.payload, files: $0.files) }
    }
}
