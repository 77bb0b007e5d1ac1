internal import FoundationEssentials

/// Converts dates and date components to the strings in messages, and back.
enum WireText {
    /// Returns an RFC 3339 string in UTC, with milliseconds unless they are zero; nil unless the year is from 1 to
    /// 9999.
    static func of(_ date: Date) -> String? {
        let seconds = date.timeIntervalSince1970
        guard seconds >= -62_135_596_800, seconds < 253_402_300_799 else { return nil }
        let milliseconds = (seconds * 1000).rounded()
        let isWhole = milliseconds.truncatingRemainder(dividingBy: 1000) == 0
        // Add 0.01 ms, because the formatter truncates, and a Date can be slightly earlier than the whole millisecond.
        return Date(timeIntervalSince1970: (milliseconds + 0.01) / 1000)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: !isWhole))
    }

    static func date(_ text: String) -> Date? {
        (try? Date.ISO8601FormatStyle().parse(text))
            ?? (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
    }

    /// Returns a day, a time of day or both: `2026-11-21 09:30:00`. Nil if there is neither a complete day nor an hour,
    /// or if a number is out of range.
    static func of(_ parts: DateComponents) -> String? {
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

    static func dateComponents(_ text: String) -> DateComponents? {
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

    private static func padded(_ number: Int, _ width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
