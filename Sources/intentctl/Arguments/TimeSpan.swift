/// Time spans in the syntax of systemd.time(7).
package enum TimeSpan {
    /// Parses a time span of more than zero: `30s`, `1min 30s`, `2m`, `500ms`, `1.5h`. A number alone is in seconds.
    package static func parse(_ text: String) -> Duration? {
        // More than a century is a mistake, and would not fit every clock.
        guard let total = seconds(text), total > 0, total < 100 * 365 * 86400 else { return nil }
        return .milliseconds(Int64((total * 1000).rounded(.up)))
    }

    /// Parses a time span as seconds, zero included.
    package static func seconds(_ text: String) -> Double? {
        var rest = text[...].drop { $0 == " " }
        guard !rest.isEmpty else { return nil }
        var total = 0.0
        while !rest.isEmpty {
            let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            rest = rest.dropFirst(number.count).drop { $0 == " " }
            let unit = rest.prefix { $0.isASCII && $0.isLetter }
            rest = rest.dropFirst(unit.count).drop { $0 == " " }
            guard let count = Double(number), let seconds = seconds(in: String(unit)) else { return nil }
            total += count * seconds
        }
        return total.isFinite ? total : nil
    }

    /// The time span for people, in its two largest units: `1 min 30 s`, `2 h`, `350 ms`.
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

    private static func seconds(in unit: String) -> Double? {
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
