/// How much of what one run prints is kept: its beginning, and the newest of the rest.
struct OutputQuota {
    static let headByteLimit = 256 << 10
    static let tailByteLimit = 768 << 10

    private var headByteCount = 0
    private var tailByteCount = 0
    private var tail: [Piece] = []
    private var tailStart = 0
    private(set) var nextSerial: Int64 = 1
    /// Between the beginning and the rest.
    private var droppedByteCount: Int64 = 0

    private struct Piece {
        var serial: Int64
        var byteCount: Int
        /// What was never recorded before it.
        var leftOutByteCount: Int64
    }

    /// What must go for a piece.
    struct Dropped {
        var serials: ClosedRange<Int64>
        /// All that is missing now before the one that follows.
        var totalByteCount: Int64
        /// What goes now.
        var byteCount: Int64
    }

    /// Takes a piece in.
    ///
    /// - Returns: Its serial, and what must go for it.
    mutating func take(byteCount newByteCount: Int, leftOutByteCount: Int64) -> (serial: Int64, dropped: Dropped?) {
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
        // What the next one misses itself is in the sum too, and goes with it later.
        let own = tail[tailStart].leftOutByteCount
        guard let last else { return (serial, nil) }
        return (serial, Dropped(serials: first...last, totalByteCount: droppedByteCount + own, byteCount: byteCount))
    }

    /// Goes on after a piece that is on record already.
    mutating func resume(after serial: Int64) { nextSerial = serial + 1 }
}
