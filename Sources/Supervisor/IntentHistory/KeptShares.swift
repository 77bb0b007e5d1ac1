import IntentLauncherMessages

/// What each account keeps in the history.
struct KeptShares {
    struct Share {
        /// The users of the account who have ended runs.
        var users: Set<Caller> = []
        var runCount: Int64 = 0
        /// The approximate size of the records of ended runs.
        var recordByteCount: Int64 = 0
        /// The run folders that may be removed, oldest first.
        var folders: ArraySlice<Folder> = []
        /// The disk usage of all result files.
        var fileByteCount: Int64 = 0
        var byteCount: Int64 { recordByteCount + fileByteCount }
    }

    struct Folder {
        var name: String
        var byteCount: Int64
        /// True if the files may not have been sent to their owner yet.
        var isYoung: Bool
    }

    private var shares: [Account: Share] = [:]

    var runCount: Int64 { shares.values.reduce(0) { $0 + $1.runCount } }
    var fileByteCount: Int64 { shares.values.reduce(0) { $0 + $1.fileByteCount } }

    subscript(account: Account) -> Share {
        get { shares[account] ?? Share() }
        set { shares[account] = newValue }
    }

    /// Returns the account with the largest share, and the amount by which it is larger than the next one.
    ///
    /// - Parameter isCandidate: Returns false for an account from which nothing can be removed.
    func largest(by size: (Share) -> Int64, where isCandidate: (Share) -> Bool) -> (account: Account, lead: Int64)? {
        let sizes = shares.filter { isCandidate($0.value) }.map { (account: $0.key, size: size($0.value)) }
        guard let first = sizes.max(by: { $0.size < $1.size }) else { return nil }
        let next = sizes.lazy.filter { $0.account != first.account }.map(\.size).max() ?? 0
        return (first.account, first.size - next)
    }
}
