/// A message that is exchanged in every run. Hand-written code writes it in canonical form.
package protocol CanonicalEncodable: Encodable {
    /// - Throws: ``NotCanonical`` if the message has no canonical form.
    func write(to writer: inout CanonicalWriter) throws(NotCanonical)
}

/// A message that is exchanged in every run. Hand-written code reads its canonical form.
package protocol CanonicalDecodable: Decodable {
    /// The maximum number of JSON values in a message, for messages that are not in canonical form.
    static var valueLimit: Int { get }

    init(canonical reader: inout CanonicalReader) throws(NotCanonical)
}

/// Encodes and decodes in canonical form with hand-written code, and with `Codable` what has no canonical form.
extension WireCoding {
    package static func encode(_ values: [String: IntentValue]) -> [UInt8] {
        encode(values) { (values, writer) throws(NotCanonical) in try writer.put(values) }
    }

    package static func encode(_ message: some CanonicalEncodable) -> [UInt8] {
        encode(message) { (message, writer) throws(NotCanonical) in try message.write(to: &writer) }
    }

    package static func encode<Message: Encodable>(
        _ message: Message,
        _ write: (Message, inout CanonicalWriter) throws(NotCanonical) -> Void
    ) -> [UInt8] {
        var writer = CanonicalWriter()
        do {
            try write(message, &writer)
            return writer.bytes
        } catch {
            return encodeByCodable(message)
        }
    }

    package static func decode<Message: CanonicalDecodable>(
        _ type: Message.Type,
        from payload: [UInt8]
    ) throws(WireError) -> Message {
        var reader = CanonicalReader(payload)
        if let message = try? Message(canonical: &reader), reader.isAtEnd { return message }
        return try decode(type, from: payload, as: .message, valueLimit: Message.valueLimit)
    }
}
