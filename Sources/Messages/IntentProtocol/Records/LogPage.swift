/// A page of a run's output.
public struct LogPage: Hashable, Sendable, Codable {
    /// The pieces of output, in the order in which the run wrote them.
    public var pieces: [LogPiece]
    /// The serial after which the next page begins; nil when no output remains.
    public var next: Int64?

    /// Creates a page.
    public init(pieces: [LogPiece], next: Int64?) {
        self.pieces = pieces
        self.next = next
    }
}

/// A piece of a run's output. It contains whole lines if the app wrote whole lines.
public struct LogPiece: Hashable, Sendable, Codable {
    /// The piece's serial number, which increases within the run.
    public var serial: Int64
    /// The time at which `intentd` received the piece.
    public var time: Timestamp
    /// The stream to which the run wrote the output.
    public var stream: OutputStream
    /// The output; empty when the piece only marks a gap.
    public var text: String
    /// True when output before this piece is missing, because the run wrote more than history stores.
    public var followsGap: Bool
    /// The number of bytes that are missing before this piece; nil when it is 0 or unknown.
    public var leftOutByteCount: Int64?

    /// Creates a piece.
    public init(
        serial: Int64,
        time: Timestamp,
        stream: OutputStream,
        text: String,
        followsGap: Bool,
        leftOutByteCount: Int64? = nil
    ) {
        self.serial = serial
        self.time = time
        self.stream = stream
        self.text = text
        self.followsGap = followsGap
        self.leftOutByteCount = leftOutByteCount
    }

    private enum CodingKeys: String, CodingKey {
        case serial
        case time = "wallMilliseconds"
        case stream, text, followsGap, leftOutByteCount
    }
}
