import IntentClient
import IntentLauncherMessages
import IntentLinux
import IntentProtocol

/// A channel's socket, which carries frames of the client protocol. At the relay, intentd is at the other end of the
/// socket; at the user's end, a client is.
struct RelayChannel {
    /// A frame that is waiting to be written to the socket.
    private struct Write {
        var bytes: [UInt8]
        var written = 0
        var files: [SharedFileDescriptor]
        var payloadByteCount: Int
    }

    /// A frame that was received from the socket, and its files, which are being prepared for sending.
    struct Received {
        var payload: [UInt8]
        var files: [SharedFileDescriptor]
        /// The index of the next file to prepare. All files before it are ready to be sent.
        var index = 0
        /// The temporary file that receives the content of the pipe at `index`; nil if that file is not a pipe.
        var spool: SpoolFile?
    }

    let socket: SharedFileDescriptor
    /// The decoder for the socket's data: messages from intentd, or requests from a client.
    private var frames: any FrameAssembler
    private var writes: [Write] = []
    /// The frame that is being prepared. The next frame is decoded after this frame has been queued for sending.
    var received: Received?
    /// The error with which the next request is refused, because a file in a preceding `files` request could not be
    /// transferred; nil otherwise.
    var problem: ErrorReport?
    /// True if the other end of the session has closed the channel. The channel is removed after its remaining frames
    /// have been written.
    var isClosedByPeer = false
    /// True once the end of the socket's stream has been read.
    var hasEnded = false

    init(_ socket: SharedFileDescriptor, of role: RelayInbox.Role) {
        self.socket = socket
        frames =
            switch role {
            case .relay: IncomingFrames()
            case .user: RequestFrames()
            }
    }

    var hasOutput: Bool { !writes.isEmpty }

    mutating func queue(_ payload: [UInt8], _ files: [SharedFileDescriptor]) throws(FrameError) {
        let bytes = try Frame.encode(payload, limit: Frame.clientPayloadLimit)
        writes.append(Write(bytes: bytes, files: files, payloadByteCount: payload.count))
    }

    /// Writes as many queued bytes as the socket accepts.
    ///
    /// - Returns: The number of payload bytes in frames that were written completely.
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
            frames.append(bytes, descriptors)
            return true
        case .wouldBlock: return true
        case .end, .truncated: return false
        }
    }

    /// Decodes the next complete frame, unless another frame is being prepared.
    mutating func nextFrame() throws {
        guard received == nil else { return }
        received = try frames.next().map { Received(payload: $0.payload, files: $0.files) }
    }
}

/// Assembles frames, each with its files, from the data on a socket.
protocol FrameAssembler {
    mutating func append(_ bytes: [UInt8], _ descriptors: [SharedFileDescriptor])
    mutating func next() throws -> (payload: [UInt8], files: [SharedFileDescriptor])?
}

extension IncomingFrames: FrameAssembler {}
extension RequestFrames: FrameAssembler {}
