/// Text of apps, files and clients as it may stand in the journal: journalctl(1) shows an entry with control characters
/// as a blob, and `-o cat` would hand them to the terminal.
package enum JournalText {
    /// The text with control characters as `cat -v` shows them: `^[` for escape. Line feeds and tabulators stay.
    package static func clean(_ text: String) -> String {
        if text.utf8.allSatisfy({ ($0 >= 0x20 && $0 < 0x7F) || $0 == 0x0A || $0 == 0x09 }) { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x09, 0x0A: result.append(scalar)
            case 0..<0x20:
                result.append("^")
                result.append(Unicode.Scalar(UInt8(scalar.value) + 0x40))
            // C1, and what reorders or hides the text around it.
            case 0x7F...0x9F, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xE0000...0xE007F:
                result.append("\u{FFFD}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
