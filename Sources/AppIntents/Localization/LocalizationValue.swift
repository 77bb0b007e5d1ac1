public import Foundation

extension String {
    /// A text that is looked up in a table of translations, with its embedded values.
    ///
    /// Source: Apple's String.LocalizationValue page (Foundation; absent from Foundation on Linux).
    public struct LocalizationValue: Sendable, Hashable, Codable, ExpressibleByStringInterpolation {
        /// The text as a table's key, with `%@`, `%lld` or `%lf` for embedded values.
        let key: String
        /// The embedded values, in order.
        let arguments: [Argument]

        /// An embedded value.
        enum Argument: Sendable, Hashable, Codable {
            case text(String)
            /// A text with translations of its own.
            indirect case localized(LocalizedStringResource)
            /// The format of a value to insert later.
            case placeholder(String)
        }

        /// Creates a text without embedded values.
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

        /// Collects the parts of an interpolated literal.
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

            /// Embeds a value's description.
            public mutating func appendInterpolation<Value>(_ value: Value) {
                append("%@", .text(String(describing: value)))
            }

            /// Embeds a whole number.
            public mutating func appendInterpolation(_ value: some BinaryInteger) {
                append("%lld", .text(String(value)))
            }

            /// Embeds a number.
            public mutating func appendInterpolation(_ value: some BinaryFloatingPoint & CustomStringConvertible) {
                append("%lf", .text(value.description))
            }

            /// Embeds other localized text.
            public mutating func appendInterpolation(_ value: LocalizedStringResource) {
                append("%@", .localized(value))
            }

            /// Embeds the display text of a value, such as an enumeration case or an entity.
            public mutating func appendInterpolation(_ value: some CustomLocalizedStringResourceConvertible) {
                append("%@", .localized(value.localizedStringResource))
            }

            /// Embeds a text without its attributes.
            public mutating func appendInterpolation(_ value: AttributedString) {
                append("%@", .text(String(value.characters)))
            }

            /// Embeds a formatted value: `\(date, format: .dateTime)`.
            public mutating func appendInterpolation<Style: FormatStyle>(
                _ value: Style.FormatInput,
                format: Style
            ) where Style.FormatOutput == String {
                append("%@", .text(format.format(value)))
            }

            /// Embeds a value formatted as by printf(3): `\(price, specifier: "%.2f")`.
            public mutating func appendInterpolation<Value: CVarArg & Sendable>(_ value: Value, specifier: String) {
                append(specifier, .text(String(format: specifier, value)))
            }

            /// Embeds a placeholder for a value to insert later.
            public mutating func appendInterpolation(placeholder: Placeholder) {
                append(placeholder.format, .placeholder(placeholder.format))
            }

            /// Embeds a placeholder with a format of printf(3).
            public mutating func appendInterpolation(placeholder: Placeholder, specifier: String) {
                append(specifier, .placeholder(specifier))
            }
        }
    }

    /// Creates the text in the caller's locale.
    ///
    /// Source: Apple's String.init(localized:) page.
    public init(localized resource: LocalizedStringResource) {
        self = resource.text
    }

    /// Creates the text in a locale, by default the caller's.
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

    /// Creates the text for an explicit key.
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
    /// The text as a format, with doubled percent signs.
    fileprivate var withDoubledPercents: String { containsPercent ? replacing("%", with: "%%") : self }

    /// Whether the text contains a percent sign.
    ///
    /// Searches the bytes, because a search of characters loads Unicode tables, and every run creates such values.
    var containsPercent: Bool { utf8.contains(UInt8(ascii: "%")) }
}

extension AttributedString {
    /// Creates the text in the caller's locale, without attributes.
    ///
    /// Source: Apple's AttributedString.init(localized:) page.
    public init(localized resource: LocalizedStringResource) {
        self.init(resource.text)
    }
}
