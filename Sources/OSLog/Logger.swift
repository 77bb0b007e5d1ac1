import Foundation

/// Writes what an app has to say on standard error, where `intentd` keeps it with the run.
///
/// Source: Apple's Logger page (OSLog; absent on Linux).
public struct Logger: Sendable {
    private let category: String

    /// A log without a category.
    public init() {
        category = ""
    }

    /// A log of a part of an app. The subsystem has no meaning here: a run knows its app.
    public init(subsystem: String, category: String) {
        self.category = category
    }

    /// Says something at the level of a notice.
    public func log(_ message: OSLogMessage) { write(.default, message) }
    /// Says something at a level.
    public func log(level: OSLogType, _ message: OSLogMessage) { write(level, message) }
    /// Says what only somebody who looks for a mistake wants to know: nothing is written.
    public func trace(_ message: @autoclosure () -> OSLogMessage) {}
    /// Says what only somebody who looks for a mistake wants to know: nothing is written.
    public func debug(_ message: @autoclosure () -> OSLogMessage) {}
    /// Says what may help.
    public func info(_ message: OSLogMessage) { write(.info, message) }
    /// Says what is worth knowing.
    public func notice(_ message: OSLogMessage) { write(.default, message) }
    /// Says what should not be.
    public func warning(_ message: OSLogMessage) { write(.error, message) }
    /// Says what went wrong.
    public func error(_ message: OSLogMessage) { write(.error, message) }
    /// Says what went very wrong.
    public func critical(_ message: OSLogMessage) { write(.fault, message) }
    /// Says what cannot be.
    public func fault(_ message: OSLogMessage) { write(.fault, message) }

    private func write(_ level: OSLogType, _ message: OSLogMessage) {
        guard level != .debug else { return }
        let source = category.isEmpty ? "" : "[\(category)] "
        FileHandle.standardError.write(Data("\(source)\(message.text)\n".utf8))
    }
}

/// How much something matters.
///
/// Source: Apple's OSLogType page.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public static let `default` = OSLogType(rawValue: 0)
    public static let info = OSLogType(rawValue: 1)
    public static let debug = OSLogType(rawValue: 2)
    public static let error = OSLogType(rawValue: 16)
    public static let fault = OSLogType(rawValue: 17)
}

/// What is said.
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

/// Whether a value may be read by others.
///
/// Source: Apple's OSLogPrivacy page.
public struct OSLogPrivacy: Sendable {
    /// How a value that may not be read is told from others.
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

/// Collects the pieces of a message.
///
/// Source: Apple's OSLogInterpolation page.
public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
    var text = ""

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ literal: String) {
        text += literal
    }

    /// Embeds any value by its description.
    public mutating func appendInterpolation<Value>(
        _ value: @autoclosure () -> Value,
        privacy: OSLogPrivacy = .auto
    ) {
        text += privacy.isHidden ? "<private>" : "\(value())"
    }
}
