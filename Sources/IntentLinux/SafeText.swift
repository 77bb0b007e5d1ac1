/// Escapes untrusted text for the terminal and the journal. The result contains no characters that control the
/// terminal, or that reorder or hide other text.
///
/// Characters are classified by their Unicode properties, not by a list, so that a newer standard library also covers
/// newer versions of Unicode.
package enum SafeText {
    /// Escapes a string for display on one line. Line ends and tabs become spaces.
    package static func line(_ text: String) -> String {
        escape(text) { scalar in
            switch scalar {
            case "\n", "\r", "\t", "\u{2028}", "\u{2029}": " "
            default: nil
            }
        }
    }

    /// Escapes an app's output. Line ends and tabs are preserved, and a single carriage return becomes a line end.
    package static func printed(_ text: String) -> String {
        escape(text.replacing(utf8: "\r\n", with: "\n")) { scalar in
            switch scalar {
            case "\n", "\t": scalar
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
            case "\n", "\t": scalar
            default: nil
            }
        }
    }

    /// Returns true for a character without a visible form: control and format characters, line and paragraph
    /// separators, and all characters that a display may ignore according to Unicode.
    package static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    // MARK: Private

    /// Replaces each invisible character with a visible notation, or with the result of `keep` if the result is not
    /// nil.
    private static func escape(_ text: String, keep: (Unicode.Scalar) -> Unicode.Scalar?) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        var result = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            defer { previous = scalar }
            guard isInvisible(scalar) else {
                result.append(scalar)
                continue
            }
            let next = index + 1 < scalars.count ? scalars[index + 1] : nil
            if let kept = keep(scalar) {
                result.append(kept)
            } else if isOfEmoji(scalar, after: previous, before: next) {
                result.append(scalar)
            } else {
                result.append(contentsOf: sign(for: scalar).unicodeScalars)
            }
        }
        return String(result)
    }

    /// Returns the visible notation for a character: the notation of `cat -v` for ASCII control characters (`^[` for
    /// escape), and the notation of less(1) for other characters (`<U+202E>`).
    private static func sign(for scalar: Unicode.Scalar) -> String {
        if scalar.value < 0x20 || scalar.value == 0x7F {
            return "^" + String(Unicode.Scalar(UInt8(scalar.value) ^ 0x40))
        }
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "<U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits + ">"
    }

    /// Returns true for a variation selector or a joiner in an emoji. In an emoji, these characters have a visible
    /// effect.
    private static func isOfEmoji(
        _ scalar: Unicode.Scalar,
        after previous: Unicode.Scalar?,
        before next: Unicode.Scalar?
    ) -> Bool {
        guard let previous, previous.value > 0x7F else { return false }
        let follows = previous.properties.isEmoji
        switch scalar.value {
        case 0xFE0F: return follows
        case 0x200D:
            let joins = follows || previous.value == 0xFE0F || previous.properties.isEmojiModifier
            return joins && next.map { $0.value > 0x7F && $0.properties.isEmoji } == true
        default: return false
        }
    }
}
