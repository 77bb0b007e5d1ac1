/// Computes the number of terminal columns that a string occupies.
package enum DisplayWidth {
    package static func of(_ text: String) -> Int {
        var meter = Meter()
        return text.unicodeScalars.reduce(0) { $0 + meter.width(of: $1) }
    }

    /// Truncates a string to a number of columns. A truncated string ends with an ellipsis.
    package static func fit(_ text: String, in columns: Int) -> String {
        guard of(text) > columns else { return text }
        guard columns > 0 else { return "" }
        var meter = Meter()
        var width = 0
        let fitting = text.unicodeScalars.prefix { scalar in
            width += meter.width(of: scalar)
            return width <= columns - 1
        }
        return String(fitting) + "…"
    }

    /// Computes the widths of the scalars of a text. Pass it the scalars in order.
    struct Meter {
        private var previous: Unicode.Scalar = " "

        /// Returns the number of columns that a scalar adds.
        mutating func width(of scalar: Unicode.Scalar) -> Int {
            defer { previous = scalar }
            // An emoji after a zero-width joiner, and a skin tone after an emoji, change the previous picture.
            if previous == "\u{200D}", scalar.properties.isEmoji, !scalar.isASCII { return 0 }
            if scalar.properties.isEmojiModifier, previous.properties.isEmojiModifierBase { return 0 }
            return DisplayWidth.of(scalar)
        }
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        if (" "..."~").contains(scalar) { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        switch scalar.value {
        // The vowels and final consonants of Korean syllables, which share the columns of the first consonant.
        case 0x1160...0x11FF: return 0
        // The wide and fullwidth blocks of East Asian scripts, and the blocks with emoji.
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF,
            0x20000...0x3FFFD:
            return 2
        default:
            return 1
        }
    }
}
