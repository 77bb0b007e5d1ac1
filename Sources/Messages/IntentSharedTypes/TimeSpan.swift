/// Parses and formats time spans in the syntax of systemd.time(7): `30s`, `1min 30s`, `500ms`, `1.5h`. A number without
/// a unit is in seconds.
package enum TimeSpan {
    /// The duration that `infinity` represents: 100 years, longer than any run.
    package static let infinity: Duration = .seconds(100 * 365 * 86_400)

    /// Parses a time span, including zero and `infinity`. A time span that is too long becomes `infinity`.
    ///
    /// - Returns: The time span; nil if the string is not a time span.
    package static func parse(_ text: String) -> Duration? {
        if text.trimmed == "infinity" { return infinity }
        return attoseconds(text).map { min(Duration(attoseconds: $0), infinity) }
    }

    /// Parses a time span that is neither zero nor infinite, and rounds it up to whole milliseconds, the unit of the
    /// protocol.
    package static func parseFinite(_ text: String) -> Duration? {
        guard let span = parse(text), span > .zero, span < infinity else { return nil }
        return .milliseconds(span.wholeMilliseconds)
    }

    /// Parses a time span as a number of seconds, which can be zero but not `infinity`.
    package static func seconds(_ text: String) -> Double? {
        guard let attoseconds = attoseconds(text), attoseconds < .max else { return nil }
        // A Double contains the microseconds exactly, so that the result is the Double nearest to the decimal number.
        let (microseconds, rest) = attoseconds.quotientAndRemainder(dividingBy: attosecondsPerMicrosecond)
        return Double(microseconds) / 1e6 + Double(rest) / 1e18
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

    private static let attosecondsPerMicrosecond: Int128 = 1_000_000_000_000

    /// Parses a time span without rounding. A time span that is too long for the type becomes its maximum.
    private static func attoseconds(_ text: String) -> Int128? {
        var rest = text.unicodeScalars.drop(while: \.properties.isWhitespace)
        guard !rest.isEmpty else { return nil }
        var total: Int128 = 0
        while !rest.isEmpty {
            let number = rest.prefix { $0.isASCIIDigit || $0 == "." }
            rest = rest[number.endIndex...].drop(while: \.properties.isWhitespace)
            let unit = rest.prefix(while: \.isASCIILetter)
            rest = rest[unit.endIndex...].drop(while: \.properties.isWhitespace)
            guard let length = microsecondsPerUnit(Substring(unit)).map({ $0 * attosecondsPerMicrosecond }),
                let span = product(Substring(number), length)
            else { return nil }
            total = sum(total, span)
        }
        return total
    }

    /// Multiplies a decimal number such as `1.5` by the length of a unit. Returns nil if the string is not a number.
    private static func product(_ number: Substring, _ length: Int128) -> Int128? {
        let parts = number.split(scalar: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, number.utf8.count >= parts.count else { return nil }
        let (whole, overflows) = (parts[0].utf8.isEmpty ? 0 : Int128(parts[0]) ?? .max)
            .multipliedReportingOverflow(by: length)
        var (place, fraction) = (length, Int128(0))
        for digit in parts.dropFirst().first?.utf8 ?? "".utf8[...] {
            place /= 10
            fraction += Int128(digit - UInt8(ascii: "0")) * place
        }
        return overflows ? .max : sum(whole, fraction)
    }

    private static func sum(_ first: Int128, _ second: Int128) -> Int128 {
        let (sum, overflows) = first.addingReportingOverflow(second)
        return overflows ? .max : sum
    }

    private static func microsecondsPerUnit(_ unit: Substring) -> Int128? {
        switch unit {
        case "us", "usec": 1
        case "ms", "msec": 1000
        case "", "s", "sec", "second", "seconds": 1_000_000
        case "m", "min", "minute", "minutes": 60_000_000
        case "h", "hr", "hour", "hours": 3_600_000_000
        case "d", "day", "days": 86_400_000_000
        case "w", "week", "weeks": 7 * 86_400_000_000
        default: nil
        }
    }
}
