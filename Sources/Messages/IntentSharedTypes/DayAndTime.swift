/// A day, a time of day or both, without a time zone: `2026-11-21`, `09:30`, `2026-11-21 09:30:15`.
package struct DayAndTime: Hashable, Sendable {
    package var day: (year: Int, month: Int, day: Int)? {
        dayNumbers.map { ($0[0], $0[1], $0[2]) }
    }
    /// The hour, minute and second; nil for a day without a time.
    package var time: (hour: Int, minute: Int, second: Int)? {
        timeNumbers.map { ($0[0], $0[1], $0.count > 2 ? $0[2] : 0) }
    }
    private var dayNumbers: [Int]?
    private var timeNumbers: [Int]?

    /// Parses a day, a time of day or both; nil if the string is in none of these forms.
    package init?(_ text: String) {
        let parts = text.split(whereScalar: { $0 == " " || $0 == "T" })
        switch parts.count {
        case 1 where parts[0].contains(utf8: ":"): timeNumbers = Self.time(parts[0])
        case 1: dayNumbers = Self.day(parts[0])
        case 2:
            dayNumbers = Self.day(parts[0])
            timeNumbers = Self.time(parts[1])
            if dayNumbers == nil || timeNumbers == nil { return nil }
        default: return nil
        }
        if dayNumbers == nil, timeNumbers == nil { return nil }
    }

    private static func day(_ text: Substring) -> [Int]? {
        let parts = text.split(scalar: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2], let numbers = numbers(parts) else { return nil }
        guard (1...12).contains(numbers[1]), (1...length(of: numbers[1], in: numbers[0])).contains(numbers[2])
        else { return nil }
        return numbers
    }

    private static func time(_ text: Substring) -> [Int]? {
        let parts = text.split(scalar: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts.allSatisfy({ $0.utf8.count == 2 }), let numbers = numbers(parts),
            numbers[0] < 24, numbers.dropFirst().allSatisfy({ $0 < 60 })
        else { return nil }
        return numbers
    }

    private static func numbers(_ parts: [Substring]) -> [Int]? {
        let numbers = parts.compactMap { part in
            part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
        }
        return numbers.count == parts.count ? numbers : nil
    }

    private static func length(of month: Int, in year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
