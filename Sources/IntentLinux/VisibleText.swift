/// Text of apps, files and clients with nothing in it that steers, reorders or hides what stands around it.
///
/// Goes by Unicode's own properties and no list, so that a character of a later Unicode that the standard library knows
/// is in it too.
package enum VisibleText {
    /// The text, each control and invisible character as a sign that stands for it.
    ///
    /// - Parameter keep: What becomes of a character that would be replaced, such as a line feed; nil: it is replaced.
    package static func of(_ text: String, keep: (Unicode.Scalar) -> Unicode.Scalar?) -> String {
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        var result = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            defer { previous = scalar }
            guard isUnseen(scalar) else {
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

    /// True for what shows nothing of its own: controls, formats, line and paragraph separators, and all that Unicode
    /// lets a display leave out.
    package static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// As cat -v shows controls, `^[` for escape, and as less(1) shows the others, `<U+202E>`.
    private static func sign(for scalar: Unicode.Scalar) -> String {
        if scalar.value < 0x20 || scalar.value == 0x7F {
            return "^" + String(Unicode.Scalar(UInt8(scalar.value) ^ 0x40))
        }
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "<U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + ">"
    }

    /// A selector of the coloured form or a joiner, inside of an emoji: there it is seen.
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
