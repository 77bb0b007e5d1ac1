import IntentSharedTypes

/// Creates tool names from the characters `[A-Za-z0-9_-]`. A name has at most 40 characters, because models accept at
/// most 64 and clients add a prefix.
package enum ToolName {
    package static let lengthLimit = 40

    /// Returns a name that consists of the given words, which may contain any characters. If the name had to be
    /// shortened or changed, it ends with a hash of the words, so that it is stable and differs from names for similar
    /// words.
    package static func of(_ words: [String]) -> String {
        let plain = words.joined(separator: "_")
        let clean = clean(plain)
        if clean == plain, clean.utf8.count <= lengthLimit { return clean }
        return "\(clean.prefix(scalars: lengthLimit - 7))_\(hash(plain))"
    }

    /// Returns a name for a tool with words that also name another tool. The name ends with a hash of the tool's
    /// identity.
    ///
    /// - Parameter attempt: A number, which changes the hash if an earlier name was not unique either.
    package static func of(_ words: [String], identity: [String], attempt: Int) -> String {
        let whole = identity.map { "\($0.utf8.count):\($0)" }.joined() + (attempt == 0 ? "" : "#\(attempt)")
        return "\(clean(words.joined(separator: "_")).prefix(scalars: lengthLimit - 7))_\(hash(whole))"
    }

    private static func clean(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { isAllowed($0) ? $0 : "_" }))
    }

    /// Returns an intent's name without the suffix `Intent`, which has no meaning for a model.
    package static func short(_ intent: String) -> String {
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
