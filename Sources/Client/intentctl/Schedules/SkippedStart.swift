import Glibc
import IntentLinux

/// A start that daylight saving time skips, because its time of day does not exist on the day of the change.
package struct SkippedStart: Equatable, Sendable {
    /// The time of day that does not exist: `2027-03-28 02:30:00 Europe/Berlin`.
    package var time: String

    var note: String {
        "no start at \(time): daylight saving time skips it, and systemd starts no run instead; "
            + "choose a time of day that always exists, or a calendar in UTC (--time-zone UTC)"
    }

    /// Returns the next start within a year that daylight saving time skips; nil if it skips none.
    static func next(of calendar: String) throws(CommandFailure) -> SkippedStart? {
        let (expression, zone) = split(calendar)
        guard let gap = nextGap(in: zone, after: Moment.now) else { return nil }
        // In UTC, every time of day exists. The calendar of a given year elapses once, so it may never elapse there.
        let base = Timestamp(millisecondsSince1970: (gap.lowerBound - 1) * 1000)
        let times = ((try? SystemdControl.nextTimes(of: "\(expression) UTC", after: base)) ?? []).map {
            $0.millisecondsSince1970 / 1000
        }
        // A schedule that also starts soon after the change loses nothing, such as an hourly one.
        guard let elapse = times.first, gap.contains(elapse),
            !times.contains(where: { (gap.upperBound..<gap.upperBound + Int64(gap.count)).contains($0) })
        else { return nil }
        return SkippedStart(time: "\(utc(elapse)) \(zone ?? "in the host's time zone")")
    }

    /// Splits a calendar expression into its dates and its time zone.
    package static func split(_ calendar: String) -> (expression: String, zone: String?) {
        let words = calendar.split(scalar: " ")
        guard words.count > 1, let zone = words.last, zone == "UTC" || access("/usr/share/zoneinfo/\(zone)", F_OK) == 0
        else { return (calendar, nil) }
        return (words.dropLast().joined(separator: " "), String(zone))
    }

    /// Returns the next times of day within a year that do not exist in a time zone, as if they were seconds of UTC.
    ///
    /// - Parameter zone: Nil for the host's time zone.
    package static func nextGap(in zone: String?, after start: Timestamp) -> Range<Int64>? {
        let own = getenv("TZ").map { String(foreign: $0) }
        if let zone {
            setenv("TZ", ":\(zone)", 1)
            tzset()
        }
        defer {
            if zone != nil {
                if let own { setenv("TZ", own, 1) } else { unsetenv("TZ") }
                tzset()
            }
        }
        let quarter: Int64 = 900
        let first = start.millisecondsSince1970 / 1000 / quarter * quarter
        var before = offset(at: first)
        for instant in stride(from: first, to: first + 366 * 86_400, by: Int64.Stride(quarter)) {
            let after = offset(at: instant)
            if after > before { return (instant + before)..<(instant + after) }
            before = after
        }
        return nil
    }

    /// Returns the difference between local time and UTC, in seconds.
    private static func offset(at instant: Int64) -> Int64 {
        var seconds = time_t(instant)
        var fields = tm()
        return localtime_r(&seconds, &fields) == nil ? 0 : Int64(fields.tm_gmtoff)
    }

    private static func utc(_ instant: Int64) -> String {
        var seconds = time_t(instant)
        var fields = tm()
        gmtime_r(&seconds, &fields)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(fields.tm_year + 1900)-\(two(fields.tm_mon + 1))-\(two(fields.tm_mday)) "
            + "\(two(fields.tm_hour)):\(two(fields.tm_min)):\(two(fields.tm_sec))"
    }
}
