/// Durations in systemd's syntax (systemd.time(7)): `30s`, `1min 30s`, `500ms`, `2h`, a plain number of seconds.
package enum TimeSpan {
    /// `infinity`: longer than any run.
    package static let infinity: Duration = .seconds(100 * 365 * 86_400)

    /// Nil if the text is not a time span, or negative.
    package static func parse(_ text: String) -> Duration? {
        let text = text.trimmed
        if text == "infinity" { return infinity }
        guard !text.isEmpty else { return nil }
        var rest = Substring(text)
        var sum = 0.0
        while !rest.isEmpty {
            let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            guard !number.isEmpty, let value = Double(number), value.isFinite else { return nil }
            rest = rest.dropFirst(number.count).drop(while: \.isWhitespace)
            let unit = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(unit.count).drop(while: \.isWhitespace)
            guard let seconds = secondsPerUnit(String(unit)) else { return nil }
            sum += value * seconds
        }
        // Duration traps on overflow.
        return sum < Double(infinity.components.seconds) ? .seconds(sum) : infinity
    }

    private static func secondsPerUnit(_ unit: String) -> Double? {
        switch unit {
        case "us", "usec": 0.000_001
        case "ms", "msec": 0.001
        case "", "s", "sec", "second", "seconds": 1
        case "m", "min", "minute", "minutes": 60
        case "h", "hr", "hour", "hours": 3600
        case "d", "day", "days": 86_400
        case "w", "week", "weeks": 604_800
        default: nil
        }
    }
}
