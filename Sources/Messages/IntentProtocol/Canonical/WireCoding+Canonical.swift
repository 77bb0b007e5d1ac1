/// Encodes and decodes the messages that are exchanged in every run. Hand-written code handles messages in canonical
/// form, and `Codable` handles all others.
extension WireCoding {
    package static func encode(_ outcome: RunOutcome) -> [UInt8] {
        encode(outcome) { (outcome, writer) throws(NotCanonical) in try writer.put(outcome) }
    }
}
