import IntentLauncherMessages

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

    /// Returns the last place at which a text contains the bytes of an ASCII string that is not empty. An app can print
    /// without pause, so the search compares one byte at most places.
    static func lastIndex(of mark: String, in text: String) -> String.Index? {
        var (text, mark) = (text, mark)
        let offset = text.withUTF8 { bytes in mark.withUTF8 { Self.lastOffset(of: $0, in: bytes) } }
        return offset.map { text.utf8.index(text.startIndex, offsetBy: $0) }
    }

    private static func lastOffset(of mark: UnsafeBufferPointer<UInt8>, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var offset = bytes.count - mark.count
        while offset >= 0 {
            if bytes[offset] == mark[0], bytes[offset..<offset + mark.count].elementsEqual(mark) { return offset }
            offset -= 1
        }
        return nil
    }
}
