/// A point in wall-clock time. In JSON, it is the whole number of milliseconds since 1970.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// The number of milliseconds since 1970, without leap seconds, as in CLOCK_REALTIME.
    public var millisecondsSince1970: Int64

    /// Creates a timestamp from milliseconds since 1970.
    public init(millisecondsSince1970: Int64) {
        self.millisecondsSince1970 = millisecondsSince1970
    }

    /// Returns true if the left timestamp is earlier than the right one.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.millisecondsSince1970 < right.millisecondsSince1970
    }

    /// Returns the duration from the right timestamp to the left one.
    public static func - (left: Timestamp, right: Timestamp) -> Duration {
        .milliseconds(left.millisecondsSince1970) - .milliseconds(right.millisecondsSince1970)
    }

    /// Returns the timestamp that precedes `moment` by the given duration.
    public static func - (moment: Timestamp, span: Duration) -> Timestamp {
        Timestamp(millisecondsSince1970: moment.millisecondsSince1970 - span.milliseconds)
    }
}

extension Timestamp: Codable {
    /// Decodes the number of milliseconds since 1970.
    public init(from decoder: any Decoder) throws {
        millisecondsSince1970 = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// Encodes the number of milliseconds since 1970.
    public func encode(to encoder: any Encoder) throws { try millisecondsSince1970.encode(to: encoder) }
}

/// A duration that is a whole number of milliseconds in JSON.
@propertyWrapper
public struct Milliseconds: Hashable, Sendable, Codable {
    /// The duration.
    public var wrappedValue: Duration

    /// Wraps a duration.
    public init(wrappedValue: Duration) {
        self.wrappedValue = wrappedValue
    }

    /// Decodes whole milliseconds.
    public init(from decoder: any Decoder) throws {
        wrappedValue = .milliseconds(try decoder.singleValueContainer().decode(Int64.self))
    }

    /// Encodes whole milliseconds.
    public func encode(to encoder: any Encoder) throws { try wrappedValue.wholeMilliseconds.encode(to: encoder) }
}

/// A duration that is a whole number of microseconds in JSON.
@propertyWrapper
public struct Microseconds: Hashable, Sendable, Codable {
    /// The duration.
    public var wrappedValue: Duration

    /// Wraps a duration.
    public init(wrappedValue: Duration) {
        self.wrappedValue = wrappedValue
    }

    /// Decodes whole microseconds.
    public init(from decoder: any Decoder) throws {
        wrappedValue = .microseconds(try decoder.singleValueContainer().decode(Int64.self))
    }

    /// Encodes whole microseconds.
    public func encode(to encoder: any Encoder) throws { try wrappedValue.microseconds.encode(to: encoder) }
}

/// An optional duration. In JSON, it is a whole number of milliseconds, and nil is encoded by omitting the member.
@propertyWrapper
public struct OptionalMilliseconds: Hashable, Sendable, Codable {
    /// The wrapped duration; nil when it is unknown or does not apply.
    public var wrappedValue: Duration?

    /// Wraps a duration.
    public init(wrappedValue: Duration?) {
        self.wrappedValue = wrappedValue
    }

    /// Decodes a whole number of milliseconds or null.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? nil : .milliseconds(try container.decode(Int64.self))
    }

    /// Encodes a whole number of milliseconds or null.
    public func encode(to encoder: any Encoder) throws { try wrappedValue?.wholeMilliseconds.encode(to: encoder) }
}

// Synthesized Codable conformances select these overloads, which decode an absent member as nil and omit nil when
// encoding.
extension KeyedDecodingContainer {
    func decode(_: OptionalMilliseconds.Type, forKey key: Key) throws -> OptionalMilliseconds {
        OptionalMilliseconds(wrappedValue: try decodeIfPresent(Int64.self, forKey: key).map { .milliseconds($0) })
    }
}

extension KeyedEncodingContainer {
    mutating func encode(_ span: OptionalMilliseconds, forKey key: Key) throws {
        try encodeIfPresent(span.wrappedValue?.wholeMilliseconds, forKey: key)
    }
}
