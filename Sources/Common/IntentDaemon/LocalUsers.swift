import Glibc
package import IntentLauncherMessages
package import IntentLinux

/// The users of this machine and the accounts that pay for them, from /etc/passwd and /etc/subuid.
///
/// The files are read here instead of through libsubid and nsswitch.conf(5): a name service that does not respond would
/// block the event loop. Ids from other sources count as users of their own, which ``problems`` reports.
package struct LocalUsers: Sendable {
    /// The maximum size of a file.
    package static let byteLimit = 16 << 20
    /// The maximum number of problems of one kind.
    private static let problemLimit = 20
    /// The uid of the owner of a range, if its name is not in /etc/passwd. The kernel assigns it to no user.
    private static let unknownUser = UInt32.max

    private let path: String
    private let nameServices: String
    private var accounts: LocalAccounts
    /// The ranges in the file when it was last read.
    package private(set) var subordinates = SubordinateIDs()
    /// The status of the file when it was last read.
    private var read: File.Status?
    /// The reason why the file could not be read; nil if it was read, or does not exist.
    private var failure: String?

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
    /// no ranges. If the file cannot be read, the earlier ranges remain, because an account with many ids could otherwise
    /// take many shares.
    package mutating func update() {
        let current = try? File.status(at: path)
        guard current != read else { return }
        read = current
        do throws(ReadError) {
            let fields = current == nil ? [] : try Self.fields(at: path, separator: ":")
            let users = accounts.users()
            let names = Dictionary(users.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
            subordinates = SubordinateIDs(fields.compactMap { Self.range($0, users, names) })
            failure = nil
        } catch {
            failure = error.message
        }
    }

    /// Files that cannot be read, ranges that overlap accounts or other ranges, and sources of ids that are not read.
    package mutating func problems() -> [String] {
        update()
        let unread = failure.map {
            "cannot read \(path) (\($0)): subordinate ids may count as users of their own"
        }
        let accounts = subordinates.containing(accounts.users()).map { range, account in
            "the ids of \(Self.name(range)) in \(path) contain the account '\(account)'"
        }
        let overlaps = subordinates.overlaps().map { later, earlier in
            "the ids of \(Self.name(later)) in \(path) overlap the ids of \(Self.name(earlier)), which pays for them"
        }
        // A name service switch that cannot be read names no source.
        let lines = (try? Self.fields(at: nameServices, separator: " ")) ?? []
        let sources = lines.first { $0.first == "subid:" }?.dropFirst() ?? []
        let unreadSources = sources.filter { $0 != "files" && !$0.isEmpty }.map { source in
            "subordinate ids from '\(source)' in \(nameServices) count as users of their own"
        }
        return [unread].compactMap(\.self) + [accounts, overlaps, unreadSources].flatMap(Self.abbreviated)
    }

    private static func abbreviated(_ problems: [String]) -> [String] {
        guard problems.count > problemLimit else { return problems }
        return problems.prefix(problemLimit) + ["\(problems.count - problemLimit) more problems with subordinate ids"]
    }

    private static func name(_ range: SubordinateIDs.Range) -> String {
        range.owner.account.isEmpty ? "uid \(range.owner.uid)" : "'\(range.owner.account)'"
    }

    /// Parses a line: the owner's name or uid, the first id, and the number of ids.
    private static func range(
        _ fields: [String],
        _ users: [String: UInt32],
        _ names: [UInt32: String]
    ) -> SubordinateIDs.Range? {
        guard fields.count == 3, LocalAccounts.isName(fields[0]), let first = UInt32(fields[1]),
            let count = UInt32(fields[2]), count > 0
        else { return nil }
        let named = users[fields[0]].map { Caller.local(user: $0, account: fields[0]) }
        let owner = named ?? numbered(fields[0], names) ?? .local(user: unknownUser, account: fields[0])
        return SubordinateIDs.Range(first: first, count: count, owner: owner)
    }

    private static func numbered(_ text: String, _ names: [UInt32: String]) -> Caller? {
        UInt32(text).map { user in .local(user: user, account: names[user] ?? "") }
    }

    private struct ReadError: Error {
        var message: String
    }

    private static func fields(at path: String, separator: Unicode.Scalar) throws(ReadError) -> [[String]] {
        let bytes: [UInt8]
        do throws(SystemError) {
            let file = try File.open(path)
            guard let all = try File.readAll(file.rawValue, limit: byteLimit) else {
                throw SystemError("read", on: path, code: Errno(rawValue: EFBIG))
            }
            bytes = all
        } catch {
            throw ReadError(message: error.code.rawValue == EFBIG ? "more than \(byteLimit >> 20) MiB" : "\(error)")
        }
        return bytes.split(separator: UInt8(ascii: "\n")).map { line in
            line.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: separator == " ")
                .map { String(foreign: $0) }
        }
    }
}
