import IntentLinux

/// The input and output streams to the peer: standard input and output of a process, or the socket of ssh. If the link
/// is lost, another link replaces it.
struct RelayLink {
    /// The maximum number of bytes waiting to be written.
    static let bufferByteLimit = 256 << 10
    private static let readByteCount = 256 << 10

    let input: SharedFileDescriptor
    let output: SharedFileDescriptor
    /// A socket that is kept open as long as the link. When it is closed, the process that passed the link exits.
    let holder: SharedFileDescriptor?
    private(set) var decoder: RelayDecoder
    private var outgoing: [UInt8]
    private var written = 0
    /// True after the peer's hello message. Messages may follow only then.
    var isGreeted = false
    /// The times, on a monotonic clock, at which bytes were last received and last queued.
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
