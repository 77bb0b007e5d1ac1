import CIntentDigest

/// The hash function SHA-256 (FIPS 180-4), implemented by libmd (sha2(3bsd)).
package struct SHA256 {
    package static let byteCount = Int(SHA256_DIGEST_LENGTH)
    private static let blockByteCount = Int(SHA256_BLOCK_LENGTH)

    private var context = SHA2_CTX()

    package init() { SHA256Init(&context) }

    package mutating func add(_ bytes: some Sequence<UInt8>) {
        let array = Array(bytes)
        SHA256Update(&context, array, array.count)
    }

    package mutating func finish() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Self.byteCount) { buffer, count in
            SHA256Final(buffer.baseAddress, &context)
            count = Self.byteCount
        }
    }

    package static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var hash = SHA256()
        hash.add(bytes)
        return hash.finish()
    }

    /// Returns the hash of the bytes in hexadecimal digits.
    package static func hexadecimal(of bytes: some Sequence<UInt8>) -> String { hexadecimal(hash(bytes)) }

    /// Returns a hash in hexadecimal digits.
    package static func hexadecimal(_ hash: [UInt8]) -> String {
        func digit(_ value: UInt8) -> Unicode.Scalar {
            Unicode.Scalar(value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10)
        }
        var text = String.UnicodeScalarView()
        text.reserveCapacity(2 * hash.count)
        for byte in hash {
            text.append(digit(byte >> 4))
            text.append(digit(byte & 15))
        }
        return String(text)
    }

    /// Returns the HMAC-SHA-256 of a message (RFC 2104).
    package static func authenticationCode(of message: some Sequence<UInt8>, key: [UInt8]) -> [UInt8] {
        let short = key.count > blockByteCount ? hash(key) : key
        let block = short + [UInt8](repeating: 0, count: blockByteCount - short.count)
        return hash(block.map { $0 ^ 0x5c } + hash(block.map { $0 ^ 0x36 } + Array(message)))
    }
}
