/// The quota for a run's output in the journal: a burst of lines, then a number of lines per second. A run that prints
/// without end must not displace other journal entries.
package struct JournalQuota: Sendable {
    package static let burst: Int64 = 1000
    package static let perSecond: Int64 = 50
    /// The maximum length of a line, in bytes. A longer line is split, because 'journalctl -o json' drops values of
    /// more than 4096 bytes.
    package static let lineByteLimit = 4000

    private var lineCount = burst
    private var since: Int64
    /// The number of lines dropped since the last admitted line.
    package private(set) var droppedCount = 0

    package init(at nanoseconds: Int64) {
        since = nanoseconds
    }

    /// Returns the lines of a run's output that the quota admits, split at the maximum length. Drops empty lines, as
    /// the journal does.
    ///
    /// - Returns: The admitted lines, and the number of lines that were dropped before the first of them.
    package mutating func admit(_ text: String, at nanoseconds: Int64) -> (dropped: Int, lines: [String]) {
        refill(at: nanoseconds)
        var lines: [String] = []
        var dropped = 0
        for line in text.split(whereSeparator: \.isNewline) {
            for piece in Self.pieces(of: line) {
                guard lineCount > 0 else {
                    droppedCount += 1
                    continue
                }
                if lines.isEmpty {
                    dropped = droppedCount
                    droppedCount = 0
                }
                lineCount -= 1
                lines.append(piece)
            }
        }
        return (dropped, lines)
    }

    /// Adds the whole lines that the elapsed time permits. A fraction of a line is carried over to the next call.
    private mutating func refill(at nanoseconds: Int64) {
        // Credit at most one hour, so that the calculation cannot overflow.
        let elapsed = min(max(0, nanoseconds - since), 3_600_000_000_000)
        let earned = elapsed / (1_000_000_000 / Self.perSecond)
        guard earned > 0 else { return }
        lineCount = min(Self.burst, lineCount + earned)
        since = nanoseconds
    }

    private static func pieces(of line: Substring) -> [String] {
        guard line.utf8.count > lineByteLimit else { return [String(line)] }
        var pieces: [String] = []
        var rest = Array(line.utf8)[...]
        while !rest.isEmpty {
            var end = min(rest.startIndex + lineByteLimit, rest.endIndex)
            // Do not split a UTF-8 character.
            while end < rest.endIndex, rest[end] & 0b1100_0000 == 0b1000_0000 { end -= 1 }
            pieces.append(String(decoding: rest[..<end], as: UTF8.self))
            rest = rest[end...]
        }
        return pieces
    }
}
