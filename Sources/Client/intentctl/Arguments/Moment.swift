import FoundationEssentials
import Glibc
import IntentLinux

/// Parses and formats timestamps for users, as local dates or relative to the current time.
package enum Moment {
    package static var now: Timestamp {
        Timestamp(millisecondsSince1970: ClockReading.realtimeNanoseconds() / 1_000_000)
    }

    /// Parses `-2h`, `2h ago`, `2h`, `today`, `yesterday`, `now`, or a date in a form of ``DateText``. Returns nil for
    /// any other string.
    package static func parse(_ text: String, now: Timestamp) -> Timestamp? {
        switch text {
        case "now": return now
        case "today": return midnight(before: now)
        case "yesterday":
            // An hour before midnight is always on the previous day, even if that day has only 23 hours.
            return midnight(before: now).flatMap { midnight(before: $0 - .seconds(3600)) }
        default: break
        }
        var span = Substring(text)
        if span.hasPrefix(utf8: "-") { span = span.dropFirst(scalars: 1) }
        if span.hasSuffix(utf8: " ago") { span = span.dropLast(scalars: 4) }
        if let duration = TimeSpan.parseFinite(String(span)) { return now - duration }
        guard let date = DateText.read(text).flatMap(WireText.date) else { return nil }
        // Drop the fraction of a second, which a search does not need.
        return Timestamp(millisecondsSince1970: Int64(date.timeIntervalSince1970.rounded(.down)) * 1000)
    }

    /// Formats a timestamp relative to the current time: `3 min ago`, or `in 3 min` if the clock was set back.
    package static func relative(_ moment: Timestamp, now: Timestamp) -> String {
        let distance = now.millisecondsSince1970 - moment.millisecondsSince1970
        if abs(distance) < 1000 { return "now" }
        // Show only the two largest units, which are precise enough for users.
        let span = TimeSpan.format(.seconds(abs(distance) / 1000))
        let coarse = span.split(scalar: " ").prefix(2).joined(separator: " ")
        return distance < 0 ? "in \(coarse)" : "\(coarse) ago"
    }

    /// Formats a timestamp in the local time zone: `2026-11-21 09:30:15`.
    package static func local(_ moment: Timestamp) -> String {
        guard let fields = fields(moment) else { return "?" }
        let day = [Int(fields.tm_year) + 1900, Int(fields.tm_mon) + 1, Int(fields.tm_mday)]
        let time = [Int(fields.tm_hour), Int(fields.tm_min), Int(fields.tm_sec)]
        return day.map(two).joined(separator: "-") + " " + time.map(two).joined(separator: ":")
    }

    /// Formats a timestamp in the local time zone, with the zone: `2026-11-21 09:30:15 CET`.
    package static func zoned(_ moment: Timestamp) -> String {
        let zone = fields(moment)?.tm_zone.map { String(foreign: $0) } ?? "?"
        return "\(local(moment)) \(zone)"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func fields(_ moment: Timestamp) -> tm? {
        var seconds = time_t(moment.millisecondsSince1970 / 1000)
        var fields = tm()
        return localtime_r(&seconds, &fields) == nil ? nil : fields
    }

    private static func midnight(before moment: Timestamp) -> Timestamp? {
        guard var fields = fields(moment) else { return nil }
        fields.tm_hour = 0
        fields.tm_min = 0
        fields.tm_sec = 0
        fields.tm_isdst = -1
        return Timestamp(millisecondsSince1970: Int64(mktime(&fields)) * 1000)
    }
}
