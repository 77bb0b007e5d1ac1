import Foundation

/// The format of a floating-point number in a log message.
///
/// Source: Apple's OSLogFloatFormatting page.
public struct OSLogFloatFormatting: Sendable {
    fileprivate var conversion: String
    fileprivate var precision: Int?
    fileprivate var hasSign = false
    fileprivate var isUppercase = false

    /// Returns the number as C's `printf` formats it.
    func text(_ number: Double) -> String {
        let digits = precision.map { ".\(min(max($0, 0), 100))" } ?? ""
        let text = String(format: "%\(hasSign ? "+" : "")\(digits)\(conversion)", number)
        return isUppercase ? text.uppercased() : text
    }

    /// A number with six decimal places.
    public static let fixed = OSLogFloatFormatting(conversion: "f")
    /// A hexadecimal number.
    public static let hex = OSLogFloatFormatting(conversion: "a")
    /// A number with an exponent.
    public static let exponential = OSLogFloatFormatting(conversion: "e")
    /// The shorter of a fixed and an exponential number.
    public static let hybrid = OSLogFloatFormatting(conversion: "g")

    /// A number with a number of decimal places.
    public static func fixed(
        precision: @autoclosure () -> Int = 6,
        explicitPositiveSign: Bool = false,
        uppercase: Bool = false
    ) -> OSLogFloatFormatting {
        .init(conversion: "f", precision: precision(), hasSign: explicitPositiveSign, isUppercase: uppercase)
    }

    /// A hexadecimal number.
    public static func hex(explicitPositiveSign: Bool = false, uppercase: Bool = false) -> OSLogFloatFormatting {
        .init(conversion: "a", hasSign: explicitPositiveSign, isUppercase: uppercase)
    }

    /// A number with an exponent and a number of decimal places.
    public static func exponential(
        precision: @autoclosure () -> Int = 6,
        explicitPositiveSign: Bool = false,
        uppercase: Bool = false
    ) -> OSLogFloatFormatting {
        .init(conversion: "e", precision: precision(), hasSign: explicitPositiveSign, isUppercase: uppercase)
    }

    /// The shorter of a fixed and an exponential number, with a number of digits.
    public static func hybrid(
        precision: @autoclosure () -> Int = 6,
        explicitPositiveSign: Bool = false,
        uppercase: Bool = false
    ) -> OSLogFloatFormatting {
        .init(conversion: "g", precision: precision(), hasSign: explicitPositiveSign, isUppercase: uppercase)
    }
}

/// The format of a whole number in a log message.
///
/// Source: Apple's OSLogIntegerFormatting page.
public struct OSLogIntegerFormatting: Sendable {
    fileprivate var radix: Int
    fileprivate var minimumDigits = 1
    fileprivate var hasSign = false
    fileprivate var prefix = ""
    fileprivate var isUppercase = false

    func text(_ number: some FixedWidthInteger) -> String {
        let digits = String(number.magnitude, radix: radix, uppercase: isUppercase)
        let zeros = String(repeating: "0", count: min(max(minimumDigits - digits.utf8.count, 0), 100))
        return (number < 0 ? "-" : hasSign ? "+" : "") + prefix + zeros + digits
    }

    /// A decimal number.
    public static let decimal = OSLogIntegerFormatting(radix: 10)
    /// A hexadecimal number.
    public static let hex = OSLogIntegerFormatting(radix: 16)
    /// An octal number.
    public static let octal = OSLogIntegerFormatting(radix: 8)

    /// A decimal number with a least number of digits.
    public static func decimal(
        explicitPositiveSign: Bool = false,
        minDigits: @autoclosure () -> Int = 1
    ) -> OSLogIntegerFormatting {
        .init(radix: 10, minimumDigits: minDigits(), hasSign: explicitPositiveSign)
    }

    /// A hexadecimal number with a least number of digits.
    public static func hex(
        explicitPositiveSign: Bool = false,
        includePrefix: Bool = false,
        uppercase: Bool = false,
        minDigits: @autoclosure () -> Int = 1
    ) -> OSLogIntegerFormatting {
        .init(
            radix: 16,
            minimumDigits: minDigits(),
            hasSign: explicitPositiveSign,
            prefix: includePrefix ? "0x" : "",
            isUppercase: uppercase
        )
    }

    /// An octal number with a least number of digits.
    public static func octal(
        explicitPositiveSign: Bool = false,
        includePrefix: Bool = false,
        uppercase: Bool = false,
        minDigits: @autoclosure () -> Int = 1
    ) -> OSLogIntegerFormatting {
        .init(
            radix: 8,
            minimumDigits: minDigits(),
            hasSign: explicitPositiveSign,
            prefix: includePrefix ? "0o" : "",
            isUppercase: uppercase
        )
    }
}

/// The alignment of a value in a log message.
///
/// Source: Apple's OSLogStringAlignment page.
public struct OSLogStringAlignment: Sendable {
    private var columns: Int
    private var isRight: Bool

    func pad(_ text: String) -> String {
        let spaces = String(repeating: " ", count: min(max(columns - text.unicodeScalars.count, 0), 1000))
        return isRight ? spaces + text : text + spaces
    }

    /// The value without spaces.
    public static let none = OSLogStringAlignment(columns: 0, isRight: false)

    /// The value, followed by spaces up to a number of columns.
    public static func left(columns: @autoclosure () -> Int) -> OSLogStringAlignment {
        OSLogStringAlignment(columns: columns(), isRight: false)
    }

    /// The value after spaces, up to a number of columns.
    public static func right(columns: @autoclosure () -> Int) -> OSLogStringAlignment {
        OSLogStringAlignment(columns: columns(), isRight: true)
    }
}
