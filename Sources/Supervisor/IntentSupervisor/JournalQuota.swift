import IntentLinux

/// A number of lines that grows with time, up to a burst.
package struct LineAllowance: Sendable {
    let burst: Int64
    let perSecond: Int64
    var lineCount: Int64
    private var since: Int64

    init(burst: Int64, perSecond: Int64, at nanoseconds: Int64) {
        self.burst = burst
        self.perSecond = perSecond
        lineCount = burst
        since = nanoseconds
    }

    /// Adds the whole lines that the elapsed time permits. A fraction of a line is carried over to the next call.
    mutating func refill(at nanoseconds: Int64) {
        let earned = earnedCount(at: nanoseconds)
        guard earned > 0 else { return }
        lineCount = min(burst, lineCount + earned)
        since = nanoseconds
    }

    func isFull(at nanoseconds: Int64) -> Bool { lineCount + earnedCount(at: nanoseconds) >= burst }

    private func earnedCount(at nanoseconds: Int64) -> Int64 {
        // Credit at most one hour, so that the calculation cannot overflow.
        min(max(0, nanoseconds - since), 3_600_000_000_000) / (1_000_000_000 / perSecond)
    }
}

/// The quota for a run's output in the journal: a burst of lines, then a number of lines per second. A run that prints
/// without end must not displace other journal entries. Neither must many runs of one account.
package struct JournalQuota: Sendable {
    package static let burst: Int64 = 1000
    package static let perSecond: Int64 = 50
    /// The maximum length of a line, in bytes. A longer line is split, because 'journalctl -o json' drops values of
    /// more than 4096 bytes.
    package static let lineByteLimit = 4000

    /// An account's runs together may write as many lines as this number of runs.
    private static let runsPerAccount: Int64 = 4

    private var allowance: LineAllowance
    /// The number of lines dropped since the last admitted line.
    package private(set) var droppedCount = 0

    package init(at nanoseconds: Int64) {
        allowance = LineAllowance(burst: Self.burst, perSecond: Self.perSecond, at: nanoseconds)
    }

    /// Returns the lines that all runs of an account may write together.
    package static func allowanceOfAccount(at nanoseconds: Int64) -> LineAllowance {
        LineAllowance(burst: burst * runsPerAccount, perSecond: perSecond * runsPerAccount, at: nanoseconds)
    }

    /// Returns the lines of a run's output that the quota admits, split at the maximum length. Drops empty lines, as
    /// the journal does.
    ///
    /// - Parameter account: The lines that the account's runs may still write.
    /// - Returns: The admitted lines, and the number of lines that were dropped before the first of them.
    package mutating func admit(
        _ text: String,
        within account: inout LineAllowance,
        at nanoseconds: Int64
    ) -> (dropped: Int, lines: [String]) {
        allowance.refill(at: nanoseconds)
        account.refill(at: nanoseconds)
        var lines: [String] = []
        var dropped = 0
        for line in text.utf8.split(whereSeparator: LineAssembler.isLineBreak) {
            for piece in Self.pieces(of: Substring(line)) {
                guard allowance.lineCount > 0, account.lineCount > 0 else {
                    droppedCount += 1
                    continue
                }
                if lines.isEmpty {
                    dropped = droppedCount
                    droppedCount = 0
                }
                allowance.lineCount -= 1
                account.lineCount -= 1
                lines.append(String(piece))
            }
        }
        return (dropped, lines)
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
