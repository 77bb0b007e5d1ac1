package import FoundationEssentials

/// Converts dates and date components to the strings in messages, and back.
package enum WireText {
    private static let plainStyle = Date.ISO8601FormatStyle()
    private static let fractionalStyle = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// Returns an RFC 3339 string in UTC, with milliseconds unless they are zero; nil unless the year is from 1 to
    /// 9999.
    package static func of(_ date: Date) -> String? {
        let seconds = date.timeIntervalSince1970
        guard seconds >= -62_135_596_800, seconds < 253_402_300_799 else { return nil }
        let milliseconds = (seconds * 1000).rounded()
        let isWhole = milliseconds.truncatingRemainder(dividingBy: 1000) == 0
        // Add 0.01 ms, because the formatter truncates, and a Date can be slightly earlier than the whole millisecond.
        return Date(timeIntervalSince1970: (milliseconds + 0.01) / 1000)
            .formatted(isWhole ? plainStyle : fractionalStyle)
    }

    /// Parses an RFC 3339 string, with or without fractions of a second; nil if it has another form.
    package static func date(_ text: String) -> Date? {
        guard isTimestamp(text) else { return nil }
        return (try? plainStyle.parse(text)) ?? (try? fractionalStyle.parse(text))
    }

    /// Checks the form, such as `2026-11-21T09:30:00.25+01:00`. The formatter's parser ignores what follows a date, and
    /// accepts days and times that do not exist.
    private static func isTimestamp(_ text: String) -> Bool {
        let moment = text.prefix(scalars: 19)
        guard text.utf8.count <= 64, moment.utf8.count == 19, moment.contains(utf8: "T"),
            let parsed = DayAndTime(String(moment)), parsed.day != nil, parsed.time != nil
        else { return false }
        var rest = text.dropFirst(scalars: 19)
        if rest.hasPrefix(utf8: ".") {
            let fraction = rest.unicodeScalars.dropFirst().prefix(while: \.isASCIIDigit)
            rest = rest.dropFirst(scalars: 1 + fraction.count)
            guard !fraction.isEmpty else { return false }
        }
        return isZone(rest)
    }

    /// Returns true for `Z` and for an offset from UTC, such as `+01:00`.
    package static func isZone(_ text: Substring) -> Bool {
        guard text.hasPrefix(utf8: "+") || text.hasPrefix(utf8: "-") else { return text == "Z" }
        return text.utf8.count == 6 && DayAndTime(String(text.dropFirst(scalars: 1)))?.time != nil
    }

    /// Returns a day, a time of day or both: `2026-11-21 09:30:00`. Nil if there is neither a complete day nor an hour,
    /// or if a number is out of range.
    package static func of(_ parts: DateComponents) -> String? {
        var words: [String] = []
        if let year = parts.year, let month = parts.month, let day = parts.day {
            guard (0...9999).contains(year) else { return nil }
            words.append("\(padded(year, 4))-\(padded(month))-\(padded(day))")
        }
        if let hour = parts.hour {
            words.append("\(padded(hour)):\(padded(parts.minute ?? 0)):\(padded(parts.second ?? 0))")
        }
        let text = words.joined(separator: " ")
        return DayAndTime(text) == nil ? nil : text
    }

    package static func dateComponents(_ text: String) -> DateComponents? {
        guard let parsed = DayAndTime(text) else { return nil }
        return DateComponents(
            year: parsed.day?.year,
            month: parsed.day?.month,
            day: parsed.day?.day,
            hour: parsed.time?.hour,
            minute: parsed.time?.minute,
            second: parsed.time?.second
        )
    }

    package static func padded(_ number: Int, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
