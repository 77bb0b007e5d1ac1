/// Text of apps, made harmless for terminals: no control character passes, so no escape code can.
package enum SafeText {
    /// As one line: line ends and tabulators become spaces.
    package static func line(_ text: String) -> String {
        clean(text) { scalar in
            switch scalar {
            case "\n", "\r", "\t", "\u{2028}", "\u{2029}": " "
            default: nil
            }
        }
    }

    /// As it was printed: line ends and tabulators stay, a lone carriage return ends a line.
    package static func printed(_ text: String) -> String {
        clean(text.split(separator: "\r\n", omittingEmptySubsequences: false).joined(separator: "\n")) { scalar in
            switch scalar {
            case "\n", "\t": scalar
            case "\r", "\u{2028}", "\u{2029}": "\n"
            default: nil
            }
        }
    }

    private static func clean(_ text: String, _ keep: (Unicode.Scalar) -> Unicode.Scalar?) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if let kept = keep(scalar) {
                result.append(kept)
            } else if scalar.value < 0x20 {
                // As terminals and cat -v show them: ^[ for escape.
                result.append("^")
                result.append(Unicode.Scalar(UInt8(scalar.value) + 0x40))
            } else {
                result.append(isHarmful(scalar) ? "\u{FFFD}" : scalar)
            }
        }
        return String(result)
    }

    /// Controls of C1, and characters that reorder or hide the text around them.
    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x7F...0x9F, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xE0000...0xE007F: true
        default: false
        }
    }
}
