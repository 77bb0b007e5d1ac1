import IntentLinux

/// What ``VisibleText`` is to programs that have this library alone.
package enum TerminalText {
    /// The text, each control and invisible character as a sign that stands for it, except what `keep` returns.
    package static func visible(_ text: String, keep: (Unicode.Scalar) -> Unicode.Scalar?) -> String {
        VisibleText.of(text, keep: keep)
    }

    /// True for a character that shows nothing of its own.
    package static func isUnseen(_ scalar: Unicode.Scalar) -> Bool { VisibleText.isUnseen(scalar) }
}
