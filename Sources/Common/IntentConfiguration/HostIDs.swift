import IntentLauncherMessages

/// A contiguous range of user and group ids on the host that is reserved for sandboxes, written as `FIRST:COUNT`.
package struct HostIDs: Equatable, Sendable {
    package let first: UInt32
    package let count: UInt32

    static let form = "FIRST:COUNT with an even COUNT of at least 2, and ids from 1 to 2147483646"

    /// The default range for the service. No distribution, account service or part of systemd assigns these ids
    /// (UIDS-GIDS of systemd, useradd(8), subuid(5), sssd.conf(5)).
    package static let forService = HostIDs(first: 0x7C00_0000, count: 0x1_0000)
    /// The default range for a daemon that root starts without systemd. This range follows the service's range.
    package static let forRoot = HostIDs(first: 0x7C01_0000, count: 0x1_0000)

    private init(first: UInt32, count: UInt32) {
        self.first = first
        self.count = count
    }

    /// Parses `FIRST:COUNT`. Returns nil if the string is invalid.
    package init?(_ text: String) {
        let parts = text.split(scalar: ":", omittingEmptySubsequences: false).map { UInt32($0) }
        guard parts.count == 2, let first = parts[0], let count = parts[1], first > 0, count >= 2, count % 2 == 0,
            first <= UInt32(Int32.max) - count
        else { return nil }
        self.init(first: first, count: count)
    }

    package var text: String { "\(first):\(count)" }

    /// Returns the range for sandboxes: the value of `IdRange=`, or `standard` if the key is not set.
    ///
    /// - Parameter text: Reads a file; returns nil if the file is missing.
    /// - Throws: ``IDRangeError`` if ids in the range are assigned to an account.
    package static func forSandboxes(
        _ settings: DaemonSettings,
        standard: HostIDs,
        text: (String) -> String?
    ) throws(IDRangeError) -> HostIDs {
        let range = settings.idRange ?? standard
        if let owner = range.owner(text: text) { throw IDRangeError(range: range, owner: owner) }
        return range
    }

    /// Returns an account to which ids in the range are assigned, and the file that defines the account. Returns nil if
    /// all ids are free.
    ///
    /// - Parameter text: Reads a file; returns nil if the file is missing.
    package func owner(text: (String) -> String?) -> String? {
        for path in ["/etc/subuid", "/etc/subgid"] {
            for fields in Self.lines(text(path)) where fields.count >= 3 {
                guard let first = UInt64(fields[1]), let count = UInt64(fields[2]) else { continue }
                if overlaps(first, count) { return "'\(fields[0])' in \(path)" }
            }
        }
        for path in ["/etc/passwd", "/etc/group"] {
            for fields in Self.lines(text(path)) where fields.count >= 3 {
                if let number = UInt64(fields[2]), overlaps(number, 1) { return "'\(fields[0])' in \(path)" }
            }
        }
        return nil
    }

    private func overlaps(_ otherFirst: UInt64, _ otherCount: UInt64) -> Bool {
        let end = UInt64(first) + UInt64(count)
        let (otherEnd, overflows) = otherFirst.addingReportingOverflow(otherCount)
        return otherFirst < end && (overflows || UInt64(first) < otherEnd)
    }

    private static func lines(_ text: String?) -> [[Substring]] {
        (text ?? "").lines().map { $0.split(scalar: ":", omittingEmptySubsequences: false) }
    }
}

/// The error for a range of sandbox ids that overlaps the ids of an account.
package struct IDRangeError: Error, CustomStringConvertible {
    package let range: HostIDs
    /// The account, and the file that defines it.
    package let owner: String

    package var description: String {
        """
        cannot use the ids \(range.text) for sandboxes, because some of them are assigned to \(owner). Set IdRange= in \
        intentd.conf to another range.
        """
    }
}
