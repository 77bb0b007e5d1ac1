import Foundation

/// A logger that writes an app's messages to standard error. `intentd` stores them with the run.
///
/// Source: Apple's Logger page (OSLog, which does not exist on Linux).
public struct Logger: Sendable {
    private let category: String

    /// Creates a logger without a category.
    public init() {
        category = ""
    }

    /// Creates a logger for a part of an app. The subsystem is ignored on Linux, where each run belongs to a single
    /// app.
    public init(subsystem: String, category: String) {
        self.category = category
    }

    /// Logs a notice.
    public func log(_ message: OSLogMessage) { write(.default, message) }
    /// Logs a message at a level. Debug messages are not written on Linux.
    public func log(level: OSLogType, _ message: OSLogMessage) { write(level, message) }
    /// Logs a debug message, which is not written on Linux.
    public func trace(_ message: @autoclosure () -> OSLogMessage) {}
    /// Logs a debug message, which is not written on Linux.
    public func debug(_ message: @autoclosure () -> OSLogMessage) {}
    /// Logs an informational message.
    public func info(_ message: OSLogMessage) { write(.info, message) }
    /// Logs a notice.
    public func notice(_ message: OSLogMessage) { write(.default, message) }
    /// Logs a warning.
    public func warning(_ message: OSLogMessage) { write(.error, message) }
    /// Logs an error.
    public func error(_ message: OSLogMessage) { write(.error, message) }
    /// Logs a critical error.
    public func critical(_ message: OSLogMessage) { write(.fault, message) }
    /// Logs a bug in the program.
    public func fault(_ message: OSLogMessage) { write(.fault, message) }

    private func write(_ level: OSLogType, _ message: OSLogMessage) {
        guard level != .debug else { return }
        let source = category.isEmpty ? "" : "[\(category)] "
        FileHandle.standardError.write(Data("\(source)\(message.text)\n".utf8))
    }
}

/// The severity of a log message.
///
/// Source: Apple's OSLogType page.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// An ordinary message.
    public static let `default` = OSLogType(rawValue: 0)
    /// An informational message.
    public static let info = OSLogType(rawValue: 1)
    /// A debug message, which is not written on Linux.
    public static let debug = OSLogType(rawValue: 2)
    /// An error.
    public static let error = OSLogType(rawValue: 16)
    /// A bug in the program.
    public static let fault = OSLogType(rawValue: 17)
}

/// A log message with interpolated values.
///
/// Source: Apple's OSLogMessage page.
public struct OSLogMessage: Sendable, ExpressibleByStringInterpolation {
    let text: String

    public init(stringLiteral value: String) {
        text = value
    }

    public init(stringInterpolation: OSLogInterpolation) {
        text = stringInterpolation.text
    }
}

/// The privacy of an interpolated value: whether the log contains the value or a placeholder.
///
/// Source: Apple's OSLogPrivacy page.
public struct OSLogPrivacy: Sendable {
    /// The placeholder for a private value. On Linux, it is always `<private>`.
    public enum Mask: Sendable {
        case none
        case hash
    }

    fileprivate let isHidden: Bool

    public static let auto = OSLogPrivacy(isHidden: false)
    public static let `public` = OSLogPrivacy(isHidden: false)
    public static let `private` = OSLogPrivacy(isHidden: true)
    public static let sensitive = OSLogPrivacy(isHidden: true)

    public static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(isHidden: mask != .none) }
    public static func `private`(mask: Mask) -> OSLogPrivacy { .private }
    public static func sensitive(mask: Mask) -> OSLogPrivacy { .sensitive }
}

/// Collects the literal and interpolated parts of a log message.
///
/// Source: Apple's OSLogInterpolation page.
public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
    var text = ""

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ literal: String) {
        text += literal
    }

    /// Appends the description of a value.
    public mutating func appendInterpolation<Value>(
        _ value: @autoclosure () -> Value,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        text += privacy.isHidden ? "<private>" : align.pad("\(value())")
    }

    /// Appends a number in a format.
    public mutating func appendInterpolation<Number: BinaryFloatingPoint>(
        _ number: @autoclosure () -> Number,
        format: OSLogFloatFormatting,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        appendInterpolation(format.text(Double(number())), align: align, privacy: privacy)
    }

    /// Appends a whole number in a format.
    public mutating func appendInterpolation<Number: FixedWidthInteger>(
        _ number: @autoclosure () -> Number,
        format: OSLogIntegerFormatting,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        appendInterpolation(format.text(number()), align: align, privacy: privacy)
    }
}
