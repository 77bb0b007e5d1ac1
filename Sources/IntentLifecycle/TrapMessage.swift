import IntentWire

/// The message that Swift's runtime prints to standard error before a trap ends the process.
enum TrapMessage {
    /// The string that every trap message contains. A message is, for example,
    /// `Shop/Order.swift:12: Fatal error: Index out of range`.
    private static let mark = "Fatal error"

    /// Returns the last trap message in the text, truncated to the limit of a crash report, or nil if the text contains
    /// no trap message.
    static func last(in text: String) -> String? {
        guard let line = text.split(whereSeparator: \.isNewline).last(where: { $0.contains(mark) }) else { return nil }
        var message = String(line)
        while message.utf8.count > CrashReport.textByteLimit { message.removeLast() }
        return message
    }
}
