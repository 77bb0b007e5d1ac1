/// A part of a run's output.
public struct LogPage: Hashable, Sendable, Codable {
    public var pieces: [LogPiece]
    /// The serial after which the next page begins; nil on the last page so far.
    public var next: Int64?

    public init(pieces: [LogPiece], next: Int64?) {
        self.pieces = pieces
        self.next = next
    }
}

/// A piece of a run's output: whole lines, as far as the app wrote lines.
public struct LogPiece: Hashable, Sendable, Codable {
    public var serial: Int64
    public var time: Timestamp
    public var stream: OutputStream
    public var text: String
    /// True: output is missing before this piece, because the run printed more than is kept.
    public var followsGap: Bool
    /// The number of bytes missing; nil where it is unknown.
    public var leftOutByteCount: Int64?

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
