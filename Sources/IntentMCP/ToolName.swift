/// Creates tool names from `[A-Za-z0-9_-]`. A name has at most 40 characters, because clients add their own prefix and
/// models accept 64 characters.
enum ToolName {
    static let lengthLimit = 40

    /// Returns the name for words, which may contain any characters. If the name had to be shortened or changed, it
    /// ends with a hash of the words. It is therefore stable, and differs from the names of similar words.
    static func of(_ words: [String], isUnique: Bool = true) -> String {
        let plain = words.joined(separator: "_")
        let clean = String(plain.unicodeScalars.map { isAllowed($0) ? Character($0) : "_" })
        if clean == plain, clean.utf8.count <= lengthLimit, isUnique { return clean }
        return clean.prefix(lengthLimit - 7) + "_" + hash(plain)
    }

    /// Returns an intent's name without the suffix `Intent`, which means nothing to a model.
    static func short(_ intent: String) -> String {
        intent.hasSuffix("Intent") && intent != "Intent" ? String(intent.dropLast("Intent".count)) : intent
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
        default: false
        }
    }

    /// Returns six characters of base 32 from the 64-bit FNV-1a hash.
    private static func hash(_ text: String) -> String {
        let digits = Array("0123456789abcdefghjkmnpqrstvwxyz")
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String((0..<6).map { digits[Int(hash >> (5 * UInt64($0)) & 31)] })
    }
}
