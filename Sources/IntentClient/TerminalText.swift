import IntentLinux

/// ``VisibleText`` for programs that import only this library.
package enum TerminalText {
    /// The text, with a visible sign in place of each control and invisible character, except what `keep` returns.
    package static func visible(_ text: String, keep: (Unicode.Scalar) -> Unicode.Scalar?) -> String {
        VisibleText.of(text, keep: keep)
    }

    /// True for a character that shows nothing by itself.
    package static func isUnseen(_ scalar: Unicode.Scalar) -> Bool { VisibleText.isUnseen(scalar) }
}
