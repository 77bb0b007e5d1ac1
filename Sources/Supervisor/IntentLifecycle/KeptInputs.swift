package import IntentLauncherMessages

/// A limit on the descriptors that the launcher keeps for the next `intentd`: files of runs that have not begun, and a
/// socket for values that are not recorded. One account may have at most as many descriptors as remain free, so that
/// the next account always finds a free descriptor.
///
/// The kernel counts a user's descriptors in flight against the limit of each of the user's processes that sends
/// descriptors (unix(7), ETOOMANYREFS). Workers also send descriptors, so the launcher may keep only a few.
package struct KeptInputs: Sendable {
    /// The maximum number of descriptors of all accounts.
    package static let limit = 256

    private struct Entry: Sendable {
        var count: Int
        /// Nil for a run that an earlier `intentd` accepted, until the run's record has been read.
        var account: Account?
    }

    private var entries: [RunID: Entry] = [:]
    private var totals: [Account: Int] = [:]
    private var total = 0

    package init() {}

    package func contains(_ run: RunID) -> Bool { entries[run] != nil }

    /// Records that the launcher keeps the inputs of a run. A run without files needs one descriptor.
    ///
    /// - Returns: False if the account has no free descriptors. An earlier entry of the run is then unchanged.
    package mutating func keep(fileCount: Int, for run: RunID, of account: Account) -> Bool {
        let earlier = entries[run]
        remove(run)
        let count = max(1, fileCount)
        guard (totals[account] ?? 0) + count <= Self.limit - total - count else {
            if let earlier { add(earlier, for: run) }
            return false
        }
        add(Entry(count: count, account: account), for: run)
        return true
    }

    /// Records inputs that the launcher has kept for an earlier `intentd`.
    package mutating func inherit(fileCount: Int, for run: RunID) {
        remove(run)
        add(Entry(count: max(1, fileCount), account: nil), for: run)
    }

    /// Counts inherited inputs as the account's.
    package mutating func assign(_ run: RunID, to account: Account) {
        guard var entry = entries[run] else { return }
        remove(run)
        entry.account = account
        add(entry, for: run)
    }

    /// Removes a run.
    ///
    /// - Returns: False if the launcher keeps no inputs of the run.
    @discardableResult package mutating func remove(_ run: RunID) -> Bool {
        guard let entry = entries.removeValue(forKey: run) else { return false }
        total -= entry.count
        if let account = entry.account {
            let rest = (totals[account] ?? 0) - entry.count
            totals[account] = rest > 0 ? rest : nil
        }
        return true
    }

    private mutating func add(_ entry: Entry, for run: RunID) {
        entries[run] = entry
        total += entry.count
        if let account = entry.account { totals[account, default: 0] += entry.count }
    }
}
