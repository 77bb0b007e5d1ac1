public import Foundation

/// The unit in which a measurement is shown. On Linux, it is always the measurement's own unit.
///
/// Source: Apple's MeasurementFormatUnitUsage page (Foundation, which lacks this type on Linux).
public struct MeasurementFormatUnitUsage<UnitType: Dimension>: Hashable, Codable, Sendable {
    private let name: String

    /// The unit that a person of the locale expects. On Linux, the measurement's own unit.
    public static var general: Self { Self(name: "general") }
    /// The measurement's own unit.
    public static var asProvided: Self { Self(name: "asProvided") }
}

extension Measurement where UnitType: Dimension {
    /// A format for measurements: the number in the caller's locale, and the symbol of the unit.
    ///
    /// Source: Apple's Measurement.FormatStyle page (Foundation, which lacks this type on Linux).
    public struct FormatStyle: Foundation.FormatStyle, Sendable {
        /// The width of the unit. Linux has no names of units, so all but the narrow one are equal.
        public struct UnitWidth: Hashable, Codable, Sendable {
            fileprivate let name: String

            /// The symbol after a space.
            public static var wide: Self { Self(name: "wide") }
            /// The symbol after a space.
            public static var abbreviated: Self { Self(name: "abbreviated") }
            /// The symbol without a space.
            public static var narrow: Self { Self(name: "narrow") }
        }

        /// The width of the unit.
        public var width: UnitWidth
        /// The unit to show.
        public var usage: MeasurementFormatUnitUsage<UnitType>
        /// The locale of the number.
        public var locale: Locale
        /// The format of the number; nil for at most two digits after the decimal point.
        public var numberFormatStyle: FloatingPointFormatStyle<Double>?

        /// Creates a format. The default locale is the caller's.
        public init(
            width: UnitWidth,
            locale: Locale = .autoupdatingCurrent,
            usage: MeasurementFormatUnitUsage<UnitType> = .general,
            numberFormatStyle: FloatingPointFormatStyle<Double>? = nil
        ) {
            self.width = width
            self.usage = usage
            let isChosen = locale != .autoupdatingCurrent
            self.locale = isChosen ? locale : RunLocale.current
            self.numberFormatStyle = numberFormatStyle
        }

        /// Returns the measurement as text.
        public func format(_ value: Measurement<UnitType>) -> String {
            let style = numberFormatStyle ?? FloatingPointFormatStyle().precision(.fractionLength(0...2))
            return "\(style.locale(locale).format(value.value))\(width == .narrow ? "" : " ")\(value.unit.symbol)"
        }

        /// Returns the format with another locale.
        public func locale(_ locale: Locale) -> FormatStyle {
            var style = self
            style.locale = locale
            return style
        }
    }

    /// Returns the measurement as text in the caller's locale.
    public func formatted() -> String { FormatStyle(width: .abbreviated).format(self) }

    /// Returns the measurement as text in a format.
    public func formatted<Style: Foundation.FormatStyle>(_ style: Style) -> Style.FormatOutput
    where Style.FormatInput == Measurement<UnitType> {
        style.format(self)
    }
}

extension FormatStyle {
    /// Returns a format for measurements.
    public static func measurement<UnitType: Dimension>(
        width: Measurement<UnitType>.FormatStyle.UnitWidth,
        usage: MeasurementFormatUnitUsage<UnitType> = .general,
        numberFormatStyle: FloatingPointFormatStyle<Double>? = nil
    ) -> Self where Self == Measurement<UnitType>.FormatStyle {
        Self(width: width, usage: usage, numberFormatStyle: numberFormatStyle)
    }
}
