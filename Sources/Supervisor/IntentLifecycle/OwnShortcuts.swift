import IntentHash
package import IntentLauncherMessages

/// The shortcuts that users have stored for themselves.
package struct OwnShortcuts: Sendable {
    /// A shortcut of a user.
    package struct Entry: Equatable, Sendable, Codable {
        private var uid: UInt32
        private var account: String
        package var shortcut: OwnShortcutText
        package var intent: String
        package var title: String

        package init(_ shortcut: OwnShortcutText, of owner: Caller, intent: String, title: String) {
            (uid, account) = (owner.uid, owner.account)
            self.shortcut = shortcut
            self.intent = intent
            self.title = title
        }

        package var owner: Caller { .local(user: uid, account: account) }
        package var digest: String { SHA256.hexadecimal(of: shortcut.text.utf8) }

        package var description: OwnShortcut {
            OwnShortcut(
                name: shortcut.name,
                intent: intent,
                title: title,
                path: shortcut.path,
                digest: digest,
                byteCount: byteCount
            )
        }

        fileprivate var byteCount: Int { shortcut.text.utf8.count }

        /// The name of the row with the entry.
        fileprivate var row: String { OwnShortcuts.row(shortcut.name, of: owner) }
    }

    /// The maximum size of all texts together, in bytes.
    private static let byteLimit = 16 << 20
    private static let prefix = "own-shortcut "

    private var entries: [String: Entry] = [:]
    private var pool = SharedPool()

    package init() {}

    fileprivate static func row(_ name: String, of owner: Caller) -> String {
        "\(prefix)\(owner.uid) \(SHA256.hexadecimal(of: owner.account.utf8).prefix(scalars: 16)) \(name)"
    }

    /// Returns the shortcuts of a user, by name.
    package func all(of owner: Caller) -> [Entry] {
        entries.values.filter { $0.owner == owner }.sorted { $0.shortcut.name < $1.shortcut.name }
    }

    package func entry(_ name: String, of owner: Caller) -> Entry? { entries[Self.row(name, of: owner)] }

    /// Returns the reason why a user may not store a shortcut, or nil.
    package func refusal(of entry: Entry, payer: Account) -> ErrorReport? {
        let known = entries[entry.row]
        let count = entries.values.count { $0.owner == entry.owner }
        guard known != nil || count < OwnShortcutText.countLimit else {
            return ErrorReport(
                .busy,
                "you have stored \(count) shortcuts, which is the maximum",
                hint: "remove one with 'intentctl shortcut remove NAME'"
            )
        }
        guard
            FairShare.hasRoom(
                own: pool[payer] - (known?.byteCount ?? 0) + entry.byteCount,
                taken: pool.count,
                limit: Self.byteLimit
            )
        else {
            return ErrorReport(
                .busy,
                "your shortcuts have \(pool[payer]) bytes, which is one user's full share of \(Self.byteLimit >> 20) MiB",
                hint: "remove one with 'intentctl shortcut remove NAME'"
            )
        }
        return nil
    }

    /// Stores a shortcut. Returns the row to record.
    package mutating func add(_ entry: Entry, payer: Account) -> (name: String, value: String) {
        _ = remove(entry.shortcut.name, of: entry.owner, payer: payer)
        entries[entry.row] = entry
        pool.add(payer, entry.byteCount)
        return (entry.row, String(foreign: WireCoding.encode(entry)))
    }

    /// Removes a shortcut. Returns the name of its row; nil if the user has no shortcut of that name.
    package mutating func remove(_ name: String, of owner: Caller, payer: Account) -> String? {
        let row = Self.row(name, of: owner)
        guard let entry = entries.removeValue(forKey: row) else { return nil }
        pool.remove(payer, entry.byteCount)
        return row
    }

    /// Restores what an earlier `intentd` has recorded.
    package mutating func recall(_ rows: [String: String], payer: (Caller) -> Account) {
        for (name, value) in rows where name.hasPrefix(utf8: Self.prefix) {
            guard let entry = try? WireCoding.decodeFile(Entry.self, from: Array(value.utf8)), entry.row == name else {
                continue
            }
            _ = add(entry, payer: payer(entry.owner))
        }
    }
}

extension RunTable {
    /// The run under which rows of users' shortcuts are recorded, so that answers wait until the rows are safe.
    static let ownShortcutRows = RunID(randomBits: .max)

    mutating func addShortcut(_ entry: OwnShortcuts.Entry, _ origin: RequestOrigin) -> [Action] {
        let payer = account(of: entry.owner)
        if let refusal = ownShortcuts.refusal(of: entry, payer: payer) { return refuse(origin, refusal) }
        let row = ownShortcuts.add(entry, payer: payer)
        return [
            .record(RunRecord(Self.ownShortcutRows, .stored(name: row.name, value: row.value))),
            .answer(origin.client, id: origin.id, .shortcutAdded(entry.description)),
        ]
    }

    mutating func removeShortcut(_ name: String, _ origin: RequestOrigin) -> [Action] {
        guard let row = ownShortcuts.remove(name, of: origin.user, payer: account(of: origin.user)) else {
            let names = ownShortcuts.all(of: origin.user).map(\.shortcut.name)
            return refuse(
                origin,
                ErrorReport(
                    .unknownApp,
                    "you have stored no shortcut '\(WireCoding.excerpt(name))'",
                    hint: NearestName.hint(for: name, among: names) ?? "'intentctl shortcut list' lists them"
                )
            )
        }
        return [
            .record(RunRecord(Self.ownShortcutRows, .stored(name: row, value: nil))),
            .answer(origin.client, id: origin.id, .shortcutRemoved(name: name)),
        ]
    }
}
