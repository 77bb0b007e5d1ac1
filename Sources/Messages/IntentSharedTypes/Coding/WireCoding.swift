/// Encodes and decodes messages. A payload is JSON with sorted keys, so equal messages are encoded as equal bytes.
///
/// An encoded message is stream-safe (``StreamSafeText``), and a message that is not is refused.
package enum WireCoding {
    package static func encode(_ message: some Encodable) -> [UInt8] { encodeByCodable(message) }

    /// Encodes a message with `Codable`, even if code is generated for it.
    package static func encodeByCodable(_ message: some Encodable) -> [UInt8] {
        let output = MessageOutput()
        do {
            try output.value(message)
            return output.writer.bytes
        } catch {
            preconditionFailure("cannot encode a message: \(error)")
        }
    }

    /// Decodes a message, or a value with keys of a user or an app.
    ///
    /// - Throws: ``WireError`` with the path of the invalid field.
    package static func decode<Message: Decodable>(
        _ type: Message.Type,
        from payload: [UInt8],
        as content: PayloadShape.Content = .message,
        valueLimit: Int = .max
    ) throws(WireError) -> Message {
        try decode(type, from: payload, .payload(content, values: valueLimit)) { _ in nil }
    }

    /// Decodes a message that is exchanged in every run.
    ///
    /// - Throws: ``WireError`` with the path of the invalid field.
    package static func decode<Message: GeneratedMessage>(
        _ type: Message.Type,
        from payload: [UInt8]
    ) throws(WireError) -> Message {
        try decode(type, from: payload, .payload(.message, values: type.valueLimit)) { document in
            guard document.kind(0) == .object else { return nil }
            // The error of Codable for the whole message is the better one.
            return (try? Message(reading: ObjectReader(document, 0))) ?? nil
        }
    }

    /// Decodes a file of another program, or a message that this program encoded. Both may exceed the limits of messages
    /// (``PayloadShape/checkFile(_:)``): a message of this program can contain another message with the maximum depth.
    package static func decodeFile<Value: Decodable>(
        _ type: Value.Type,
        from bytes: [UInt8]
    ) throws(WireError) -> Value {
        try decode(type, from: bytes, .file) { _ in nil }
    }

    private static func decode<Message: Decodable>(
        _ type: Message.Type,
        from payload: [UInt8],
        _ limits: PayloadShape.Limits,
        _ read: (JSONDocument) throws -> Message?
    ) throws(WireError) -> Message {
        let document = try JSONScanner.document(payload, limits)
        do {
            return try read(document) ?? document.value(type, at: 0)
        } catch {
            throw problem(document.failure ?? error, in: document)
        }
    }

    private static func problem(_ error: any Error, in document: JSONDocument) -> WireError {
        switch error {
        case let error as WireError: error
        case let problem as DecodingProblem:
            switch problem.kind {
            case .outOfRange: .malformed("a number is out of range")
            case .invalid: .malformed("field '\(path(document.path(to: problem.node)))': invalid value")
            case .missing(let key): .malformed("field '\(path(document.path(to: problem.node) + [key]))' is missing")
            case .wrongType:
                problem.node == 0
                    ? .malformed("not an object")
                    : .malformed("field '\(path(document.path(to: problem.node)))' has the wrong type")
            }
        case DecodingError.dataCorrupted(let context):
            // The standard library's own description is unsuitable for peers, because it names Swift types and changes
            // with the library. It rejects a word that is not the raw value of an enumeration's case.
            .malformed(field(context.codingPath, (context.underlyingError as? FieldProblem)?.description))
        default: .malformed("not a message of this protocol")
        }
    }

    private static func field(_ keys: [any CodingKey], _ problem: String?) -> String {
        guard !keys.isEmpty else { return problem ?? "invalid value" }
        return
            "field '\(path(keys.map { $0.intValue.map(String.init) ?? $0.stringValue }))': \(problem ?? "invalid value")"
    }

    private static func path(_ keys: [String]) -> String { excerpt(keys.joined(separator: ".")) }

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
