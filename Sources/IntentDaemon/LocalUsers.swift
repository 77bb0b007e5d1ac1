package import IntentLinux
package import IntentWire

/// The users of this machine and the accounts that pay for them, from /etc/passwd and /etc/subuid.
///
/// The files are read here instead of through libsubid and nsswitch.conf(5): a name service that does not respond would
/// block the event loop. Ids from other sources count as users of their own, which ``problems`` reports.
package struct LocalUsers: Sendable {
    private static let byteLimit = 16 << 20
    /// The uid of the owner of a range, if its name is not in /etc/passwd. The kernel assigns it to no user.
    private static let unknownUser = UInt32.max

    private let path: String
    private let nameServices: String
    private var accounts: LocalAccounts
    /// The ranges in the file when it was last read.
    package private(set) var subordinates = SubordinateIDs()
    /// The status of the file when it was last read.
    private var read: File.Status?

    package init(
        at path: String = "/etc/subuid",
        accounts: LocalAccounts = LocalAccounts(),
        nameServices: String = "/etc/nsswitch.conf"
    ) {
        self.path = path
        self.accounts = accounts
        self.nameServices = nameServices
    }

    /// Returns the user with this uid.
    package mutating func caller(_ user: UInt32) -> Caller { .local(user: user, account: accounts.name(of: user)) }

    /// Returns the account that pays for a user.
    package mutating func account(of user: Caller) -> Account {
        // A uid with an account is not subordinate, so its requests cost no system call.
        if user.account.isEmpty { update() }
        return subordinates.account(of: user)
    }

    /// Reads the file again if its status has changed. Programs that change it replace it. A file that does not exist has
    /// no ranges.
    package mutating func update() {
        let current = try? File.status(at: path)
        guard current != read else { return }
        read = current
        let users = accounts.users()
        subordinates = SubordinateIDs(Self.fields(at: path, separator: ":").compactMap { Self.range($0, users) })
    }

    /// Ranges that overlap accounts or other ranges, and sources of ids that are not read.
    package mutating func problems() -> [String] {
        update()
        let users = accounts.users().sorted { $0.value < $1.value }
        let ranges = subordinates.ranges
        var problems: [String] = []
        for (index, range) in ranges.enumerated() {
            if let user = users.first(where: { range.contains($0.value) }) {
                problems.append("the ids of \(Self.name(range)) in \(path) contain the account '\(user.key)'")
            }
            let other = ranges[..<index].first { Self.overlap($0, range) && $0.owner != range.owner }
            if let other {
                problems.append(
                    "the ids of \(Self.name(range)) in \(path) overlap the ids of \(Self.name(other)), which pays for them"
                )
            }
        }
        let sources = Self.fields(at: nameServices, separator: " ").first { $0.first == "subid:" }?.dropFirst() ?? []
        for source in sources where source != "files" && !source.isEmpty {
            problems.append("subordinate ids from '\(source)' in \(nameServices) count as users of their own")
        }
        return problems
    }

    private static func overlap(_ left: SubordinateIDs.Range, _ right: SubordinateIDs.Range) -> Bool {
        left.contains(right.first) || right.contains(left.first)
    }

    private static func name(_ range: SubordinateIDs.Range) -> String {
        range.owner.account.isEmpty ? "uid \(range.owner.uid)" : "'\(range.owner.account)'"
    }

    /// Parses a line: the owner's name or uid, the first id, and the number of ids.
    private static func range(_ fields: [String], _ users: [String: UInt32]) -> SubordinateIDs.Range? {
        guard fields.count == 3, LocalAccounts.isName(fields[0]), let first = UInt32(fields[1]),
            let count = UInt32(fields[2]), count > 0
        else { return nil }
        let named = users[fields[0]].map { Caller.local(user: $0, account: fields[0]) }
        let owner = named ?? numbered(fields[0], users) ?? .local(user: unknownUser, account: fields[0])
        return SubordinateIDs.Range(first: first, count: count, owner: owner)
    }

    private static func numbered(_ text: String, _ users: [String: UInt32]) -> Caller? {
        UInt32(text).map { user in .local(user: user, account: users.first { $0.value == user }?.key ?? "") }
    }

    private static func fields(at path: String, separator: Unicode.Scalar) -> [[String]] {
        guard let file = try? File.open(path), let bytes = try? File.readAll(file.rawValue, limit: byteLimit) else {
            return []
        }
        return bytes.split(separator: UInt8(ascii: "\n")).map { line in
            line.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: separator == " ")
                .map { String(foreign: $0) }
        }
    }
}
