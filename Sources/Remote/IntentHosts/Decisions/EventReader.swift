import IntentProtocol

/// Reads Server-Sent Events, each with one line of data, from the body of a response.
package struct EventReader: Sendable {
    package struct Event: Equatable, Sendable {
        package var id: UInt64?
        package var name = ""
        package var data: [UInt8] = []
    }

    /// The maximum length of a line: a message, and the name of its field.
    package static let lineByteLimit = Frame.clientPayloadLimit + 16

    private var received: [UInt8] = []
    private var searchedCount = 0
    private var event = Event()

    package init() {}

    package mutating func append(_ bytes: [UInt8]) { received += bytes }

    /// Returns the next event; nil when more bytes are needed.
    package mutating func next() throws(ResponseViolation) -> Event? {
        while let end = received[searchedCount...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = Array(received[..<end])
            received.removeSubrange(...end)
            searchedCount = 0
            guard line.count <= Self.lineByteLimit else { throw ResponseViolation("an event is too long") }
            guard line.isEmpty else {
                try read(line)
                continue
            }
            defer { event = Event() }
            if !event.data.isEmpty { return event }
        }
        searchedCount = received.count
        guard received.count <= Self.lineByteLimit else { throw ResponseViolation("an event is too long") }
        return nil
    }

    private mutating func read(_ line: [UInt8]) throws(ResponseViolation) {
        guard let value = line.firstIndex(of: UInt8(ascii: " ")).map({ Array(line[($0 + 1)...]) }) else { return }
        if line.starts(with: "data: ".utf8) {
            guard event.data.isEmpty else { throw ResponseViolation("an event has several lines of data") }
            event.data = value
        } else if line.starts(with: "event: ".utf8) {
            event.name = String(foreign: value)
        } else if line.starts(with: "id: ".utf8) {
            guard let id = UInt64(String(foreign: value)) else {
                throw ResponseViolation("expected the number of an event")
            }
            event.id = id
        }
    }
}
