import IntentClient

/// Text of apps, made harmless for terminals: nothing in it steers them, and nothing hides.
package enum SafeText {
    /// As one line: line ends and tabulators become spaces.
    package static func line(_ text: String) -> String {
        TerminalText.visible(text) { scalar in
            switch scalar {
            case "\n", "\r", "\t", "\u{2028}", "\u{2029}": " "
            default: nil
            }
        }
    }

    /// As it was printed: line ends and tabulators stay, a lone carriage return ends a line.
    package static func printed(_ text: String) -> String {
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        return TerminalText.visible(lines.joined(separator: "\n")) { scalar in
            switch scalar {
            case "\n", "\t": scalar
            case "\r", "\u{2028}", "\u{2029}": "\n"
            default: nil
            }
        }
    }
}
