import IntentSharedTypes

/// Quotes words for a shell.
package enum ShellWord {
    /// Returns the string as one word of a POSIX shell, quoted if necessary.
    package static func quote(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { $0.isASCIILetterOrDigit || "@%+=:,./-_".utf8.contains($0) }
        guard text.isEmpty || !isPlain else { return text }
        return "'" + text.replacing(utf8: "'", with: "'\\''") + "'"
    }
}
