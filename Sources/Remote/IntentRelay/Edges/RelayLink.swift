import IntentLinux

/// The streams to the peer: the relay's standard input and output, or the socket to the user's ssh. If a link is lost,
/// the session continues on another link.
struct RelayLink {
    /// When this many bytes are waiting to be written, no further messages are queued.
    static let bufferByteLimit = 256 << 10
    private static let readByteCount = 256 << 10

    let input: SharedFileDescriptor
    let output: SharedFileDescriptor
    /// The socket over which another relay passed this link; nil for any other link. The other relay exits when this
    /// socket is closed.
    let holder: SharedFileDescriptor?
    private(set) var decoder: RelayDecoder
    private var outgoing: [UInt8]
    private var written = 0
    /// True once the hello messages have been exchanged. Before that, messages violate the protocol.
    var isGreeted = false
    /// The time at which bytes were last received, on a monotonic clock.
    private(set) var lastReceivedAt: Duration
    private(set) var lastQueuedAt: Duration

    /// - Parameter isBegun: True if another process has already exchanged the preambles and read the hello message.
    init(
        input: SharedFileDescriptor,
        output: SharedFileDescriptor,
        holder: SharedFileDescriptor? = nil,
        isBegun: Bool = false,
        at now: Duration
    ) throws(SystemError) {
        try input.setNonblocking()
        if input !== output { try output.setNonblocking() }
        self.input = input
        self.output = output
        self.holder = holder
        decoder = RelayDecoder(isBegun: isBegun)
        outgoing = isBegun ? [] : RelayPacket.preamble
        lastReceivedAt = now
        lastQueuedAt = now
    }

    var hasOutput: Bool { written < outgoing.count }
    var hasRoom: Bool { outgoing.count - written < Self.bufferByteLimit }

    mutating func queue(_ bytes: [UInt8], at now: Duration) {
        lastQueuedAt = now
        outgoing += bytes
    }

    /// Writes as many queued bytes as the stream accepts.
    mutating func write() throws(SystemError) {
        while hasOutput {
            guard let count = try File.writePart(output.rawValue, outgoing[written...]) else { return }
            written += count
        }
        outgoing.removeAll(keepingCapacity: true)
        written = 0
    }

    /// Reads the available bytes. Returns false at the end of the stream.
    mutating func read(at now: Duration, by buffer: ReceiveBuffer) throws(SystemError) -> Bool {
        guard let bytes = try File.read(input.rawValue, upTo: Self.readByteCount, by: buffer) else { return true }
        if bytes.isEmpty { return false }
        lastReceivedAt = now
        decoder.append(bytes)
        return true
    }

    mutating func nextPacket() throws(RelayViolation) -> RelayPacket? { try decoder.next() }

    static func makeBuffer() -> ReceiveBuffer { ReceiveBuffer(byteCount: readByteCount) }
}
