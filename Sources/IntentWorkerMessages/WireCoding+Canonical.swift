package import IntentVocabulary

/// Encodes and decodes the messages that are exchanged in every run. Hand-written code handles messages in canonical
/// form, and `Codable` handles all others.
extension WireCoding {
    package static func encode(_ message: WorkerCommand) -> [UInt8] {
        encode(message) { (message, writer) throws(NotCanonical) in try message.write(to: &writer) }
    }

    package static func encode(_ message: WorkerReport) -> [UInt8] {
        encode(message) { (message, writer) throws(NotCanonical) in try message.write(to: &writer) }
    }

    package static func decode(_ type: WorkerCommand.Type, from payload: [UInt8]) throws(WireError) -> WorkerCommand {
        if let message = read(payload, { (reader) throws(NotCanonical) in try WorkerCommand(canonical: &reader) }) {
            return message
        }
        return try decode(type, from: payload, valueLimit: .max)
    }

    /// Decodes a report within limits on its structure, because a worker executes an app's code.
    package static func decode(_ type: WorkerReport.Type, from payload: [UInt8]) throws(WireError) -> WorkerReport {
        if let message = read(payload, { (reader) throws(NotCanonical) in try WorkerReport(canonical: &reader) }) {
            return message
        }
        return try decode(type, from: payload, valueLimit: PayloadShape.untrustedValueLimit)
    }
}
