/// Encodes and decodes the messages that are exchanged in every run. Hand-written code handles messages in canonical
/// form, and `Codable` handles all others.
extension WireCoding {
    package static func encode(_ message: LaunchCommand) -> [UInt8] {
        encode(message) { (message, writer) throws(NotCanonical) in try message.write(to: &writer) }
    }

    package static func encode(_ message: LaunchReport) -> [UInt8] {
        encode(message) { (message, writer) throws(NotCanonical) in try message.write(to: &writer) }
    }

    /// - Precondition: ``RunRecord/isAwaited`` is true.
    package static func encode(_ record: RunRecord) -> [UInt8] {
        encode(record) { (record, writer) throws(NotCanonical) in try record.write(to: &writer) }
    }

    package static func decode(_ type: LaunchCommand.Type, from payload: [UInt8]) throws(WireError) -> LaunchCommand {
        if let message = read(payload, { (reader) throws(NotCanonical) in try LaunchCommand(canonical: &reader) }) {
            return message
        }
        return try decode(type, from: payload, valueLimit: .max)
    }

    package static func decode(_ type: LaunchReport.Type, from payload: [UInt8]) throws(WireError) -> LaunchReport {
        if let message = read(payload, { (reader) throws(NotCanonical) in try LaunchReport(canonical: &reader) }) {
            return message
        }
        return try decode(type, from: payload, valueLimit: .max)
    }
}
