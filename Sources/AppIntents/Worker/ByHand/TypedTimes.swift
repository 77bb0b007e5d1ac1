import Foundation

extension Date {
    /// Parses a typed date: RFC 3339, or a day with an optional time in the machine's time zone.
    ///
    /// `2026-11-21T09:30:00Z`, `2026-11-21`, `2026-11-21 09:30`, `2026-11-21 09:30:15`.
    init?(typed text: String) {
        if let date = Date(wireText: text) {
            self = date
            return
        }
        let pattern = /([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[ T]([0-9]{2}):([0-9]{2})(?::([0-9]{2}))?)?/
        guard let match = text.wholeMatch(of: pattern) else { return nil }
        let wanted = DateComponents(
            year: Int(match.1),
            month: Int(match.2),
            day: Int(match.3),
            hour: match.4.flatMap { Int($0) } ?? 0,
            minute: match.5.flatMap { Int($0) } ?? 0,
            second: match.6.flatMap { Int($0) } ?? 0
        )
        let calendar = Calendar(identifier: .gregorian)
        // A calendar turns 31 February into a day in March: such a text is not a date.
        guard let date = calendar.date(from: wanted),
            calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date) == wanted
        else { return nil }
        self = date
    }
}

extension Duration {
    /// Parses a typed duration: seconds, or numbers with units as in systemd.time(7): `90`, `1min 30s`, `500ms`,
    /// `1.5h`.
    init?(typed text: String) {
        let units: [String: Double] = [
            "": 1, "us": 1e-6, "ms": 1e-3, "s": 1, "sec": 1, "m": 60, "min": 60, "h": 3600, "hr": 3600, "d": 86_400,
        ]
        guard text.contains(/^\s*[0-9.]/),
            text.wholeMatch(of: /(?:\s*[0-9]+(?:\.[0-9]+)?\s*[a-z]*)+\s*/) != nil
        else { return nil }
        var total = 0.0
        for part in text.matches(of: /([0-9]+(?:\.[0-9]+)?)\s*([a-z]*)/) {
            guard let number = Double(part.1), let unit = units[String(part.2)] else { return nil }
            total += number * unit
        }
        guard total < 1e12 else { return nil }
        self = .seconds(total)
    }
}
