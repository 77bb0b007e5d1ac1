public import AppIntents
public import Foundation

/// A key that is looked up in a translation table. The key and its translations may contain inline Markdown.
///
/// Markdown syntax is removed, because the text of a snippet has a single style.
///
/// Source: Apple's LocalizedStringKey page.
public struct LocalizedStringKey: Equatable, Sendable, ExpressibleByStringInterpolation {
    let value: String.LocalizationValue
    /// The pictures among the interpolated values.
    let images: [Image]

    /// Creates a key from a string.
    public init(_ value: String) {
        self.value = String.LocalizationValue(value)
        images = []
    }

    public init(stringLiteral value: String) {
        self.init(value)
    }

    public init(stringInterpolation: StringInterpolation) {
        value = String.LocalizationValue(stringInterpolation: stringInterpolation.value)
        images = stringInterpolation.images
    }

    /// Returns the string in the language of a locale.
    func text(table: String? = nil, bundle: URL? = nil, locale: Locale?) -> String {
        String(
            _localized: value,
            table: table,
            bundle: bundle.flatMap { Bundle(url: $0) },
            locale: locale,
            editing: InlineMarkdown.plainText
        )
    }

    /// The literal and interpolated parts of a key.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        var value: String.LocalizationValue.StringInterpolation
        var images: [Image] = []

        public init(literalCapacity: Int, interpolationCount: Int) {
            value = .init(literalCapacity: literalCapacity, interpolationCount: interpolationCount)
        }

        public mutating func appendLiteral(_ literal: String) {
            value.appendLiteral(literal)
        }

        /// Appends the description of a value.
        public mutating func appendInterpolation<Value>(_ value: Value) {
            self.value.appendInterpolation(value)
        }

        /// Appends a whole number.
        public mutating func appendInterpolation(_ value: some BinaryInteger) {
            self.value.appendInterpolation(value)
        }

        /// Appends a number.
        public mutating func appendInterpolation(_ value: some BinaryFloatingPoint & CustomStringConvertible) {
            self.value.appendInterpolation(value)
        }

        /// Appends a localized string.
        public mutating func appendInterpolation(_ value: LocalizedStringResource) {
            self.value.appendInterpolation(value)
        }

        /// Appends the characters of an attributed string, without attributes.
        public mutating func appendInterpolation(_ value: AttributedString) {
            self.value.appendInterpolation(value)
        }

        /// Appends a number in a printf(3) format.
        public mutating func appendInterpolation<Value: CVarArg & Sendable>(_ value: Value, specifier: String) {
            self.value.appendInterpolation(value, specifier: specifier)
        }

        /// Appends a formatted value.
        public mutating func appendInterpolation<Style: FormatStyle>(_ value: Style.FormatInput, format: Style)
        where Style.FormatOutput == String {
            self.value.appendInterpolation(value, format: format)
        }

        /// Appends an object, formatted by a formatter.
        public mutating func appendInterpolation<Subject: NSObject>(_ subject: Subject, formatter: Formatter) {
            self.value.appendInterpolation(formatter.string(for: subject) ?? "")
        }

        /// Appends a value, formatted by a formatter.
        public mutating func appendInterpolation<Subject: ReferenceConvertible>(
            _ subject: Subject,
            formatter: Formatter
        ) {
            self.value.appendInterpolation(formatter.string(for: subject) ?? "")
        }

        /// Appends a date in a style.
        public mutating func appendInterpolation(_ date: Date, style: Text.DateStyle) {
            value.appendInterpolation(style.text(of: date, in: .ofRun))
        }

        /// Appends the string of a text view, without its style.
        public mutating func appendInterpolation(_ text: Text) {
            value.appendInterpolation(text.plainText(in: .ofRun))
        }

        /// Appends a picture, which is shown in front of the text.
        public mutating func appendInterpolation(_ image: Image) {
            value.appendInterpolation("")
            images.append(image)
        }
    }
}

extension Locale {
    /// The locale of the run's caller.
    static var ofRun: Locale { LocalizedStringResource("").locale }
}
