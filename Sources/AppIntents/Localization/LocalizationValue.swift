public import Foundation

extension String {
    /// Text to be looked up in a table of translations, with the values that it embeds.
    ///
    /// Source: Apple's String.LocalizationValue page (Foundation; absent from Foundation on Linux).
    public struct LocalizationValue: Sendable, Hashable, Codable, ExpressibleByStringInterpolation {
        /// The text as a table's key, with `%@`, `%lld` or `%lf` where values are embedded.
        let key: String
        /// The text as written, with the values in their places.
        let text: String

        /// Text without embedded values.
        public init(_ value: String) {
            key = value.replacing("%", with: "%%")
            text = value
        }

        public init(stringLiteral value: String) {
            self.init(value)
        }

        public init(stringInterpolation: StringInterpolation) {
            key = stringInterpolation.key
            text = stringInterpolation.text
        }

        /// Collects the pieces of an interpolated literal.
        public struct StringInterpolation: StringInterpolationProtocol, Sendable {
            var key = ""
            var text = ""

            public init(literalCapacity: Int, interpolationCount: Int) {
                key.reserveCapacity(literalCapacity)
                text.reserveCapacity(literalCapacity)
            }

            public mutating func appendLiteral(_ literal: String) {
                key += literal.replacing("%", with: "%%")
                text += literal
            }

            /// Embeds any value by its description.
            public mutating func appendInterpolation<Value>(_ value: Value) {
                key += "%@"
                text += String(describing: value)
            }

            /// Embeds a whole number.
            public mutating func appendInterpolation(_ value: some BinaryInteger) {
                key += "%lld"
                text += String(value)
            }

            /// Embeds a number.
            public mutating func appendInterpolation(_ value: some BinaryFloatingPoint & CustomStringConvertible) {
                key += "%lf"
                text += value.description
            }

            /// Embeds other localized text.
            public mutating func appendInterpolation(_ value: LocalizedStringResource) {
                key += "%@"
                text += value.text
            }

            /// Leaves a place for a value that comes later, as in a format for numbers.
            public mutating func appendInterpolation(placeholder: Placeholder) {
                key += placeholder.format
                text += placeholder.format
            }
        }
    }

    /// The text for the current locale.
    ///
    /// Source: Apple's String.init(localized:) page. Tables of translations are not read on Linux: the text is the
    /// one that the source gives.
    public init(localized resource: LocalizedStringResource) {
        self = resource.text
    }

    /// The text for a locale.
    ///
    /// Source: Apple's String.init(localized:table:bundle:locale:comment:) page.
    public init(
        localized value: LocalizationValue,
        table: String? = nil,
        bundle: Bundle? = nil,
        locale: Locale? = nil,
        comment: StaticString? = nil
    ) {
        self = value.text
    }
}
