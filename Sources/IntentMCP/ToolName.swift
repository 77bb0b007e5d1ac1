import IntentProtocol

/// Creates tool names from the characters `[A-Za-z0-9_-]`. A name has at most 40 characters, because models accept at
/// most 64 and clients add a prefix.
enum ToolName {
    static let lengthLimit = 40

    /// Returns a name that consists of the given words, which may contain any characters. If the name had to be
    /// shortened or changed, or if `isUnique` is false, it ends with a hash of the words, so that it is stable and
    /// differs from names for similar words.
    static func of(_ words: [String], isUnique: Bool = true) -> String {
        let plain = words.joined(separator: "_")
        let clean = String(String.UnicodeScalarView(plain.unicodeScalars.map { isAllowed($0) ? $0 : "_" }))
        if clean == plain, clean.utf8.count <= lengthLimit, isUnique { return clean }
        return "\(clean.prefix(scalars: lengthLimit - 7))_\(hash(plain))"
    }

    /// Returns an intent's name without the suffix `Intent`, which has no meaning for a model.
    static func short(_ intent: String) -> String {
        intent.hasSuffix(utf8: "Intent") && intent != "Intent" ? String(intent.dropLast(scalars: 6)) : intent
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
        default: false
        }
    }

    /// Returns six base 32 characters from the 64-bit FNV-1a hash of the string.
    private static func hash(_ text: String) -> String {
        let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".unicodeScalars)
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(String.UnicodeScalarView((0..<6).map { digits[Int(hash >> (5 * UInt64($0)) & 31)] }))
    }
}
