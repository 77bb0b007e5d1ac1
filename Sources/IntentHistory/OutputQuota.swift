/// How much of what one run prints is kept: its beginning, and the newest of the rest.
struct OutputQuota {
    static let headByteLimit = 256 << 10
    static let tailByteLimit = 768 << 10

    private var headByteCount = 0
    private var tailByteCount = 0
    private var tail: [(serial: Int64, byteCount: Int)] = []
    private var tailStart = 0
    private(set) var nextSerial: Int64 = 1

    /// Takes a piece in.
    ///
    /// - Returns: Its serial, and the serials of those that must go for it.
    mutating func take(byteCount: Int) -> (serial: Int64, dropped: ClosedRange<Int64>?) {
        let serial = nextSerial
        nextSerial += 1
        if tail.isEmpty, headByteCount + byteCount <= Self.headByteLimit {
            headByteCount += byteCount
            return (serial, nil)
        }
        tail.append((serial, byteCount))
        tailByteCount += byteCount
        let first = tail[tailStart].serial
        var last: Int64?
        while tailByteCount > Self.tailByteLimit, tailStart < tail.count - 1 {
            tailByteCount -= tail[tailStart].byteCount
            last = tail[tailStart].serial
            tailStart += 1
        }
        if tailStart > 256, tailStart > tail.count / 2 {
            tail.removeFirst(tailStart)
            tailStart = 0
        }
        return (serial, last.map { first...$0 })
    }

    /// Goes on after a piece that is on record already.
    mutating func resume(after serial: Int64) { nextSerial = serial + 1 }
}
