public import Foundation
import IntentSharedTypes

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
            guard let text = WireText.of(value) else { throw InvalidValue("is not between the years 1 and 9999") }
            return .string(text)
        } decode: { value, _ in
            if case .string(let text) = value { WireText.date(text) } else { nil }
        }
    }
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
