import IntentLinux

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
        for line in text.utf8.split(whereSeparator: LineAssembler.isLineBreak) {
            for piece in Self.pieces(of: Substring(line)) {
                guard lineCount > 0 else {
                    droppedCount += 1
                    continue
                }
                if lines.isEmpty {
                    dropped = droppedCount
                    droppedCount = 0
                }
                lineCount -= 1
                lines.append(String(piece))
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

    private static func pieces(of line: Substring) -> [Substring] {
        guard line.utf8.count > lineByteLimit else { return [line] }
        var pieces: [Substring] = []
        var rest = line
        while !rest.utf8.isEmpty {
            let piece = rest.prefix(utf8: lineByteLimit)
            pieces.append(piece)
            rest = rest[piece.endIndex..<rest.endIndex]
        }
        return pieces
    }
}
