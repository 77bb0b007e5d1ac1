/// The quota for a run's recorded output. Only the beginning and the end of the output are kept.
struct OutputQuota {
    static let headByteLimit = 256 << 10
    static let tailByteLimit = 768 << 10

    private var headByteCount = 0
    private var tailByteCount = 0
    private var tail: [Piece] = []
    private var tailStart = 0
    private(set) var nextSerial: Int64 = 1
    /// The number of bytes missing between the beginning and the end of the output: removed pieces, and unrecorded
    /// bytes before them.
    private var droppedByteCount: Int64 = 0

    private struct Piece {
        var serial: Int64
        var byteCount: Int
        /// The number of unrecorded bytes before the piece.
        var leftOutByteCount: Int64
    }

    /// The pieces that must be removed to make room for a new piece.
    struct Dropped {
        var serials: ClosedRange<Int64>
        /// The size of the gap before the next piece.
        var totalByteCount: Int64
        /// The total size of the removed pieces.
        var byteCount: Int64
    }

    /// Adds a piece of output.
    ///
    /// - Returns: The serial number of the new piece, and the pieces that must be removed to make room for it.
    mutating func add(byteCount newByteCount: Int, leftOutByteCount: Int64) -> (serial: Int64, dropped: Dropped?) {
        let serial = nextSerial
        nextSerial += 1
        if tail.isEmpty, headByteCount + newByteCount <= Self.headByteLimit {
            headByteCount += newByteCount
            return (serial, nil)
        }
        tail.append(Piece(serial: serial, byteCount: newByteCount, leftOutByteCount: leftOutByteCount))
        tailByteCount += newByteCount
        let first = tail[tailStart].serial
        var last: Int64?
        var byteCount: Int64 = 0
        while tailByteCount > Self.tailByteLimit, tailStart < tail.count - 1 {
            tailByteCount -= tail[tailStart].byteCount
            byteCount += Int64(tail[tailStart].byteCount)
            droppedByteCount += Int64(tail[tailStart].byteCount) + tail[tailStart].leftOutByteCount
            last = tail[tailStart].serial
            tailStart += 1
        }
        if tailStart > 256, tailStart > tail.count / 2 {
            tail.removeFirst(tailStart)
            tailStart = 0
        }
        // The size of the gap includes the unrecorded bytes immediately before the next piece. They are added to
        // `droppedByteCount` only when that piece is removed.
        let own = tail[tailStart].leftOutByteCount
        guard let last else { return (serial, nil) }
        return (serial, Dropped(serials: first...last, totalByteCount: droppedByteCount + own, byteCount: byteCount))
    }

    /// Continues the serial numbers after the last piece of output that an earlier `intentd` recorded.
    mutating func resume(after serial: Int64) { nextSerial = serial + 1 }
}
