import Glibc

/// Looks up the names of accounts in /etc/passwd.
///
/// Name services are not queried, because an unresponsive service would block the caller. Accounts from LDAP,
/// systemd-homed or DynamicUser= are therefore not found.
package struct LocalAccounts: Sendable {
    /// The maximum size of the file. Accounts in a larger file are not found.
    private static let byteLimit = 16 << 20
    /// The maximum length of a name in bytes. It leaves room for a uid before the name in a file name (NAME_MAX is
    /// 255).
    private static let nameByteLimit = 200

    private let path: String
    private var names: [UInt32: String] = [:]
    /// The status of the file when it was last read.
    private var read: File.Status?

    package init(at path: String = "/etc/passwd") {
        self.path = path
    }

    /// Returns the name of the first account with this uid, or an empty string if no account has the uid.
    package mutating func name(of user: UInt32) -> String {
        update()
        return names[user] ?? ""
    }

    /// Returns true if an account has the name.
    package mutating func hasAccount(named name: String) -> Bool {
        update()
        return names.values.contains(name)
    }

    /// Returns the uids of all accounts, by name.
    package mutating func users() -> [String: UInt32] {
        update()
        return Dictionary(names.map { ($0.value, $0.key) }, uniquingKeysWith: min)
    }

    private mutating func update() {
        // Read the file again if its status has changed. Programs that change accounts replace the file (passwd(5)).
        let current = try? File.status(at: path)
        if current == nil || current != read {
            names = Self.names(at: path)
            read = current
        }
    }

    /// Returns true for a name that can be part of a file name and of a line of text. Accounts with other names are
    /// ignored.
    package static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= nameByteLimit && name.unicodeScalars.allSatisfy(isAllowed)
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        // Check ASCII first, because almost all names are ASCII and the check is faster.
        if scalar.isASCII { return (0x20..<0x7F).contains(scalar.value) && scalar != "/" }
        return switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        default: scalar != "\u{FFFD}"
        }
    }

    private static func names(at path: String) -> [UInt32: String] {
        guard let file = try? File.open(path), let bytes = try? File.readAll(file.rawValue, limit: byteLimit) else {
            return [:]
        }
        var names: [UInt32: String] = [:]
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let fields = line.split(separator: UInt8(ascii: ":"), maxSplits: 3, omittingEmptySubsequences: false)
                .map { String(foreign: $0) }
            // Skip comments, which start with '#', and entries for NIS, which start with '+' or '-' (nsswitch.conf(5)).
            guard fields.count == 4, let user = UInt32(fields[2]), isName(fields[0]),
                let first = fields[0].utf8.first, !"#+-".utf8.contains(first)
            else { continue }
            if names[user] == nil { names[user] = fields[0] }
        }
        return names
    }
}

/// The groups of accounts. Name services are asked at most once in a second for each account, unless /etc/passwd or /etc/group
/// has changed: the steps of a shortcut follow each other within a millisecond.
package struct GroupMemberships: Sendable {
    private struct Known: Sendable {
        var groups: Set<UInt32>
        var nanoseconds: Int64
        var statuses: [File.Status?]
    }

    private static let validNanoseconds: Int64 = 1_000_000_000

    private let files: [String]
    private let lookUp: @Sendable (String) -> Set<UInt32>
    private var known: [String: Known] = [:]

    package init(
        files: [String] = ["/etc/passwd", "/etc/group"],
        lookUp: @escaping @Sendable (String) -> Set<UInt32> = Accounts.groups
    ) {
        self.files = files
        self.lookUp = lookUp
    }

    /// Returns the groups of an account. Returns an empty set if the account does not exist.
    ///
    /// - Parameter instant: The present time of CLOCK_MONOTONIC in nanoseconds.
    package mutating func groups(of account: String, at instant: Int64) -> Set<UInt32> {
        let statuses = files.map { try? File.status(at: $0) }
        if let known = known[account], known.statuses == statuses, instant - known.nanoseconds < Self.validNanoseconds {
            return known.groups
        }
        known = known.filter { instant - $0.value.nanoseconds < Self.validNanoseconds }
        let groups = lookUp(account)
        // A failure is not kept.
        if groups.isEmpty { return groups }
        known[account] = Known(groups: groups, nanoseconds: instant, statuses: statuses)
        return groups
    }
}
