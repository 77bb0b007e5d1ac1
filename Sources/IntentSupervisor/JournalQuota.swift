/// How many of the lines that a run prints go to the journal: a burst, then a number of lines per second. A run that prints
/// without end must not push the lines of others out of the journal.
package struct JournalQuota: Sendable {
    package static let burst: Int64 = 1000
    package static let perSecond: Int64 = 50
    /// The longest line, in bytes; a longer one becomes several lines. 'journalctl -o json' leaves
    /// out values of more than 4096 bytes.
    package static let lineByteLimit = 4000

    private var lineCount = burst
    private var since: Int64
    /// Lines left out since the last one that was admitted.
    package private(set) var droppedCount = 0

    package init(at nanoseconds: Int64) {
        since = nanoseconds
    }

    /// The lines of the text that are admitted now, each of them short enough. Empty ones are left out, as in the journal.
    ///
    /// - Returns: The lines, and how many were left out before the first of them.
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

    /// Adds whole lines only: a fraction of a line is added later.
    private mutating func refill(at nanoseconds: Int64) {
        // At most an hour counts, so that no number can overflow.
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
            // Never splits a character.
            while end < rest.endIndex, rest[end] & 0b1100_0000 == 0b1000_0000 { end -= 1 }
            pieces.append(String(decoding: rest[..<end], as: UTF8.self))
            rest = rest[end...]
        }
        return pieces
    }
}
