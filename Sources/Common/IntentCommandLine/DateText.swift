package import Glibc
package import IntentSharedTypes

/// Parses dates as users type them: RFC 3339, or a day, a time or both in the machine's time zone.
package enum DateText {
    package typealias Kind = ParameterDeclaration.DateKind

    /// Returns the instant in RFC 3339 form. Returns nil if the string is not a date, or specifies a different part of
    /// a date than `kind`.
    ///
    /// Accepts `2026-11-21T09:30:00Z`, `2026-11-21 09:30:00+01:00`, `2026-11-21`, `2026-11-21 09:30`, `09:30` (today),
    /// `tomorrow 09:30` and `now`. With a time zone, the string must contain a day and a time, and fits every kind.
    package static func read(_ text: String, as kind: Kind? = nil, now: time_t = time(nil)) -> String? {
        guard let date = TypedDate(text, now: now) else { return nil }
        if !date.zone.isEmpty {
            guard let day = date.day, let time = date.time else { return nil }
            return checked(form(day, time) + date.fraction + date.zone)
        }
        guard date.fits(kind) else { return nil }
        return local(date.day ?? TypedDate.day(0, of: now), date.time ?? [0, 0, 0], fraction: date.fraction)
    }

    /// Returns a day, a time or both without a time zone, such as `2026-11-21 09:30`. Returns nil if the string has
    /// another form, or specifies a different part of a date than `kind`.
    package static func components(_ text: String, as kind: Kind? = nil, now: time_t = time(nil)) -> String? {
        guard let date = TypedDate(text, now: now), date.zone.isEmpty, date.fraction.isEmpty, date.fits(kind) else {
            return nil
        }
        let day = date.day.map { TypedDate.digits($0, separator: "-") }
        let time = date.time.map { TypedDate.digits($0, separator: ":") }
        return [day, time].compactMap(\.self).joined(separator: " ")
    }

    /// Converts a local time to an instant in UTC.
    private static func local(_ day: [Int], _ time: [Int], fraction: String) -> String? {
        var fields = tm()
        fields.tm_year = Int32(day[0] - 1900)
        fields.tm_mon = Int32(day[1] - 1)
        fields.tm_mday = Int32(day[2])
        fields.tm_hour = Int32(time[0])
        fields.tm_min = Int32(time[1])
        fields.tm_sec = Int32(time[2])
        // Let mktime(3) decide whether daylight saving time applies.
        fields.tm_isdst = -1
        var instant = mktime(&fields)
        // A change of the zone can skip a day, such as December 30, 2011 in Samoa. Reject such dates.
        guard fields.tm_mon == day[1] - 1, fields.tm_mday == day[2] else { return nil }
        var utc = tm()
        guard gmtime_r(&instant, &utc) != nil else { return nil }
        let date = [Int(utc.tm_year) + 1900, Int(utc.tm_mon) + 1, Int(utc.tm_mday)]
        return checked(form(date, [Int(utc.tm_hour), Int(utc.tm_min), Int(utc.tm_sec)]) + fraction + "Z")
    }

    /// Returns an instant if messages accept it, or nil.
    private static func checked(_ instant: String) -> String? { WireText.date(instant) == nil ? nil : instant }

    private static func form(_ day: [Int], _ time: [Int]) -> String {
        TypedDate.digits(day, separator: "-") + "T" + TypedDate.digits(time, separator: ":")
    }
}
