import IntentProtocol

/// Base 64 (RFC 4648).
package enum Base64 {
    /// Decodes text with padding.
    static func decode(_ text: Substring) -> [UInt8]? {
        let digits = text.utf8.filter { $0 != UInt8(ascii: "=") }
        guard text.utf8.count % 4 == 0, text.utf8.count - digits.count <= 2 else { return nil }
        var (bytes, group, bits): ([UInt8], UInt32, Int) = ([], 0, 0)
        for digit in digits {
            guard let value = value(of: digit) else { return nil }
            group = group << 6 | value
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(bits)))
            }
        }
        return bytes
    }

    /// Decodes text in the alphabet for addresses, without padding (RFC 7515).
    package static func decodeURL(_ text: Substring) -> [UInt8]? {
        guard text.utf8.allSatisfy({ $0.isASCIILetterOrDigit || "-_".utf8.contains($0) }) else { return nil }
        let digits = text.utf8.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "+") : $0 == UInt8(ascii: "_") ? 0x2f : $0 }
        let padding = String(repeating: "=", count: (4 - digits.count % 4) % 4)
        return decode(Substring(String(foreign: digits) + padding))
    }

    private static func value(of digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
