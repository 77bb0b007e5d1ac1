/// Texts in which a delimiter is hard to see for code that handles text as characters (grapheme clusters), and what a
/// quoted text looks like to a program that reads bytes.
package enum HostileText {
    /// Returns texts in which the delimiter stands before a combining mark, beside line breaks, and within a flag.
    package static func around(_ delimiter: String) -> [String] {
        let flag = "\u{1F1E9}\u{1F1EA}"
        return [
            "a\(delimiter)\u{301};id;\(delimiter)\u{323}b", "\(delimiter)\u{20DD}", "a\(delimiter)\r\n\(delimiter)b",
            "\r\n\(delimiter)", "a\(delimiter)\u{2028}\(delimiter)\u{85}b", "\u{1F1E9}\(delimiter)\u{1F1EA}",
            "\(flag)\u{1F1E9}\(delimiter)", "\u{600}\(delimiter)\u{200D}\(delimiter)\u{FE0F}",
        ]
    }

    /// All of them, for the delimiters of every syntax in the package.
    package static let all = ["'", "\"", "\\", "`", "$", "%", "\t", "\n", "]", ":"].flatMap(around)

    /// Returns whether bytes are one quoted literal on one line: the first unescaped quotation mark after the first byte
    /// is the last byte.
    package static func isOneLiteral(_ text: String, quotedBy quote: Unicode.Scalar = "\"") -> Bool {
        var bytes = text.utf8[...]
        guard bytes.popFirst() == UInt8(ascii: quote) else { return false }
        while let byte = bytes.popFirst() {
            switch byte {
            case UInt8(ascii: quote): return bytes.isEmpty
            case UInt8(ascii: "\\"): if bytes.popFirst() == nil { return false }
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return false
            default: break
            }
        }
        return false
    }
}
