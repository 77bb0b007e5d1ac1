/// A secret of 128 random bits, as hexadecimal digits.
package struct SecretText: Sendable {
    package let text: String

    /// Creates a random secret.
    package init() {
        var generator = SystemRandomNumberGenerator()
        let words = [UInt64](unsafeUninitializedCapacity: 2) { room, count in
            for _ in 0..<2 {
                room[count] = generator.next()
                count += 1
            }
        }
        text = words.map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// Compares in constant time. Otherwise, a client could guess the secret one character at a time.
    package func matches(_ other: some StringProtocol) -> Bool {
        let (own, other) = (Array(text.utf8), Array(other.utf8))
        guard own.count == other.count else { return false }
        return zip(own, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
