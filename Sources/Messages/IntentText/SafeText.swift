/// Escapes text of other parties for a person or a model who reads it. The result contains no character that controls the
/// terminal, or that reorders or hides other text: ``ShownScalars`` decides. An escaped character has the form `\u{202E}`
/// everywhere, or `\n`, `\r` or `\t`.
package enum SafeText {
    /// Escapes a string for display on one line. Line ends and tabs are escaped too, so that several lines never look like
    /// one.
    package static func line(_ text: String) -> String { escape(text) { _ in nil } }

    /// Quotes a string of another party for display on one line, so that its end is visible and it cannot imitate the text
    /// around it.
    package static func quoted(_ text: String) -> String {
        let slashes = text.utf8.contains(UInt8(ascii: "\\")) ? text.replacing(utf8: "\\", with: "\\\\") : text
        let quotes = slashes.utf8.contains(UInt8(ascii: "\"")) ? slashes.replacing(utf8: "\"", with: "\\\"") : slashes
        return "\"\(line(quotes))\""
    }

    /// Escapes an app's output. Line ends and tabs are preserved, and a single carriage return becomes a line end.
    package static func printed(_ text: String) -> String {
        escape(text.replacing(utf8: "\r\n", with: "\n")) { scalar in
            switch scalar {
            case "\n", "\t": String(scalar)
            case "\r", "\u{2028}", "\u{2029}": "\n"
            default: nil
            }
        }
    }

    /// Escapes a journal entry. Line feeds and tabs are preserved. Without escaping, journalctl(1) shows an entry that
    /// contains control characters as a blob, and `journalctl -o cat` sends them to the terminal.
    package static func journal(_ text: String) -> String {
        escape(text) { scalar in
            switch scalar {
            case "\n", "\t": String(scalar)
            default: nil
            }
        }
    }

    /// Escapes a string in a message for a program that passes it to a model. JSON has its own form of line ends and tabs,
    /// so they are preserved.
    package static func data(_ text: String) -> String {
        escape(text) { scalar in
            switch scalar {
            case "\n", "\r", "\t": String(scalar)
            default: nil
            }
        }
    }

    /// Returns true for text of which ``data(_:)`` escapes nothing because it is ASCII. Other text can have nothing to escape
    /// either.
    package static func isPlainData(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
    }

    /// Escapes JSON for a terminal, in the form of JSON (`\u202e`), so that its strings keep their values. Between the
    /// tokens, JSON contains no character that is escaped except line feeds.
    package static func json(_ text: String) -> String {
        escape(text) { scalar in
            guard scalar != "\n" else { return "\n" }
            return String(scalar).utf16.map { "\\u" + hexadecimal(UInt32($0), digits: 4).lowercased() }.joined()
        }
    }

    /// Returns true for a character that is not visible everywhere: it is escaped, or it is visible only after certain
    /// other characters.
    package static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch ScalarKind.of(scalar) {
        case .hidden, .nonJoiner, .joiner, .emojiSelector, .ideographSelector, .mongolianSelector: true
        case .emoji, .keycapBase, .keycap, .ideograph, .mongolian, .dualJoining, .rightJoining, .cursiveMark, .virama,
            nil:
            false
        }
    }

    // MARK: Notation

    /// Replaces each character that is not shown with the result of `replace`, or if it is nil, with the visible notation.
    private static func escape(_ text: String, replace: (Unicode.Scalar) -> String?) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        var result = ""
        var shown = ShownScalars()
        let scalars = text.unicodeScalars
        // The first scalar that is shown and not yet in the result, and the current one.
        var (start, index) = (scalars.startIndex, scalars.startIndex)
        while index < scalars.endIndex {
            let scalar = scalars[index]
            let next = scalars.index(after: index)
            if !shown.shows(scalar, before: next < scalars.endIndex ? scalars[next] : nil) {
                result.unicodeScalars.append(contentsOf: scalars[start..<index])
                result += replace(scalar) ?? notation(for: scalar)
                start = next
            }
            index = next
        }
        if start == scalars.startIndex { return text }
        result.unicodeScalars.append(contentsOf: scalars[start...])
        return result
    }

    private static func notation(for scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default: "\\u{\(hexadecimal(scalar.value, digits: 2))}"
        }
    }

    private static func hexadecimal(_ value: UInt32, digits: Int) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}
