import Foundation

extension Text {
    /// The format of a date in a text view. The text is computed once, when the snippet is created.
    ///
    /// Source: Apple's Text.DateStyle page.
    public struct DateStyle: Sendable, Equatable, Hashable {
        private enum Kind: Sendable {
            case time, date, relative, offset, timer
        }

        private let kind: Kind

        /// The time of day.
        public static let time = DateStyle(kind: .time)
        /// The date without the time.
        public static let date = DateStyle(kind: .date)
        /// The time between the date and now, such as `2 hr, 5 min`.
        public static let relative = DateStyle(kind: .relative)
        /// The time from now to the date with a sign, such as `+2 hours`.
        public static let offset = DateStyle(kind: .offset)
        /// The time between the date and now in the format of a clock, such as `2:05:00`.
        public static let timer = DateStyle(kind: .timer)

        func text(of date: Foundation.Date, in locale: Locale) -> String {
            let seconds = date.timeIntervalSinceNow
            return switch kind {
            case .time:
                date.formatted(Foundation.Date.FormatStyle(date: .omitted, time: .shortened, locale: locale))
            case .date:
                date.formatted(Foundation.Date.FormatStyle(date: .long, time: .omitted, locale: locale))
            case .relative: Self.units(seconds, .abbreviated, 2, locale)
            case .offset: (seconds < 0 ? "-" : "+") + Self.units(seconds, .wide, 1, locale)
            case .timer: Self.clock(abs(seconds))
            }
        }

        private static func units(
            _ seconds: Double,
            _ width: Duration.UnitsFormatStyle.UnitWidth,
            _ count: Int,
            _ locale: Locale
        ) -> String {
            Duration.seconds(Self.whole(abs(seconds))).formatted(
                .units(
                    allowed: [.weeks, .days, .hours, .minutes, .seconds],
                    width: width,
                    maximumUnitCount: count
                ).locale(locale)
            )
        }

        /// Returns a time as hours, minutes and seconds.
        static func clock(_ seconds: Double) -> String {
            let seconds = whole(seconds)
            let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
            func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
            return hours > 0
                ? "\(hours):\(two(minutes)):\(two(seconds % 60))" : "\(minutes):\(two(seconds % 60))"
        }

        /// Rounds a number of seconds, and limits it to about a thousand years. A date such as `Date.distantFuture` is
        /// further away, and the conversion of an infinite number would trap.
        private static func whole(_ seconds: Double) -> Int {
            seconds.isNaN ? 0 : Int(min(max(seconds.rounded(), -3.2e10), 3.2e10))
        }
    }
}
