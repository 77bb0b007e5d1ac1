import IntentLauncherMessages

/// The bytes of the entries that are not on the disk, divided among accounts. On a slow disk, an account that fills its
/// share with records stops only its own runs, and an account that prints too much loses only its own output.
struct RecordBacklog: Sendable {
    /// The number of bytes that may wait for the disk before new runs are rejected.
    static let byteLimit = 32 << 20
    /// The number of bytes of output and measurements that may wait for the disk before they are no longer recorded.
    static let dispensableByteLimit = 8 << 20

    private var all = SharedPool()
    private var dispensable = SharedPool()

    init() {}

    init(_ entries: [HistoryEntry]) {
        for entry in entries { add(entry) }
    }

    /// True if no account's new runs can be recorded.
    var isFull: Bool { all.count > Self.byteLimit }

    /// Returns true if the account's new runs can be recorded.
    func acceptsRuns(of account: Account) -> Bool { all.hasRoom(for: account, limit: Self.byteLimit) }

    /// Returns true if the entry may be added. An entry that is no account's shares in what is free for all.
    func accepts(_ entry: HistoryEntry) -> Bool {
        guard entry.isDispensable else { return true }
        guard let account = entry.account else { return dispensable.count < Self.dispensableByteLimit }
        return dispensable.hasRoom(for: account, limit: Self.dispensableByteLimit)
    }

    mutating func add(_ entry: HistoryEntry) {
        let count = entry.byteCount
        all.add(entry.account, count)
        if entry.isDispensable { dispensable.add(entry.account, count) }
    }
}
