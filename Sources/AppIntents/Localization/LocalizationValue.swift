public import Foundation

extension String {
    /// Text to be looked up in a table of translations, with the values that it embeds.
    ///
    /// Source: Apple's String.LocalizationValue page (Foundation; absent from Foundation on Linux).
    public struct LocalizationValue: Sendable, Hashable, Codable, ExpressibleByStringInterpolation {
        /// The text as a table's key, with `%@`, `%lld` or `%lf` where values are embedded.
        let key: String
        /// The embedded values as text, in the order of their places.
        let arguments: [Argument]

        /// What stands in a place.
        enum Argument: Sendable, Hashable, Codable {
            case text(String)
            /// Text that has translations of its own.
            indirect case localized(LocalizedStringResource)
            /// Left open for a value that comes later.
            case placeholder(String)
        }

        /// Text without embedded values.
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

        /// Collects the pieces of an interpolated literal.
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

            /// Embeds any value by its description.
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

            /// Embeds a value by its text for people: a case of an enum, an entity.
            public mutating func appendInterpolation(_ value: some CustomLocalizedStringResourceConvertible) {
                append("%@", .localized(value.localizedStringResource))
            }

            /// Embeds text without its attributes.
            public mutating func appendInterpolation(_ value: AttributedString) {
                append("%@", .text(String(value.characters)))
            }

            /// Embeds a value in a style: `\(date, format: .dateTime)`.
            public mutating func appendInterpolation<Style: FormatStyle>(
                _ value: Style.FormatInput,
                format: Style
            ) where Style.FormatOutput == String {
                append("%@", .text(format.format(value)))
            }

            /// Embeds a value as a format of printf(3) says: `\(price, specifier: "%.2f")`.
            public mutating func appendInterpolation<Value: CVarArg & Sendable>(_ value: Value, specifier: String) {
                append(specifier, .text(String(format: specifier, value)))
            }

            /// Leaves a place for a value that comes later, as in a format for numbers.
            public mutating func appendInterpolation(placeholder: Placeholder) {
                append(placeholder.format, .placeholder(placeholder.format))
            }

            /// The same with a format of printf(3).
            public mutating func appendInterpolation(placeholder: Placeholder, specifier: String) {
                append(specifier, .placeholder(specifier))
            }
        }
    }

    /// The text for the locale of the one who asked for the run.
    ///
    /// Source: Apple's String.init(localized:) page.
    public init(localized resource: LocalizedStringResource) {
        self = resource.text
    }

    /// The text for a locale; nil: that of the one who asked for the run.
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

    /// The text with a key of its own.
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
    /// As a format has its percent signs.
    fileprivate var withDoubledPercents: String { holdsPercent ? replacing("%", with: "%%") : self }

    /// By its bytes: a search for text comes with tables of Unicode, and every run makes such values.
    var holdsPercent: Bool { utf8.contains(UInt8(ascii: "%")) }
}

extension AttributedString {
    /// The text for the locale of the one who asked for the run, without attributes.
    ///
    /// Source: Apple's AttributedString.init(localized:) page.
    public init(localized resource: LocalizedStringResource) {
        self.init(resource.text)
    }
}
