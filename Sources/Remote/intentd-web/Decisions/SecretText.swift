/// A secret of 128 random bits, as hexadecimal digits.
package struct SecretText: Sendable {
    package let text: String

    /// Creates a random secret.
    package init() {
        text = (0..<2).map { _ in
            let digits = String(UInt64.random(in: .min ... .max), radix: 16)
            return String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }.joined()
    }

    /// Compares in constant time. Otherwise, a client could guess the secret one character at a time.
    package func matches(_ other: some StringProtocol) -> Bool { Self.matches(text, other) }

    package static func matches(_ own: String, _ other: some StringProtocol) -> Bool {
        let (own, other) = (Array(own.utf8), Array(other.utf8))
        guard own.count == other.count else { return false }
        return zip(own, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
