/// How many lines of what a run prints go to the journal: a burst, and so many a second from then on. A run that prints
/// without end must not push the lines of others out of it.
package struct JournalQuota: Sendable {
    package static let burst: Int64 = 1000
    package static let perSecond: Int64 = 50
    /// The longest line; a longer one is as many lines as it has pieces of this size, in bytes. 'journalctl -o json' leaves
    /// out values of more than 4096 bytes.
    package static let lineByteLimit = 4000

    private var lineCount = burst
    private var since: Int64
    /// Lines left out since the last one that went.
    package private(set) var droppedCount = 0

    package init(at nanoseconds: Int64) {
        since = nanoseconds
    }

    /// The lines of the text that may go now, each of them short enough; empty ones are passed over, as the journal does.
    ///
    /// - Returns: With them, how many were left out before the first.
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

    /// Only whole lines: the rest of a second is counted with the next.
    private mutating func refill(at nanoseconds: Int64) {
        // Less than an hour counts, and no number can overflow.
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
            // Not in the middle of a character.
            while end < rest.endIndex, rest[end] & 0b1100_0000 == 0b1000_0000 { end -= 1 }
            pieces.append(String(decoding: rest[..<end], as: UTF8.self))
            rest = rest[end...]
        }
        return pieces
    }
}
