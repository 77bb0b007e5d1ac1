import Glibc

/// The accounts of this machine by uid, as /etc/passwd names them.
///
/// Name services are not queried, because one that does not respond would block the caller. So accounts of LDAP,
/// systemd-homed or DynamicUser= have no name here.
package struct LocalAccounts: Sendable {
    /// The largest file that is read. Accounts in a larger file have no names.
    private static let byteLimit = 16 << 20
    /// The longest name. It leaves room for a uid before the name in a file name (NAME_MAX is 255).
    private static let nameByteLimit = 200

    private let path: String
    private var names: [UInt32: String] = [:]
    /// The file as last read.
    private var read: File.Status?

    package init(at path: String = "/etc/passwd") {
        self.path = path
    }

    /// The name of the first account that has this uid now; empty if no account has it.
    package mutating func name(of user: UInt32) -> String {
        // Programs that change accounts replace the file (passwd(5)).
        let current = try? File.status(at: path)
        if current == nil || current != read {
            names = Self.names(at: path)
            read = current
        }
        return names[user] ?? ""
    }

    /// True for a name that can be part of a file's name and of a line of text. A line of /etc/passwd with any other
    /// name is skipped: its uid has no name.
    package static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= nameByteLimit && name.unicodeScalars.allSatisfy(isAllowed)
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        // Almost all names are ASCII, which needs no table.
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
                .map { String(decoding: $0, as: UTF8.self) }
            // A line that begins with '#' is a comment to getpwnam(3), and one with '+' or '-' refers to NIS
            // (nsswitch.conf(5)).
            guard fields.count == 4, let user = UInt32(fields[2]), isName(fields[0]),
                let first = fields[0].utf8.first, !"#+-".utf8.contains(first)
            else { continue }
            if names[user] == nil { names[user] = fields[0] }
        }
        return names
    }
}
