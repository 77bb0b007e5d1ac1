package import IntentLauncherMessages

/// What the steps of live shortcuts have returned, in bytes. The history keeps it while the shortcut lives, whatever `Keep=`,
/// `KeepFiles=` and `MaxSize=` say, so that it must have a limit of its own: a user's share of `MaxSize=`.
package struct StepBudget: Sendable {
    private var pool = SharedPool()
    private var byShortcut: [RunID: (account: Account, byteCount: Int)] = [:]
    /// The runs that were counted, by shortcut. A run can be reported twice, by the history and at its end.
    private var counted: [RunID: Set<RunID>] = [:]

    package init() {}

    /// Counts what a step has returned.
    package mutating func add(_ byteCount: Int64, of run: RunID, to shortcut: RunID, of account: Account) {
        guard counted[shortcut, default: []].insert(run).inserted else { return }
        let byteCount = Int(clamping: byteCount)
        byShortcut[shortcut] = (account, (byShortcut[shortcut]?.byteCount ?? 0) + byteCount)
        pool.add(account, byteCount)
    }

    /// Releases what the steps of a shortcut have returned.
    package mutating func remove(_ shortcut: RunID) {
        counted[shortcut] = nil
        if let (account, byteCount) = byShortcut.removeValue(forKey: shortcut) { pool.remove(account, byteCount) }
    }

    /// Returns the reason why no further step of an account's shortcuts may begin, or nil.
    ///
    /// - Parameter limit: `MaxSize=`; nil for no limit.
    package func refusal(for account: Account, limit: Int64?) -> String? {
        guard let limit, !pool.hasRoom(for: account, limit: Int(clamping: limit)) else { return nil }
        return """
            the results of your live shortcuts have \(pool[account]) bytes, which is your full share of MaxSize= in [History]; \
            try again when a shortcut has ended
            """
    }
}
