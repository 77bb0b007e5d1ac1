import IntentLinux

/// Text of apps, files and clients as it may stand in the journal: journalctl(1) shows an entry with control characters
/// as a blob, and `-o cat` would hand them to the terminal.
package enum JournalText {
    /// The text with what is unseen as signs, `^[` for escape. Line feeds and tabulators stay.
    package static func clean(_ text: String) -> String {
        VisibleText.of(text) { scalar in
            switch scalar {
            case "\n", "\t": scalar
            default: nil
            }
        }
    }
}
