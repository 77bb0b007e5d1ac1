import IntentClient

/// Makes an app's text safe for terminals: nothing in it controls them, and nothing is invisible.
package enum SafeText {
    /// The text as one line. Line ends and tabulators become spaces.
    package static func line(_ text: String) -> String {
        TerminalText.visible(text) { scalar in
            switch scalar {
            case "\n", "\r", "\t", "\u{2028}", "\u{2029}": " "
            default: nil
            }
        }
    }

    /// The text as it was printed. Line ends and tabulators stay; a single carriage return ends a line.
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
