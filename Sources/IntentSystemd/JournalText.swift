import IntentLinux

/// Makes text of apps, files and clients safe for the journal: journalctl(1) shows an entry with control characters as a
/// blob, and `-o cat` would pass them to the terminal.
package enum JournalText {
    /// The text with invisible characters escaped, such as `^[` for escape. Line feeds and tabs are kept.
    package static func clean(_ text: String) -> String {
        VisibleText.of(text) { scalar in
            switch scalar {
            case "\n", "\t": scalar
            default: nil
            }
        }
    }
}
