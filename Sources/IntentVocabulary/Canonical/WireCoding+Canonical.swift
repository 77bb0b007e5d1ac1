/// Encodes and decodes in canonical form with hand-written code, and with `Codable` what has no canonical form.
extension WireCoding {
    package static func encode(_ values: [String: IntentValue]) -> [UInt8] {
        encode(values) { (values, writer) throws(NotCanonical) in try writer.put(values) }
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

    package static func read<Message>(
        _ payload: [UInt8],
        _ make: (inout CanonicalReader) throws(NotCanonical) -> Message
    ) -> Message? {
        var reader = CanonicalReader(payload)
        guard let message = try? make(&reader), reader.isAtEnd else { return nil }
        return message
    }
}
