import Glibc

/// Instants as people type them: RFC 3339, or a date with or without a time in the machine's time zone.
package enum DateText {
    /// The instant in the form of RFC 3339; nil when the text is not a date.
    ///
    /// `2026-11-21T09:30:00Z`, `2026-11-21 09:30:00+01:00`, `2026-11-21`, `2026-11-21 09:30`.
    package static func read(_ text: String) -> String? {
        let text = text.uppercased()
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "T" || $0 == " " }
        guard let day = numbers(parts[0], separator: "-", widths: [4, 2, 2]) else { return nil }
        guard parts.count > 1 else { return local(day, [0, 0, 0], fraction: "") }
        let clock = parts[1].prefix { $0.isNumber || $0 == ":" || $0 == "." }
        let zone = parts[1].dropFirst(clock.count)
        let pieces = clock.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(pieces.count), let time = self.time(pieces[0]) else { return nil }
        guard pieces.count == 1 || (!pieces[1].isEmpty && pieces[1].allSatisfy(\.isWholeNumber)) else { return nil }
        let fraction = pieces.count > 1 ? "." + pieces[1] : ""
        if zone.isEmpty { return local(day, time, fraction: fraction) }
        guard zone == "Z" || isOffset(zone) else { return nil }
        return form(day, time) + fraction + zone
    }

    /// `09:30` or `09:30:15`.
    private static func time(_ text: Substring) -> [Int]? {
        if let time = numbers(text, separator: ":", widths: [2, 2]) { return time + [0] }
        return numbers(text, separator: ":", widths: [2, 2, 2])
    }

    private static func isOffset(_ text: Substring) -> Bool {
        guard text.first == "+" || text.first == "-" else { return false }
        return numbers(text.dropFirst(), separator: ":", widths: [2, 2]) != nil
    }

    private static func numbers(_ text: Substring, separator: Character, widths: [Int]) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == widths else { return nil }
        guard parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else { return nil }
        let numbers = parts.compactMap { Int($0) }
        return numbers.count == widths.count ? numbers : nil
    }

    /// The instant of a local time, in UTC.
    private static func local(_ day: [Int], _ time: [Int], fraction: String) -> String? {
        var fields = tm()
        fields.tm_year = Int32(day[0] - 1900)
        fields.tm_mon = Int32(day[1] - 1)
        fields.tm_mday = Int32(day[2])
        fields.tm_hour = Int32(time[0])
        fields.tm_min = Int32(time[1])
        fields.tm_sec = Int32(time[2])
        // The rules of the time zone decide whether daylight saving time applies.
        fields.tm_isdst = -1
        var instant = mktime(&fields)
        // mktime(3) turns the 31st of February into a day of March, so such a date is refused.
        guard fields.tm_mon == day[1] - 1, fields.tm_mday == day[2] else { return nil }
        var utc = tm()
        guard gmtime_r(&instant, &utc) != nil else { return nil }
        let date = [Int(utc.tm_year) + 1900, Int(utc.tm_mon) + 1, Int(utc.tm_mday)]
        return form(date, [Int(utc.tm_hour), Int(utc.tm_min), Int(utc.tm_sec)]) + fraction + "Z"
    }

    private static func form(_ day: [Int], _ time: [Int]) -> String {
        func digits(_ number: Int, _ width: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        return "\(digits(day[0], 4))-\(digits(day[1], 2))-\(digits(day[2], 2))"
            + "T\(digits(time[0], 2)):\(digits(time[1], 2)):\(digits(time[2], 2))"
    }
}
