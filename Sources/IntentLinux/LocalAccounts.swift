import Glibc

/// The accounts of this machine by uid, as /etc/passwd names them.
///
/// No name service is asked: one that does not answer would stop whoever asks. Accounts of a directory have no name here,
/// and their directory says what becomes of their numbers.
package struct LocalAccounts: Sendable {
    /// More than any machine has; a larger file names nobody.
    private static let byteLimit = 16 << 20

    private let path: String
    private var names: [UInt32: String] = [:]
    /// The file as it was read last.
    private var read: File.Status?

    package init(at path: String = "/etc/passwd") {
        self.path = path
    }

    /// The name of the account that has this uid now, the first where several have it; empty where none has.
    package mutating func name(of user: UInt32) -> String {
        // Programs that change accounts put another file in its place (passwd(5)).
        let current = try? File.status(at: path)
        if current == nil || current != read {
            names = Self.names(at: path)
            read = current
        }
        return names[user] ?? ""
    }

    private static func names(at path: String) -> [UInt32: String] {
        guard let file = try? File.open(path), let bytes = try? File.readAll(file.rawValue, limit: byteLimit) else {
            return [:]
        }
        var names: [UInt32: String] = [:]
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let fields = line.split(separator: UInt8(ascii: ":"), maxSplits: 3, omittingEmptySubsequences: false)
            guard fields.count == 4, let user = UInt32(String(decoding: fields[2], as: UTF8.self)) else { continue }
            if names[user] == nil { names[user] = String(decoding: fields[0], as: UTF8.self) }
        }
        return names
    }
}
