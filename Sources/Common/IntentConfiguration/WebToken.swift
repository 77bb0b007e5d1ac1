package import IntentLauncherMessages

/// A token of the HTTP API, as a file stores it: `/etc/intentd/tokens/NAME.token`. The file has a hash of the secret, which
/// has 256 random bits, so that who reads the file cannot use the token.
package struct WebToken: Hashable, Sendable, Codable {
    /// The account that the token stands for.
    package var user: String
    /// The SHA-256 of the secret, in hexadecimal digits.
    package var hash: String
    /// The intents that the token permits, as `APP/INTENT`, `APP/*` or `*`.
    package var allow: [String]
    package var created: Timestamp
    /// The time at which the token expires; nil for never.
    package var expires: Timestamp?

    package init(user: String, hash: String, allow: [String], created: Timestamp, expires: Timestamp?) {
        self.user = user
        self.hash = hash
        self.allow = allow
        self.created = created
        self.expires = expires
    }

    package static let folder = "/etc/intentd/tokens"
    package static let suffix = ".token"
    private static let prefix = "intentd_"
    /// The number of hexadecimal digits of a secret.
    private static let secretLength = 64

    /// The text that a client sends.
    package static func text(name: String, secret: String) -> String { "\(prefix)\(name)_\(secret)" }

    /// Returns the name and the secret in a text; nil for a text of another form. The name is safe as the name of a file.
    package static func parts(of text: String) -> (name: String, secret: String)? {
        guard text.hasPrefix(utf8: prefix) else { return nil }
        let parts = text.dropFirst(scalars: prefix.scalarCount).split(scalar: "_", omittingEmptySubsequences: false)
        guard parts.count == 2, isName(String(parts[0])), parts[1].utf8.count == secretLength else { return nil }
        return (String(parts[0]), String(parts[1]))
    }

    /// Returns true for 1 to 40 lower-case letters, digits and hyphens.
    package static func isName(_ text: String) -> Bool {
        (1...40).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
            }
    }

    /// Returns true for `*`, `APP/*` and `APP/INTENT`.
    package static func isPattern(_ text: String) -> Bool {
        if text == "*" { return true }
        let parts = text.split(scalar: "/", omittingEmptySubsequences: false)
        return parts.count == 2 && AppName(parts[0]) != nil && (1...200).contains(parts[1].utf8.count)
    }

    /// Returns true if one of the patterns permits an intent. A name may omit the suffix `Intent`.
    package static func allows(_ patterns: [String], app: String, intent: String?) -> Bool {
        patterns.contains { pattern in
            if pattern == "*" { return true }
            let parts = pattern.split(scalar: "/", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, parts[0] == app else { return false }
            guard let intent, parts[1] != "*" else { return true }
            return parts[1] == intent || parts[1] == intent + "Intent" || parts[1] + "Intent" == intent
        }
    }
}
