public import Foundation
import IntentSharedTypes

extension String {
    /// A string with interpolated values that is looked up in a translation table.
    ///
    /// Source: Apple's String.LocalizationValue page (Foundation, which lacks this type on Linux).
    public struct LocalizationValue: Sendable, Hashable, Codable, ExpressibleByStringInterpolation {
        /// The key of the string in a table, with `%@`, `%lld` or `%lf` for the interpolated values.
        let key: String
        /// The interpolated values, in order.
        let arguments: [Argument]

        /// An interpolated value.
        enum Argument: Sendable, Hashable, Codable {
            case text(String)
            /// A string that is translated separately.
            indirect case localized(LocalizedStringResource)
            /// The format of a value that is inserted later.
            case placeholder(String)
        }

        /// Creates a localization value without interpolated values.
        public init(_ value: String) {
            key = value.withDoubledPercents
            arguments = []
        }

        public init(stringLiteral value: String) {
            self.init(value)
        }

        public init(stringInterpolation: StringInterpolation) {
            key = stringInterpolation.key
            arguments = stringInterpolation.arguments
        }

        /// Collects the literal and interpolated parts of the string.
        public struct StringInterpolation: StringInterpolationProtocol, Sendable {
            var key = ""
            var arguments: [Argument] = []

            public init(literalCapacity: Int, interpolationCount: Int) {
                key.reserveCapacity(literalCapacity)
            }

            public mutating func appendLiteral(_ literal: String) {
                key += literal.withDoubledPercents
            }

            private mutating func append(_ format: String, _ argument: Argument) {
                key += format
                arguments.append(argument)
            }

            /// Appends the description of a value.
            public mutating func appendInterpolation<Value>(_ value: Value) {
                append("%@", .text(String(describing: value)))
            }

            /// Appends a whole number.
            public mutating func appendInterpolation(_ value: some BinaryInteger) {
                append("%lld", .text(String(value)))
            }

            /// Appends a number.
            public mutating func appendInterpolation(_ value: some BinaryFloatingPoint & CustomStringConvertible) {
                append("%lf", .text(value.description))
            }

            /// Appends another localized string.
            public mutating func appendInterpolation(_ value: LocalizedStringResource) {
                append("%@", .localized(value))
            }

            /// Appends the display name of a value, such as an enumeration case or an entity.
            public mutating func appendInterpolation(_ value: some CustomLocalizedStringResourceConvertible) {
                append("%@", .localized(value.localizedStringResource))
            }

            /// Appends the characters of an attributed string, without attributes.
            public mutating func appendInterpolation(_ value: AttributedString) {
                append("%@", .text(String(String.UnicodeScalarView(value.unicodeScalars))))
            }

            /// Appends a formatted value: `\(date, format: .dateTime)`.
            public mutating func appendInterpolation<Style: FormatStyle>(
                _ value: Style.FormatInput,
                format: Style
            ) where Style.FormatOutput == String {
                append("%@", .text(format.format(value)))
            }

            /// Appends a value in a printf(3) format: `\(price, specifier: "%.2f")`.
            public mutating func appendInterpolation<Value: CVarArg & Sendable>(_ value: Value, specifier: String) {
                append(specifier, .text(String(format: specifier, value)))
            }

            /// Appends a placeholder for a value that is inserted later.
            public mutating func appendInterpolation(placeholder: Placeholder) {
                append(placeholder.format, .placeholder(placeholder.format))
            }

            /// Appends a placeholder with a printf(3) format.
            public mutating func appendInterpolation(placeholder: Placeholder, specifier: String) {
                append(specifier, .placeholder(specifier))
            }
        }
    }

    /// Creates a string that is translated into the caller's language.
    ///
    /// Source: Apple's String.init(localized:) page.
    public init(localized resource: LocalizedStringResource) {
        self = resource.text
    }

    /// Creates a string that is translated into the language of a locale, by default the caller's locale.
    ///
    /// Source: Apple's String.init(localized:table:bundle:locale:comment:) page.
    public init(
        localized value: LocalizationValue,
        table: String? = nil,
        bundle: Bundle? = nil,
        locale: Locale? = nil,
        comment: StaticString? = nil
    ) {
        self = Localization.text(value.key, value, table: table, in: bundle?.bundleURL, locale: locale)
    }

    /// Creates a translated string. The closure changes the format before the values are inserted. Not for direct use
    /// by apps.
    public init(
        _localized value: LocalizationValue,
        table: String?,
        bundle: Bundle?,
        locale: Locale?,
        editing edit: (String) -> String
    ) {
        self = Localization.text(value.key, value, table: table, in: bundle?.bundleURL, locale: locale, edit)
    }

    /// Creates a translated string that is looked up under an explicit key.
    ///
    /// Source: Apple's String.init(localized:defaultValue:table:bundle:locale:comment:) page.
    public init(
        localized key: StaticString,
        defaultValue: LocalizationValue,
        table: String? = nil,
        bundle: Bundle? = nil,
        locale: Locale? = nil,
        comment: StaticString? = nil
    ) {
        self = Localization.text(key.description, defaultValue, table: table, in: bundle?.bundleURL, locale: locale)
    }
}

extension String {
    /// The string as a format, in which percent signs are doubled.
    fileprivate var withDoubledPercents: String { containsPercent ? replacing(utf8: "%", with: "%%") : self }

    /// True if the string contains a percent sign.
    ///
    /// Searches the bytes, because searching the characters would load Unicode tables in every run.
    var containsPercent: Bool { utf8.contains(UInt8(ascii: "%")) }
}

extension AttributedString {
    /// Creates a string that is translated into the caller's language, without attributes.
    ///
    /// Source: Apple's AttributedString.init(localized:) page.
    public init(localized resource: LocalizedStringResource) {
        self.init(resource.text)
    }
}
