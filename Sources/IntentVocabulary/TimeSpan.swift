/// Parses and formats time spans in the syntax of systemd.time(7): `30s`, `1min 30s`, `500ms`, `1.5h`. A number without
/// a unit is in seconds.
package enum TimeSpan {
    /// The duration that `infinity` represents: 100 years, longer than any run.
    package static let infinity: Duration = .seconds(100 * 365 * 86_400)

    /// Parses a time span, including zero and `infinity`. A time span that is too long becomes `infinity`.
    ///
    /// - Returns: The time span; nil if the string is not a time span.
    package static func parse(_ text: String) -> Duration? {
        if text.split(whereSeparator: \.isWhitespace) == ["infinity"] { return infinity }
        guard let seconds = seconds(text) else { return nil }
        // The conversion to Duration traps if the number of seconds does not fit.
        return seconds < Double(infinity.components.seconds) ? .seconds(seconds) : infinity
    }

    /// Parses a time span that is neither zero nor infinite, and rounds it up to whole milliseconds, the unit of the
    /// protocol.
    package static func parseFinite(_ text: String) -> Duration? {
        guard let span = parse(text), span > .zero, span < infinity else { return nil }
        return .milliseconds(span.wholeMilliseconds)
    }

    /// Parses a time span as a number of seconds, which can be zero but not `infinity`.
    package static func seconds(_ text: String) -> Double? {
        var rest = text[...].drop(while: \.isWhitespace)
        guard !rest.isEmpty else { return nil }
        var sum = 0.0
        while !rest.isEmpty {
            let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            rest = rest.dropFirst(number.count).drop(while: \.isWhitespace)
            let unit = rest.prefix { $0.isASCII && $0.isLetter }
            rest = rest.dropFirst(unit.count).drop(while: \.isWhitespace)
            guard let count = Double(number), let seconds = secondsPerUnit(unit) else { return nil }
            sum += count * seconds
        }
        return sum.isFinite ? sum : nil
    }

    /// Formats a time span in its two largest units, omitting a unit that is zero: `1 min 30 s`, `2 h`, `350 ms`.
    package static func format(_ span: Duration) -> String {
        let (seconds, attoseconds) = span.components
        guard seconds > 0 else {
            let milliseconds = max(0, attoseconds / 1_000_000_000_000_000)
            return "\(milliseconds) ms"
        }
        if seconds < 10 {
            let tenths = attoseconds / 100_000_000_000_000_000
            return tenths == 0 ? "\(seconds) s" : "\(seconds).\(tenths) s"
        }
        let units: [(String, Int64)] = [("d", 86400), ("h", 3600), ("min", 60), ("s", 1)]
        guard let first = units.firstIndex(where: { seconds >= $0.1 }) else { return "0 s" }
        var rest = seconds
        let words = units[first...].prefix(2).compactMap { name, length -> String? in
            let count = rest / length
            rest %= length
            return count == 0 ? nil : "\(count) \(name)"
        }
        return words.joined(separator: " ")
    }

    private static func secondsPerUnit(_ unit: Substring) -> Double? {
        switch unit {
        case "us", "usec": 1e-6
        case "ms", "msec": 1e-3
        case "", "s", "sec", "second", "seconds": 1
        case "m", "min", "minute", "minutes": 60
        case "h", "hr", "hour", "hours": 3600
        case "d", "day", "days": 86400
        case "w", "week", "weeks": 7 * 86400
        default: nil
        }
    }
}
