import IntentWire

/// The message that Swift's runtime prints to standard error before a trap ends the process.
enum TrapMessage {
    /// The string that every trap message contains. A message is, for example,
    /// `Shop/Order.swift:12: Fatal error: Index out of range`.
    private static let mark = "Fatal error"

    /// Returns the last trap message in the text, truncated to the limit of a crash report, or nil if the text contains
    /// no trap message.
    static func last(in text: String) -> String? {
        guard let index = lastIndex(of: mark, in: text) else { return nil }
        // Search for the start of the line only within the limit, because a line can be much longer.
        let before = text[text.startIndex..<index].suffix(utf8: CrashReport.textByteLimit / 2).unicodeScalars
        let start = before.lastIndex(where: \.isLineBreak).map { before.index(after: $0) } ?? before.startIndex
        let message = text[start..<text.endIndex].prefix(utf8: CrashReport.textByteLimit).unicodeScalars
        return String(Substring(message.prefix { !$0.isLineBreak }))
    }

    /// Returns the last place at which a text contains the bytes of an ASCII string. An app can print without pause, so
    /// the search reads the bytes directly.
    static func lastIndex(of mark: String, in text: String) -> String.Index? {
        let (bytes, mark) = (text.utf8Span.span, mark.utf8Span.span)
        var offset = bytes.count - mark.count
        while offset >= 0 {
            if mark.indices.allSatisfy({ bytes[offset + $0] == mark[$0] }) {
                return text.utf8.index(text.startIndex, offsetBy: offset)
            }
            offset -= 1
        }
        return nil
    }
}
