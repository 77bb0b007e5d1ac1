public import Foundation
import IntentWire

/// Travels as text of digits, so that no place after the point is lost.
extension Decimal: _IntentValue {
    public static var _intentValueCoding: _IntentValueCoding<Decimal> {
        _IntentValueCoding(.decimal) { value, _ in
            guard value.isFinite else { throw UnfitValue("is no number") }
            return .string(value.description)
        } decode: { value, _ in
            if case .string(let text) = value { Decimal(string: text, locale: nil) } else { nil }
        }
    }
}

/// Travels as text of RFC 3339 in UTC, with milliseconds where there are some.
extension Date: _IntentValue {
    public static var _intentValueCoding: _IntentValueCoding<Date> {
        _IntentValueCoding(.date) { value, _ in
            guard let text = value.wireText else { throw UnfitValue("is not in the years 1 to 9999") }
            return .string(text)
        } decode: { value, _ in
            if case .string(let text) = value { Date(wireText: text) } else { nil }
        }
    }

    /// Nil outside the years that RFC 3339 can write.
    var wireText: String? {
        let seconds = timeIntervalSince1970
        guard seconds >= -62_135_596_800, seconds < 253_402_300_799 else { return nil }
        let milliseconds = (seconds * 1000).rounded()
        let isWhole = milliseconds.truncatingRemainder(dividingBy: 1000) == 0
        // From whole milliseconds: the formatter cuts what is over, and 0.1 s is a little less than that.
        let date = Date(timeIntervalSince1970: (milliseconds + 0.01) / 1000)
        return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: !isWhole))
    }

    init?(wireText text: String) {
        // What the two styles refuse, IntentWire's ValueType.accept refused before.
        let date = (try? Self.plainStyle.parse(text)) ?? (try? Self.fractionalStyle.parse(text))
        guard let date else { return nil }
        self = date
    }

    private static let plainStyle = Date.ISO8601FormatStyle()
    private static let fractionalStyle = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}

/// Travels as text.
extension URL: _IntentValue {
    public static var _intentValueCoding: _IntentValueCoding<URL> {
        _IntentValueCoding(.url) { value, _ in
            .string(value.absoluteString)
        } decode: { value, _ in
            if case .string(let text) = value { URL(string: text) } else { nil }
        }
    }
}

/// Travels as seconds.
extension Duration: _IntentValue {
    public static var _intentValueCoding: _IntentValueCoding<Duration> {
        _IntentValueCoding(.duration) { value, _ in
            .double(value / .seconds(1))
        } decode: { value, _ in
            guard case .double(let seconds) = value else { return nil }
            // Past this a Duration cannot hold it, and the conversion would end the process.
            guard abs(seconds) < 1e18 else { throw UnfitValue("takes a duration, and got \(seconds) seconds") }
            return .seconds(seconds)
        }
    }
}
