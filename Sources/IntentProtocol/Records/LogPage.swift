/// A page of a run's output.
public struct LogPage: Hashable, Sendable, Codable {
    /// The pieces, in the order in which they were printed.
    public var pieces: [LogPiece]
    /// The serial after which the next page begins; nil when all recorded output has been returned.
    public var next: Int64?

    /// Creates a page.
    public init(pieces: [LogPiece], next: Int64?) {
        self.pieces = pieces
        self.next = next
    }
}

/// A piece of a run's output. It consists of whole lines if the app wrote lines.
public struct LogPiece: Hashable, Sendable, Codable {
    /// The piece's number, which increases within the run.
    public var serial: Int64
    /// When `intentd` received the piece.
    public var time: Timestamp
    /// The stream that the text was printed to.
    public var stream: OutputStream
    /// The text; empty when the piece records only a gap.
    public var text: String
    /// True when output before this piece is missing because the run printed more than history keeps.
    public var followsGap: Bool
    /// The number of missing bytes; nil when unknown.
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
