package import IntentLauncherMessages

/// A limit on the copies of agents' files. They are in `intentd`'s memory until their run has ended. One account may
/// have at most as many bytes as remain free, so that the next account always finds free bytes.
package struct CopyBudget: Sendable {
    /// The maximum size of a file.
    package static let fileLimit = 16 << 20
    /// The maximum size of all copies.
    package static let limit = 64 << 20

    private var held: [RunID: [Account?: Int]] = [:]
    private var totals: [Account: Int] = [:]
    package private(set) var total = 0

    package init() {}

    /// Records the copies of files for a run.
    ///
    /// - Returns: The reason why the files are refused, or nil.
    package mutating func hold(_ byteCounts: [UInt64], for run: RunID, of account: Account) -> ErrorReport? {
        let hint = "a person can perform the intent, or an operator can grant the file to the app with ReadPaths="
        guard byteCounts.allSatisfy({ $0 <= Self.fileLimit }) else {
            return ErrorReport(
                .tooLarge,
                "intentd copies the files of agents, and copies at most \(Self.fileLimit >> 20) MiB of a file",
                hint: hint
            )
        }
        let count = byteCounts.reduce(0) { $0 + Int($1) }
        guard count <= Self.limit / 2 else {
            return ErrorReport(
                .tooLarge,
                "intentd copies the files of agents, and copies at most \(Self.limit >> 21) MiB for a request",
                hint: hint
            )
        }
        guard (totals[account] ?? 0) + count <= Self.limit - total - count else {
            return ErrorReport(
                .busy,
                "too many bytes of your agents' files are copied for runs that have not ended",
                hint: "try again when one of these runs has ended"
            )
        }
        add(count, for: run, of: account)
        return nil
    }

    /// Records copies that an earlier `intentd` made. They are no account's until ``assign(_:to:)`` is called.
    package mutating func inherit(_ byteCount: Int, for run: RunID) { add(byteCount, for: run, of: nil) }

    /// Counts the inherited copies of a run as the account's.
    package mutating func assign(_ run: RunID, to account: Account) {
        guard let count = held[run]?[nil] else { return }
        add(-count, for: run, of: nil)
        add(count, for: run, of: account)
    }

    /// Releases copies that the run did not receive. The run may have ended meanwhile.
    package mutating func release(_ byteCount: Int, for run: RunID, of account: Account) {
        add(-min(byteCount, held[run]?[account] ?? 0), for: run, of: account)
    }

    /// Releases the copies of a run that has ended.
    package mutating func release(_ run: RunID) {
        for (account, count) in held[run] ?? [:] { add(-count, for: run, of: account) }
    }

    private mutating func add(_ byteCount: Int, for run: RunID, of account: Account?) {
        guard byteCount != 0 else { return }
        total += byteCount
        var shares = held[run] ?? [:]
        shares[account] = Self.sum(shares[account], byteCount)
        held[run] = shares.isEmpty ? nil : shares
        if let account { totals[account] = Self.sum(totals[account], byteCount) }
    }

    private static func sum(_ held: Int?, _ change: Int) -> Int? {
        let sum = (held ?? 0) + change
        return sum > 0 ? sum : nil
    }
}
