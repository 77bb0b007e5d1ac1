public import Foundation
import IntentVocabulary

/// A decimal number is sent as a string, which preserves all digits.
extension Decimal: _IntentValue {
    public static var _intentValueCoding: _IntentValueCoding<Decimal> {
        _IntentValueCoding(.decimal) { value, _ in
            guard value.isFinite else { throw InvalidValue("is not a finite number") }
            return .string(value.description)
        } decode: { value, _ in
            if case .string(let text) = value { Decimal(string: text, locale: nil) } else { nil }
        }
    }
}

/// A date is sent as an RFC 3339 string in UTC. Milliseconds are omitted if they are zero.
extension Date: _IntentValue {
    public static var _intentValueCoding: _IntentValueCoding<Date> {
        _IntentValueCoding(.date) { value, _ in
            guard let text = value.wireText else { throw InvalidValue("is not between the years 1 and 9999") }
            return .string(text)
        } decode: { value, _ in
            if case .string(let text) = value { Date(wireText: text) } else { nil }
        }
    }

    /// The date as an RFC 3339 string; nil if the year is outside the range of RFC 3339.
    var wireText: String? {
        let seconds = timeIntervalSince1970
        guard seconds >= -62_135_596_800, seconds < 253_402_300_799 else { return nil }
        let milliseconds = (seconds * 1000).rounded()
        let isWhole = milliseconds.truncatingRemainder(dividingBy: 1000) == 0
        // The formatter truncates, and 0.1 s is stored as slightly less than 100 ms, so add a small amount.
        let date = Date(timeIntervalSince1970: (milliseconds + 0.01) / 1000)
        return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: !isWhole))
    }

    init?(wireText text: String) {
        // IntentVocabulary's ValueType.accept has already rejected strings that neither style can parse.
        let date = (try? Self.plainStyle.parse(text)) ?? (try? Self.fractionalStyle.parse(text))
        guard let date else { return nil }
        self = date
    }

    private static let plainStyle = Date.ISO8601FormatStyle()
    private static let fractionalStyle = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}

/// A URL is sent as a string.
extension URL: _IntentValue {
    public static var _intentValueCoding: _IntentValueCoding<URL> {
        _IntentValueCoding(.url) { value, _ in
            .string(value.absoluteString)
        } decode: { value, _ in
            if case .string(let text) = value { URL(string: text) } else { nil }
        }
    }
}

/// A duration is sent as a number of seconds.
extension Duration: _IntentValue {
    public static var _intentValueCoding: _IntentValueCoding<Duration> {
        _IntentValueCoding(.duration) { value, _ in
            .double(value / .seconds(1))
        } decode: { value, _ in
            guard case .double(let seconds) = value else { return nil }
            // Reject a number that may not fit a Duration: its conversion would crash.
            guard abs(seconds) < 1e18 else { throw InvalidValue("expects a duration, got \(seconds) seconds") }
            return .seconds(seconds)
        }
    }
}
