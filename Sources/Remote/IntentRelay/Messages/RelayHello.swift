import IntentProtocol

/// The first packet that each end sends on a new link.
package struct RelayHello: Equatable, Sendable, Codable {
    /// The version of the relay protocol that this program uses.
    package static let currentVersion = 1

    package var version = RelayHello.currentVersion
    /// The program's name and version, for display.
    package var software: String
    /// The session to continue or to begin; nil in the first hello message from the user's end.
    package var session: RelaySession?
    /// The number of the session's messages that the sender has processed.
    package var receivedCount: UInt64 = 0

    private enum CodingKeys: String, CodingKey {
        case version, software, session
        case receivedCount = "received"
    }
}

/// The name of a session, and the secret that is required to continue it.
package struct RelaySession: Hashable, Sendable, Codable {
    /// 32 hexadecimal digits, which are part of the name of the relay's socket. /proc/net/unix shows them to all users.
    package let name: String
    /// 128 random bits as 32 hexadecimal digits, which only the two ends have.
    package let secret: String

    /// Creates a session with a random name and secret.
    package init() {
        var generator = SystemRandomNumberGenerator()
        name = Self.digits(of: generator.next(), generator.next())
        secret = Self.digits(of: generator.next(), generator.next())
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        secret = try container.decode(String.self, forKey: .secret)
        for (key, text) in [(CodingKeys.name, name), (.secret, secret)] where !Self.isValid(text) {
            throw container.problem(key, "expected 32 hexadecimal digits")
        }
    }

    private enum CodingKeys: String, CodingKey { case name, secret }

    private static func isValid(_ text: String) -> Bool {
        text.utf8.count == 32 && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }

    private static func digits(of high: UInt64, _ low: UInt64) -> String {
        [high, low].map { bits in
            let digits = String(bits, radix: 16)
            return String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }.joined()
    }
}
