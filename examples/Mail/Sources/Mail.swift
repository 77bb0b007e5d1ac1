import Foundation

/// An email in plain text (RFC 5322).
struct Mail {
    var from: String
    var to: String
    var subject: String
    var lines: [String]

    /// The text for SMTP's DATA command, including the final line.
    var text: String {
        let head = [
            "From: \(Self.line(from))", "To: \(Self.line(to))",
            // Encode the subject, which may contain any character (RFC 2047).
            "Subject: =?utf-8?B?\(Data(Self.line(subject).utf8).base64EncodedString())?=",
            "Date: \(Date().formatted(Self.date))", "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8",
            "Content-Transfer-Encoding: 8bit", "",
        ]
        // Double a dot at the start of a line: a line with a single dot ends the mail (RFC 5321, 4.5.2).
        let body = lines.map { Self.line($0) }.map { $0.hasPrefix(".") ? ".\($0)" : $0 }
        return (head + body + ["."]).map { $0 + "\r\n" }.joined()
    }

    private static let date = Date.VerbatimFormatStyle(
        format: """
            \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .padded(4)) \
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) \
            +0000
            """,
        locale: Locale(identifier: "en_US_POSIX"),
        timeZone: .gmt,
        calendar: Calendar(identifier: .gregorian)
    )

    /// Returns a value without control characters: a line end in it would begin another header or command.
    static func line(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : $0 }))
    }
}
