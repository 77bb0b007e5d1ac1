import IntentLinux

/// One pair of streams to the peer: the standard input and output of a process, or the socket to ssh. It is replaced when
/// it ends.
struct RelayLink {
    /// The most bytes that wait to be written.
    static let bufferByteLimit = 256 << 10
    private static let readByteCount = 256 << 10

    let input: SharedFileDescriptor
    let output: SharedFileDescriptor
    /// Kept open with the link: its end tells another process that the link has ended.
    let holder: SharedFileDescriptor?
    private(set) var decoder: RelayDecoder
    private var outgoing: [UInt8]
    private var written = 0
    /// True after the greeting of the peer, when messages may follow.
    var isGreeted = false
    /// When bytes last arrived, and when some were last queued, on a monotonic clock.
    private(set) var heardAt: Duration
    private(set) var saidAt: Duration

    /// - Parameter isBegun: Another process has exchanged the preambles and read the greeting.
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
        heardAt = now
        saidAt = now
    }

    var hasOutput: Bool { written < outgoing.count }
    var hasRoom: Bool { outgoing.count - written < Self.bufferByteLimit }

    mutating func queue(_ bytes: [UInt8], at now: Duration) {
        saidAt = now
        outgoing += bytes
    }

    /// Writes what the stream accepts.
    mutating func write() throws(SystemError) {
        while hasOutput {
            guard let count = try File.writePart(output.rawValue, outgoing[written...]) else { return }
            written += count
        }
        outgoing.removeAll(keepingCapacity: true)
        written = 0
    }

    /// Reads what has arrived. Returns false at the end of the stream.
    mutating func read(at now: Duration, by buffer: ReceiveBuffer) throws(SystemError) -> Bool {
        guard let bytes = try File.read(input.rawValue, upTo: Self.readByteCount, by: buffer) else { return true }
        if bytes.isEmpty { return false }
        heardAt = now
        decoder.append(bytes)
        return true
    }

    mutating func nextPacket() throws(RelayViolation) -> RelayPacket? { try decoder.next() }

    static func makeBuffer() -> ReceiveBuffer { ReceiveBuffer(byteCount: readByteCount) }
}
