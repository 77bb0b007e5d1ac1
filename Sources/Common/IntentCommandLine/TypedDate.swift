import Glibc
import IntentSharedTypes

/// A date that a user typed, split into its parts. ``DayAndTime`` decides which days and times exist, as in messages.
struct TypedDate {
    /// The year, month and day; nil if the user typed only a time.
    var day: [Int]?
    /// The hour, minute and second; nil if the user typed only a day.
    var time: [Int]?
    /// The fraction of a second, such as `.25`; empty for whole seconds.
    var fraction = ""
    /// The time zone, such as `Z` or `+01:00`; empty for the machine's time zone.
    var zone = ""

    private static let days = ["YESTERDAY": -1, "TODAY": 0, "TOMORROW": 1]

    /// Parses a string. Returns nil if it is not a date.
    init?(_ text: String, now: time_t) {
        let text = text.uppercased()
        if text == "NOW" {
            let fields = Self.fields(of: now)
            day = Self.day(0, of: now)
            time = [Int(fields.tm_hour), Int(fields.tm_min), Int(fields.tm_sec)]
            return
        }
        let words = text.split(scalar: " ", maxSplits: 1, omittingEmptySubsequences: false)
        if let offset = Self.days[String(words[0])] {
            day = Self.day(offset, of: now)
            guard words.count < 2 || readTime(words[1]) else { return nil }
            return
        }
        if readTime(Substring(text)) { return }
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false, whereScalar: { $0 == "T" || $0 == " " })
        day = DayAndTime(String(parts[0]))?.day.map { [$0.year, $0.month, $0.day] }
        guard day != nil, parts.count < 2 || readTime(parts[1]) else { return nil }
    }

    /// Returns true if the user typed the parts of a date that a parameter of this kind accepts.
    func fits(_ kind: ParameterDeclaration.DateKind?) -> Bool {
        switch kind {
        case .date?: time == nil
        case .time?: time != nil
        // Accept every date if there is no kind, or if a later release has added the kind.
        case _: true
        }
    }

    /// Returns the day that is `offset` days after an instant, in the machine's time zone.
    static func day(_ offset: Int, of now: time_t) -> [Int] {
        var fields = fields(of: now)
        fields.tm_mday += Int32(offset)
        // Use noon, because a change to daylight saving time can skip midnight.
        fields.tm_hour = 12
        fields.tm_isdst = -1
        _ = mktime(&fields)
        return [Int(fields.tm_year) + 1900, Int(fields.tm_mon) + 1, Int(fields.tm_mday)]
    }

    /// Formats each number with at least two digits.
    static func digits(_ numbers: [Int], separator: String) -> String {
        numbers.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: separator)
    }

    /// Parses a time, such as `09:30`, `09:30:15.25` or `09:30Z`. Returns false for any other string.
    private mutating func readTime(_ text: Substring) -> Bool {
        let clock = Substring(text.unicodeScalars.prefix { $0.isASCIIDigit || $0 == ":" || $0 == "." })
        let pieces = clock.split(scalar: ".", omittingEmptySubsequences: false).map { String($0) }
        guard (1...2).contains(pieces.count), let typed = DayAndTime(pieces[0])?.time,
            pieces.count == 1 || (!pieces[1].isEmpty && pieces[1].unicodeScalars.allSatisfy(\.isASCIIDigit))
        else { return false }
        let zone = text.dropFirst(scalars: clock.scalarCount)
        guard zone.utf8.isEmpty || WireText.isZone(zone) else { return false }
        time = [typed.hour, typed.minute, typed.second]
        fraction = pieces.count > 1 ? ".\(pieces[1])" : ""
        self.zone = String(zone)
        return true
    }

    private static func fields(of now: time_t) -> tm {
        var (now, fields) = (now, tm())
        // Ignore the result: localtime_r(3) fails only for years that do not fit an Int32.
        _ = localtime_r(&now, &fields)
        return fields
    }
}
