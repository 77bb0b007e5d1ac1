/// Encodes and decodes the messages that are exchanged in every run. Hand-written code handles messages in canonical
/// form, and `Codable` handles all others.
extension WireCoding {
    package static func encode(_ message: ClientMessage) -> [UInt8] {
        encode(message) { (message, writer) throws(NotCanonical) in try message.write(to: &writer) }
    }

    package static func encode(_ outcome: RunOutcome) -> [UInt8] {
        encode(outcome) { (outcome, writer) throws(NotCanonical) in try writer.put(outcome) }
    }

    /// Decodes a request within limits on its structure, because any user can be a client.
    package static func decode(
        _ type: NumberedRequest.Type,
        from payload: [UInt8]
    ) throws(WireError) -> NumberedRequest {
        if let message = read(payload, { (reader) throws(NotCanonical) in try NumberedRequest(canonical: &reader) }) {
            return message
        }
        return try decode(type, from: payload, valueLimit: PayloadShape.untrustedValueLimit)
    }
}
