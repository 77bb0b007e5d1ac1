import FoundationEssentials

/// Encodes and decodes messages. A payload is JSON with sorted keys, so equal messages are encoded as equal bytes.
///
/// An encoded message is stream-safe (``StreamSafeText``), and a message that is not is refused.
package enum WireCoding {
    package static func encode(_ message: some Encodable) -> [UInt8] { encodeByCodable(message) }

    /// Encodes a message with `Codable`, even if hand-written code exists for it.
    package static func encodeByCodable(_ message: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // An app can return infinity, which JSON cannot express.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        do {
            return StreamSafeText.stabilize(Array(try encoder.encode(message)))
        } catch {
            preconditionFailure("cannot encode a message: \(error)")
        }
    }

    /// Decodes a message.
    ///
    /// - Throws: ``WireError`` with the path of the invalid field.
    package static func decode<Message: Decodable>(
        _ type: Message.Type,
        from payload: [UInt8]
    ) throws(WireError) -> Message {
        try decode(type, from: payload, as: .message)
    }

    /// Decodes a message, or a value with keys of a user or an app.
    ///
    /// - Throws: ``WireError`` with the path of the invalid field.
    package static func decode<Message: Decodable>(
        _ type: Message.Type,
        from payload: [UInt8],
        as content: PayloadShape.Content,
        valueLimit: Int = .max
    ) throws(WireError) -> Message {
        try PayloadShape.check(payload, as: content, valueLimit: valueLimit)
        return try decodeOwn(type, from: payload)
    }

    /// Decodes a file of another program, which may exceed the limits of messages (``PayloadShape/checkFile(_:)``).
    package static func decodeFile<Value: Decodable>(
        _ type: Value.Type,
        from bytes: [UInt8]
    ) throws(WireError) -> Value {
        try PayloadShape.checkFile(bytes)
        return try decodeOwn(type, from: bytes)
    }

    /// Decodes a message that this program encoded. The nesting depth is not limited, because the message can contain
    /// another message with the maximum depth.
    package static func decodeOwn<Message: Decodable>(
        _ type: Message.Type,
        from payload: [UInt8]
    ) throws(WireError) -> Message {
        do {
            return try JSONDecoder().decode(type, from: Data(payload))
        } catch let error as WireError {
            throw error
        } catch let error as DecodingError {
            throw WireError.malformed(Self.describe(error))
        } catch {
            throw WireError.malformed("not JSON")
        }
    }

    private static func describe(_ error: DecodingError) -> String {
        switch error {
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            context.codingPath.isEmpty ? "not an object" : "field '\(path(context.codingPath))' has the wrong type"
        case .keyNotFound(let key, let context):
            "field '\(path(context.codingPath + [key]))' is missing"
        case .dataCorrupted(let context):
            context.codingPath.isEmpty
                ? (context.underlyingError as? FieldProblem)?.description ?? "a number is out of range"
                : "field '\(path(context.codingPath))': \(problem(of: context))"
        @unknown default:
            "not a message of this protocol"
        }
    }

    /// Returns the reason why a value was rejected. The decoder's own description is unsuitable for peers, because it
    /// names Swift types and changes with the library.
    private static func problem(of context: DecodingError.Context) -> String {
        (context.underlyingError as? FieldProblem)?.description ?? "invalid value"
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        excerpt(keys.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: "."))
    }

    /// Returns at most the first 80 Unicode scalars of a string from a peer, so that error messages stay short.
    package static func excerpt(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: 80, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return text }
        return String(scalars[..<end]) + "…"
    }
}

/// The error for a payload that is not a valid message.
package enum WireError: Error, Equatable, Sendable {
    /// The payload is not JSON, or a field is missing or has the wrong type.
    case malformed(String)
    /// The message's type belongs to another protocol or a newer version of this protocol.
    case unknownMessage(type: String)
}

extension WireError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .malformed(let reason): reason
        case .unknownMessage(let type): "unknown message type '\(type)'"
        }
    }
}

/// The reason why a field's value was rejected, as a message for the peer that sent it.
struct FieldProblem: Error, CustomStringConvertible {
    let description: String
}

extension DecodingError {
    package static func problem(_ description: String, at path: [any CodingKey]) -> DecodingError {
        let problem = FieldProblem(description: description)
        return .dataCorrupted(Context(codingPath: path, debugDescription: description, underlyingError: problem))
    }
}

extension KeyedDecodingContainer {
    /// Creates the error for a field's value that can be decoded but is not permitted.
    package func problem(_ key: Key, _ description: String) -> DecodingError {
        .problem(description, at: codingPath + [key])
    }
}

/// The fields of messages and their parts.
package enum MessageKey: String, CodingKey {
    case after, answer, app, apps, array, caller, catalog, count, crash, currencyAmount, dialog, end, entity, error,
        exited, files, from, graceMilliseconds, history, id, isReturn, isolation, keep, kind, limit, logs, measurement,
        message, number, object, observation, parameter, path, paths, phase, process, progress, question, reason,
        reportsUsage, run, runCount, runs, serial, signal, signaled, slot, slots, software, state, status, stories,
        story,
        stream, text, ticket, type, user, value, writable
    case enumeration = "enum"
}

extension Decoder {
    /// Decodes the type of the message.
    ///
    /// - Throws: ``WireError/unknownMessage(type:)`` for a type that is unknown to this release.
    package func messageKind<Kind: RawRepresentable<String>>(_: Kind.Type) throws -> Kind {
        let text = try container(keyedBy: MessageKey.self).decode(String.self, forKey: .type)
        guard let kind = Kind(rawValue: text) else { throw WireError.unknownMessage(type: WireCoding.excerpt(text)) }
        return kind
    }

    /// Decodes a field.
    package func field<Value: Decodable>(_ key: MessageKey) throws -> Value {
        try container(keyedBy: MessageKey.self).decode(Value.self, forKey: key)
    }

    /// Decodes a field that can be null or missing.
    package func optionalField<Value: Decodable>(_ key: MessageKey) throws -> Value? {
        try container(keyedBy: MessageKey.self).decodeIfPresent(Value.self, forKey: key)
    }

    /// Returns whether the field is present. It can be null.
    package func hasField(_ key: MessageKey) throws -> Bool {
        try container(keyedBy: MessageKey.self).contains(key)
    }
}

extension Encoder {
    /// Encodes fields of an object. A field with nil is omitted.
    package func encodeFields<each Value: Encodable>(_ fields: repeat (MessageKey, (each Value)?)) throws {
        var container = container(keyedBy: MessageKey.self)
        for (key, value) in repeat each fields {
            if let value { try container.encode(value, forKey: key) }
        }
    }

    /// Encodes a message as one object that contains its type and its fields. A field with nil is omitted.
    package func encodeMessage<each Value: Encodable>(
        _ kind: some RawRepresentable<String>,
        _ fields: repeat (MessageKey, (each Value)?)
    ) throws {
        try encodeFields((.type, kind.rawValue), repeat each fields)
    }

    /// Encodes a message as one object that contains its type and the properties of a value.
    package func encodeMessage<each Value: Encodable>(
        _ kind: some RawRepresentable<String>,
        _ value: some Encodable,
        _ fields: repeat (MessageKey, (each Value)?)
    ) throws {
        try encodeMessage(kind, repeat each fields)
        try value.encode(to: self)
    }
}
